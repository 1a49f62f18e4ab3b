internal import ArgumentParser
internal import Gallop

/// A colour behind transparent pixels: a name, `#RGB` or `#RRGGBB`.
struct BackgroundColor: ExpressibleByArgument, Equatable {
  let red: UInt32
  let green: UInt32
  let blue: UInt32

  private static let names: [(name: String, color: UInt32)] = [
    ("black", 0x000000), ("white", 0xFFFFFF), ("gray", 0x808080), ("grey", 0x808080), ("red", 0xFF0000),
    ("green", 0x008000), ("blue", 0x0000FF), ("yellow", 0xFFFF00), ("cyan", 0x00FFFF), ("magenta", 0xFF00FF),
  ]

  /// What formats without transparency have behind pixels, unless the user names another colour.
  static let white = BackgroundColor(0xFFFFFF)

  /// The names, for the help.
  static let list = names.map(\.name).filter { $0 != "grey" }.joined(separator: ", ")

  static var defaultCompletionKind: CompletionKind { .list(names.map(\.name)) }

  init?(argument: String) {
    let text = argument.lowercased()
    var digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
    if let named = Self.names.first(where: { $0.name == text }) {
      self.init(named.color)
      return
    }
    if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
    guard digits.utf8.count == 6, digits.first != "+", digits.first != "-",
      let color = UInt32(digits, radix: 16)
    else { return nil }
    self.init(color)
  }

  private init(_ color: UInt32) {
    red = color >> 16 & 0xFF
    green = color >> 8 & 0xFF
    blue = color & 0xFF
  }

  /// A picture laid over the colour, without transparency.
  func under(_ pixels: PixelBuffer) -> PixelBuffer {
    let channels = pixels.format == .bgra ? [blue, green, red] : [red, green, blue]
    let source = pixels.span
    var words = [UInt32](repeating: 0, count: source.count)
    var target = words.mutableSpan
    for place in source.indices {
      target[place] = Self.blend(UInt32(littleEndian: source[place]), channels).littleEndian
    }
    return PixelBuffer(width: pixels.width, height: pixels.height, format: pixels.format, words: words)
  }

  private static func blend(_ pixel: UInt32, _ channels: [UInt32]) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha < 255 else { return pixel }
    var result: UInt32 = 0xFF00_0000
    for (place, channel) in channels.enumerated() {
      let value = (pixel >> UInt32(8 * place)) & 0xFF
      result |= ((value * alpha + channel * (255 - alpha) + 127) / 255) << UInt32(8 * place)
    }
    return result
  }
}

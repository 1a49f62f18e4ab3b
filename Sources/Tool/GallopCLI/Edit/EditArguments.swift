internal import ArgumentParser
internal import Gallop

// How the options of `edit` are written.

enum EditAxis: String, ExpressibleByArgument, CaseIterable {
  case x, y
}

/// The canvas of joined GIFs.
enum EditCanvas: Equatable {
  /// As wide and as high as the largest.
  case largest
  case size(PixelSize)

  init(parsing text: String) throws {
    if text == "largest" {
      self = .largest
      return
    }
    guard let size = PixelSize(argument: text) else {
      throw ValidationError("it takes a size such as 640x480, or largest")
    }
    self = .size(size)
  }

  func size(of sizes: [PixelSize]) -> PixelSize {
    switch self {
    case .size(let size): size
    case .largest:
      PixelSize(
        clampingWidth: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
    }
  }
}

extension PixelRect {
  /// `WxH+X+Y`, or `WxH` from the corner on.
  init(parsing text: String) throws {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let places = parts.dropFirst().compactMap(Self.place)
    guard let first = parts.first, let size = PixelSize(argument: String(first)),
      places.count == parts.count - 1, places.isEmpty || places.count == 2
    else { throw ValidationError("it takes a size and a place, such as 320x180+10+20") }
    self.init(x: places.first ?? 0, y: places.last ?? 0, width: size.width, height: size.height)
  }

  private static func place(_ text: Substring) -> Int? {
    text.count <= 6 && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}

extension LoopCount {
  /// `forever`, `once`, or the total number of plays.
  init(parsing text: String) throws {
    switch text {
    case "forever": self = .forever
    case "once": self = .plays(1)
    default:
      guard let plays = Int(text), (1...65_536).contains(plays) else {
        throw ValidationError("it takes forever, once, or 1 to 65536 plays in all")
      }
      self = .plays(plays)
    }
  }
}

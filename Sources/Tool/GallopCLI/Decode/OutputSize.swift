internal import ArgumentParser
internal import Gallop

/// The size of pictures on the command line, exactly: `320x240`, `320x`, `x240` or `50%`.
enum OutputSize: Equatable {
  case exact(PixelSize)
  case width(Int)
  case height(Int)
  /// A part of the canvas, 1 for all of it.
  case scale(Double)

  /// - Throws: `ValidationError` that names the forms.
  init(parsing text: String) throws {
    guard let size = OutputSize(argument: text) else {
      throw ValidationError("it takes WxH, Wx, xH or a percentage, such as 320x240, 320x, x240 or 50%")
    }
    self = size
  }

  init?(argument: String) {
    let text = argument.lowercased()
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), percent > 0, percent <= 10_000 else { return nil }
      self = .scale(percent / 100)
      return
    }
    if let size = PixelSize(argument: text) {
      self = .exact(size)
    } else if text.hasSuffix("x"), let size = PixelSize(argument: text + "1") {
      self = .width(size.width)
    } else if text.hasPrefix("x"), let size = PixelSize(argument: "1" + text) {
      self = .height(size.height)
    } else {
      return nil
    }
  }

  /// The size for a canvas. A side that is left out keeps the canvas's shape.
  func size(of canvas: PixelSize) -> PixelSize {
    func part(_ side: Int, _ numerator: Int, of denominator: Int) -> Int {
      (2 * side * numerator + denominator) / (2 * denominator)
    }
    switch self {
    case .exact(let size): return size
    case .width(let width):
      return PixelSize(clampingWidth: width, height: part(canvas.height, width, of: canvas.width))
    case .height(let height):
      return PixelSize(clampingWidth: part(canvas.width, height, of: canvas.height), height: height)
    case .scale(let scale):
      return PixelSize(
        clampingWidth: Int((Double(canvas.width) * scale).rounded()),
        height: Int((Double(canvas.height) * scale).rounded()))
    }
  }
}

/// A box on the command line into which pictures are made to fit: `320x240`, `320x` or `x240`.
///
/// Pictures keep the canvas's shape, and are never enlarged.
struct OutputBox: Equatable {
  private let bounds: PixelSize

  /// - Throws: `ValidationError` that names the forms.
  init(parsing text: String) throws {
    guard let box = OutputBox(argument: text) else {
      throw ValidationError("it takes WxH, Wx or xH, such as 320x240, 320x or x240")
    }
    self = box
  }

  init?(argument: String) {
    switch OutputSize(argument: argument) {
    case .exact(let size): bounds = size
    case .width(let width): bounds = PixelSize(clampingWidth: width, height: .max)
    case .height(let height): bounds = PixelSize(clampingWidth: .max, height: height)
    case .scale, nil: return nil
    }
  }

  func size(of canvas: PixelSize) -> PixelSize { canvas.fitting(bounds) }
}

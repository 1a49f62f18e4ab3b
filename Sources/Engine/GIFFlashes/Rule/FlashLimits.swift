internal import GIFDecoding

/// The numbers of WCAG 2.2, "general flash and red flash thresholds".
enum FlashLimits {
  /// Changes in one second from which on it is more than three flashes: a flash is two opposing changes.
  static let changes = 7
  /// The side of a field of 10 degrees, in CSS pixels.
  static let (fieldWidth, fieldHeight) = (341.0, 256.0)
  /// A quarter of a field, in CSS pixels: that much may flash.
  static let area = fieldWidth * fieldHeight / 4
  /// The side of the squares of a fine pattern is below 0.1 degree.
  static let fineSquare = 3.41
  /// The period of time to which the number of flashes applies, in milliseconds.
  static let period = 1000.0

  /// Whether a field holds a picture that is shown so large.
  static func isWithinField(_ shown: PixelSize) -> Bool {
    Double(shown.width) <= fieldWidth && Double(shown.height) <= fieldHeight
  }
}

/// The limits in pixels of the image, for a size at which it is shown.
struct ShownLimits: Sendable, Equatable {
  /// Pixels that may flash.
  let area: Double
  /// The sides of a field; no larger than the image.
  let (fieldWidth, fieldHeight): (Int, Int)
  /// The area of a field, also of one that is larger than the image.
  let fieldArea: Double

  init(canvas: PixelSize, shown: PixelSize, sharing: FieldSharing) {
    let (width, height) = (Double(shown.width), Double(shown.height))
    let (x, y) = (Double(canvas.width) / width, Double(canvas.height) / height)
    fieldArea = FlashLimits.fieldWidth * FlashLimits.fieldHeight * x * y
    area = FlashLimits.area * x * y * sharing.part(of: shown)
    fieldWidth = min(canvas.width, Int((FlashLimits.fieldWidth * x).rounded(.up)))
    fieldHeight = min(canvas.height, Int((FlashLimits.fieldHeight * y).rounded(.up)))
  }

  /// The pixels of a rectangle that one field may hold.
  func areaInField(_ rect: PixelRect) -> Double {
    rect.isEmpty ? 0 : Double(min(rect.width, fieldWidth)) * Double(min(rect.height, fieldHeight))
  }
}

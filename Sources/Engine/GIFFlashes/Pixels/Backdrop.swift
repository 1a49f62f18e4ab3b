/// What lies under an image, and shows where it is transparent.
///
/// A file says nothing of it, and pages are light or dark: what fails on white or on black fails.
enum Backdrop: UInt32 {
  case white = 0xFFFF_FFFF
  case black = 0xFF00_0000

  @inline(__always)
  static func isTransparent(_ pixel: UInt32) -> Bool { pixel >> 24 == 0 }

  /// What a pixel of a canvas looks like.
  @inline(__always)
  func shown(_ pixel: UInt32) -> UInt32 { Self.isTransparent(pixel) ? rawValue : pixel }
}

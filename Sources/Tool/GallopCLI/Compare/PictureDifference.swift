internal import Gallop

/// Where two pictures of one size differ, and by how much.
struct PictureDifference: Equatable {
  /// The smallest rectangle with all pixels that differ.
  var rect: PixelRect
  /// The largest difference of a channel in it.
  var largest: Int

  /// Nil if no channel differs by more than `tolerance`. Pixels that are transparent in both are equal.
  ///
  /// - Precondition: the pictures have the same number of pixels.
  init?(_ first: Span<UInt32>, _ second: Span<UInt32>, width: Int, tolerance: Int) {
    var (left, right, top, bottom) = (Int.max, -1, -1, -1)
    var largest = 0
    var place = 0
    for y in 0..<first.count / max(1, width) {
      for x in 0..<width {
        let (one, other) = (first[place], second[place])
        place += 1
        guard one != other else { continue }
        let difference = Self.difference(UInt32(littleEndian: one), UInt32(littleEndian: other))
        guard difference > tolerance else { continue }
        largest = max(largest, difference)
        left = min(left, x)
        right = max(right, x)
        if top < 0 { top = y }
        bottom = y
      }
    }
    guard top >= 0 else { return nil }
    rect = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    self.largest = largest
  }

  /// The largest difference of a channel of two pixels with alpha in the highest byte.
  private static func difference(_ one: UInt32, _ other: UInt32) -> Int {
    if one >> 24 == 0, other >> 24 == 0 { return 0 }
    var largest = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      largest = max(largest, abs(Int(one >> shift & 0xFF) - Int(other >> shift & 0xFF)))
    }
    return largest
  }
}

import GIFWriting

/// Finds the palette's nearest colour, and remembers what it found.
struct ColorMatcher {
  private let colors: [RGB]
  private var known: [Int16]

  init(_ colors: [GIFColor]) {
    self.colors = colors.map { RGB(Float($0.red), Float($0.green), Float($0.blue)) / 255 }
    known = Array(repeating: -1, count: 1 << 18)
  }

  /// The index of the colour nearest to another and the colour itself.
  mutating func nearest(to color: RGB) -> (index: UInt8, color: RGB) {
    // Six bits a channel are finer than the palettes are, and make the memory small.
    let rounded = (color.clamped(lowerBound: .zero, upperBound: .one) * 63).rounded(.toNearestOrEven)
    let cell = SIMD3<Int>(rounded)
    let code = cell.x << 12 | cell.y << 6 | cell.z
    if known[code] < 0 {
      var (best, bestDistance) = (0, Float.infinity)
      for (index, candidate) in colors.enumerated() {
        let difference = candidate - rounded / 63
        let distance = (difference * difference * RGB(3, 5, 2)).sum()
        if distance < bestDistance { (best, bestDistance) = (index, distance) }
      }
      known[code] = Int16(best)
    }
    let index = Int(known[code])
    return (UInt8(index), colors[index])
  }
}

import GIFWriting

/// Chooses the palette that suits images best, by cutting the cube of their colours at medians.
enum MedianCut {
  /// A colour reduced to the upper five or six bits of its channels, and how many pixels have it.
  private struct Entry {
    let color: SIMD3<Int>
    let count: Int
  }

  private struct Box {
    var entries: [Entry]
    let axis: Int
    let priority: Double

    init(_ entries: [Entry]) {
      self.entries = entries
      var (low, high) = (SIMD3<Int>(repeating: 255), SIMD3<Int>.zero)
      var count = 0
      for entry in entries {
        low = pointwiseMin(low, entry.color)
        high = pointwiseMax(high, entry.color)
        count += entry.count
      }
      // The eye sees differences of green best and those of blue worst.
      let extent = (high &- low) &* SIMD3(5, 7, 4)
      let widest = extent.max()
      axis = extent.y == widest ? 1 : extent.x == widest ? 0 : 2
      // Of the number of pixels only the root counts, or large smooth areas would take all the colours.
      priority = entries.count > 1 ? Double(widest) * Double(count).squareRoot() : 0
    }

    var mean: GIFColor {
      var (sum, count) = (SIMD3<Int>.zero, 0)
      for entry in entries {
        sum &+= entry.color &* entry.count
        count += entry.count
      }
      let mean = (sum &+ count / 2) / SIMD3(repeating: count)
      return GIFColor(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }

    func split() -> (Box, Box) {
      let sorted = entries.sorted { ($0.color[axis], $0.count) < ($1.color[axis], $1.count) }
      let half = sorted.reduce(0) { $0 + $1.count } / 2
      var (index, seen) = (1, sorted[0].count)
      while index < sorted.count - 1, seen < half {
        seen += sorted[index].count
        index += 1
      }
      return (Box(Array(sorted[..<index])), Box(Array(sorted[index...])))
    }
  }

  /// A palette of at most `count` colours for all of the images together.
  static func palette(of images: [Bitmap], count: Int) -> [GIFColor] {
    var histogram = [Int](repeating: 0, count: 1 << 18)
    for image in images {
      for pixel in image.pixels {
        let color = SIMD3<Int>(
          (pixel.clamped(lowerBound: .zero, upperBound: .one) * 63).rounded(.toNearestOrEven))
        histogram[color.x << 12 | color.y << 6 | color.z] += 1
      }
    }
    let entries = histogram.enumerated().compactMap { code, count in
      let color = SIMD3(code >> 12, code >> 6 & 63, code & 63)
      return count > 0 ? Entry(color: color &* 255 / 63, count: count) : nil
    }
    var boxes = [Box(entries)]
    while boxes.count < count {
      guard let index = boxes.indices.max(by: { boxes[$0].priority < boxes[$1].priority }),
        boxes[index].priority > 0
      else { break }
      let (first, second) = boxes[index].split()
      boxes[index] = first
      boxes.append(second)
    }
    return boxes.map(\.mean)
  }
}

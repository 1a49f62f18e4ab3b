extension GIFImage {
  /// The first frame that is worth showing as a still: one that is not nearly blank, as films that fade in
  /// are at their beginning.
  ///
  /// Nearly blank is a frame of which less than a fiftieth differs from its prevailing colour, looked at in
  /// 64 x 64 cells. Where all frames are, it is the one with the most to see. At most as many frames are
  /// looked at as take some hundred milliseconds: 67 million pixels, and the first one in any case.
  /// - Returns: an index, 0 where nothing is found.
  /// - Throws: what ``FrameRenderer`` throws.
  public func posterIndex(isCancelled: (@Sendable () -> Bool)? = nil) throws(GIFError) -> Int {
    let size = size.fitting(PixelSize(clampingWidth: 64, height: 64))
    var renderer = try FrameRenderer(self, size: size, checkpoints: .none)
    var content = BlankCheck()
    var (best, most) = (0, 0)
    var room: Int64 = 1 << 26
    for frame in frames {
      room -= frame.rect.area + size.area
      guard room >= 0 || frame.index == 0 else { break }
      let picture = try renderer.frame(at: frame.index, isCancelled: isCancelled)
      let found = content.differingCells(picture.pixels.span)
      if found * 50 >= Int(size.area), found > 0 { return frame.index }
      if found > most { (best, most) = (frame.index, found) }
    }
    return best
  }
}

/// Counts what stands out from a picture's prevailing colour, which is the median of each channel.
struct BlankCheck {
  /// How many cells have each value of a channel.
  private var counts = [Int](repeating: 0, count: 256)
  /// A difference in a channel that is seen: a tenth of its range.
  private static let visible = 25

  /// - Parameter words: four channels of 8 bits in any order.
  mutating func differingCells(_ words: Span<UInt32>) -> Int {
    let medians = (0..<4).map { median(of: words, shift: UInt32(8 * $0)) }
    var count = 0
    for place in words.indices {
      let word = words[place]
      for channel in 0..<4
      where abs(Int(word >> UInt32(8 * channel) & 0xFF) - medians[channel]) > Self.visible {
        count += 1
        break
      }
    }
    return count
  }

  private mutating func median(of words: Span<UInt32>, shift: UInt32) -> Int {
    for place in counts.indices { counts[place] = 0 }
    for place in words.indices { counts[Int(words[place] >> shift & 0xFF)] += 1 }
    var rest = words.count / 2
    for (value, count) in counts.enumerated() {
      if rest < count { return value }
      rest -= count
    }
    return 255
  }
}

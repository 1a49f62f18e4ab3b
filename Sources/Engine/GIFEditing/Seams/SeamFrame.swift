internal import GIFDecoding
internal import GIFWriting

/// A frame that is written anew: what turns the canvas into a picture, without a colour changed.
struct SeamFrame {
  var rect: PixelRect
  /// Three bytes a colour; nil for the output's global palette.
  var palette: [UInt8]?
  var transparentIndex: UInt8?
  var pixels: FramePixels
  /// The bits of an index.
  var codeSize: Int

  /// - Parameters:
  ///   - before: what the canvas shows.
  ///   - target: what it is to show; no pixel of it is transparent that is not so before.
  ///   - rect: what is drawn; it holds all that differs.
  ///   - global: the colours of the output's global palette, if it has one.
  ///   - leavesOut: whether what is unchanged is left out wherever a transparent index has room, which makes
  ///     long strings; or only where its colour is not among those that are drawn.
  /// - Returns: nil if a palette has no room for the colours.
  init?(
    from before: Span<UInt32>, to target: Span<UInt32>, rect: PixelRect, width: Int, global: [UInt32]?,
    leavesOut: Bool = true
  ) {
    self.rect = rect
    var needed = ColorIndices()
    // The colours of pixels that need not be drawn; without one of them in the palette they must not be.
    var unchanged = ColorIndices()
    var (isPartial, needsTransparency) = (false, false)
    // Neighbours often have one colour, which then is searched for once.
    var last: UInt32?
    for row in rect.y..<rect.maxY {
      for place in row * width + rect.x..<row * width + rect.maxX {
        let color = target[place]
        if before[place] != color {
          if color == last { continue }
          guard needed.insert(color) else { return nil }
          last = color
        } else {
          isPartial = true
          if color >> 24 == 0 || !unchanged.insert(color) { needsTransparency = true }
        }
      }
    }
    if unchanged.colors.contains(where: { needed.index(of: $0) == nil }) { needsTransparency = true }
    let choices = [isPartial && leavesOut, needsTransparency].lazy.compactMap { transparency in
      transparency || !needsTransparency
        ? Choice(needed, hasTransparency: transparency, global: global) : nil
    }
    guard let choice = choices.first else { return nil }
    palette = choice.palette
    transparentIndex = choice.transparentIndex
    var (firsts, seconds): ([UInt8], [UInt8]) = ([], [])
    firsts.reserveCapacity(Int(rect.area))
    seconds.reserveCapacity(Int(rect.area))
    var highest: UInt8 = 0
    var known: (color: UInt32, index: UInt8?) = (0, nil)
    for row in rect.y..<rect.maxY {
      for place in row * width + rect.x..<row * width + rect.maxX {
        let color = target[place]
        if color != known.color { known = (color, color >> 24 == 0 ? nil : choice.colors.index(of: color)) }
        let own = known.index
        let isDrawn = before[place] != color
        // The transparent index may be that of a colour which no pixel needs.
        let usable = own == choice.transparentIndex ? nil : own
        let first = isDrawn ? own : choice.transparentIndex ?? usable
        guard let first else { return nil }
        let second = isDrawn ? first : usable ?? first
        highest = max(highest, max(first, second))
        firsts.append(first)
        seconds.append(second)
      }
    }
    pixels = FramePixels(firsts, or: seconds)
    codeSize = FramePixels.codeSize(highest: highest)
  }

  /// A palette that has all colours that a frame needs.
  private struct Choice {
    var colors: ColorIndices
    var palette: [UInt8]?
    var transparentIndex: UInt8?

    init?(_ needed: ColorIndices, hasTransparency: Bool, global: [UInt32]?) {
      if let global, let index = needed.spareIndex(of: global) {
        if !hasTransparency || index != nil {
          colors = ColorIndices(global)
          transparentIndex = hasTransparency ? index : nil
          return
        }
      }
      guard needed.colors.count + (hasTransparency ? 1 : 0) <= 256 else { return nil }
      colors = needed
      palette = GIFPalette.stored(
        colors: needed.colors, count: needed.colors.count + (hasTransparency ? 1 : 0))
      transparentIndex = hasTransparency ? UInt8(truncatingIfNeeded: needed.colors.count) : nil
    }
  }
}

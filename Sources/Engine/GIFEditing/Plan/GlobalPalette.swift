internal import GIFDecoding

/// The palette that frames of the output need not bring along.
enum GlobalPalette {
  /// As many frames are looked at as tell which palette is common.
  static let mostFrames = 4096

  /// The bytes of the palette that saves most as the global one: that of most frames. Nil if there is none.
  ///
  /// - Parameter own: that of the first image, which is chosen among equals.
  static func mostUsed(
    by frames: [SequenceFrame], of images: [GIFImage], own: [UInt8]?
  ) throws(GIFError) -> [UInt8]? {
    var savings: [[UInt8]: Int] = [:]
    for frame in frames.prefix(mostFrames) {
      let image = images[frame.image]
      guard let palette = try image.paletteBytes(of: image.frames[frame.frame]) ?? image.globalPaletteBytes,
        isWhole(palette)
      else { continue }
      savings[palette, default: 0] += palette.count
    }
    let most = savings.values.max() ?? 0
    if let own, savings[own] ?? 0 == most { return own }
    return frames.isEmpty
      ? own : savings.filter { $0.value == most }.keys.min { $0.lexicographicallyPrecedes($1) }
  }

  /// The palettes that are worth a trial beside the image's own one.
  ///
  /// - Parameters:
  ///   - stored: that of most frames.
  ///   - drawn: the colours that frames draw, from which another one is made if it saves more than both.
  static func candidates(stored: [UInt8]?, beside own: [UInt8]?, for drawn: DrawnColors) -> [[UInt8]?] {
    func saving(_ palette: [UInt8]?) -> Int {
      let colors = palette.map(PixelFormat.rgba.colors(ofPalette:)) ?? []
      return drawn.savedBytes(by: colors) - (palette?.count ?? 0)
    }
    let others = stored == own ? [] : [stored]
    let common = drawn.commonPalette()
    guard common != nil, saving(common) > max(saving(own), saving(stored)) else { return others }
    return others + [common]
  }

  /// Whether a palette has a size that can be stored; that of a file that ends inside it need not.
  private static func isWhole(_ palette: [UInt8]) -> Bool {
    let count = palette.count / 3
    return palette.count % 3 == 0 && (2...256).contains(count) && count & (count - 1) == 0
  }
}

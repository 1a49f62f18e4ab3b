import GIFWriting
import Gallop

/// Puts frames together to a file.
enum Animation {
  /// Writes an animation of which each frame holds only what changes.
  ///
  /// The palette must leave index `palette.count` free: it becomes the transparent one.
  static func changes(
    of images: [IndexedImage], colors: [GIFColor], delay: (Int) -> UInt16, loopCount: LoopCount,
    comment: String
  ) throws -> [UInt8] {
    let transparent = UInt8(colors.count)
    let palette = try GIFPalette(colors + [GIFColor(0)])
    var writer = try GIFWriter(
      width: images[0].width, height: images[0].height, palette: palette, loopCount: loopCount,
      comment: comment)
    for (index, image) in images.enumerated() {
      let frame =
        index == 0
        ? image.frame(delay: delay(0))
        : image.frame(changing: images[index - 1], transparent: transparent, delay: delay(index))
      try writer.append(frame)
    }
    return writer.finish()
  }
}

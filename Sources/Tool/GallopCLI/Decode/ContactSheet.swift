internal import GIFStage
internal import Gallop

/// A contact sheet: thumbnails of all frames on one PNG, with index and delay, over a checkerboard.
struct ContactSheet {
  let layout: SheetLayout
  private let title: String
  private let delays: [Int]

  /// - Throws: ``FileFailure`` if the sheet is too large.
  init(_ image: GIFImage, name: String, frames: [Int], size: PixelSize?) throws {
    delays = frames.map { image.frames[$0].delayMilliseconds() }
    let total = image.frameCount
    let count =
      frames.count == total
      ? "\(total) frame\(total == 1 ? "" : "s")"
      : Self.isRange(frames)
        ? "frames \(FrameText.range(frames[0]..<frames[frames.count - 1] + 1)) of \(total)"
        : "\(frames.count) of \(total) frames"
    title = "\(name)  \(image.width) x \(image.height), \(count), \(seconds(delays.reduce(0, +)))"
    let captionWidth =
      BitmapFont.width(of: FrameText.number(frames.max() ?? 0) + "  ", size: 1)
      + BitmapFont.width(of: Self.text(delays.max() ?? 0), size: 1)
    let layout = SheetLayout(
      canvas: image.size, count: frames.count, size: size, captionWidth: captionWidth,
      titleWidth: BitmapFont.width(of: title, size: SheetLayout.titleSize))
    guard let layout else {
      throw FileFailure(
        reason: "\(frames.count) thumbnails do not fit on a sheet of \(SheetLayout.areaLimit) pixels; "
          + "choose --frames or a smaller --size")
    }
    self.layout = layout
  }

  private static func isRange(_ frames: [Int]) -> Bool {
    zip(frames, frames.dropFirst()).allSatisfy { $1 == $0 + 1 }
  }

  private static func text(_ delay: Int) -> String { "\(delay) ms" }

  /// Draws the sheet and writes it as a PNG; returns the damage met.
  func write(
    _ pictures: consuming PictureSource, to target: OutputDescriptor
  ) throws -> [GIFDiagnostic] {
    try SystemMemory.require(layout.width * layout.height * 4)
    var surface = Surface(width: layout.width, height: layout.height)
    let room = layout.width - 2 * SheetLayout.margin
    surface.draw(
      BitmapFont.truncated(title, width: room, size: SheetLayout.titleSize), x: SheetLayout.margin,
      y: SheetLayout.margin, size: SheetLayout.titleSize, Theme.text)
    let found = try pictures.deliver { place, picture in draw(picture, at: place, on: &surface) }
    try target.write(PNGEncoder.encode(surface))
    return found
  }

  private func draw(_ frame: Picture, at position: Int, on surface: inout Surface) {
    let picture = layout.picture(position)
    surface.fillChecker(picture, light: Color(0xFFFFFF), dark: Color(0xCCCCCC))
    surface.draw(frame.pixels.span, size: layout.thumbnail, in: picture)
    let caption = layout.caption(position)
    // The number of a damaged frame is red.
    let color = frame.status == .complete ? Theme.text : Theme.bad
    surface.draw(FrameText.number(frame.index), x: caption.x, y: caption.y, color)
    let delay = Self.text(delays[position])
    surface.draw(
      delay, x: caption.maxX - BitmapFont.width(of: delay, size: 1), y: caption.y, Theme.faintText)
  }
}

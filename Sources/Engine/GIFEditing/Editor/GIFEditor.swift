public import GIFDecoding
internal import GIFWriting

/// Writes an edited GIF, piece by piece.
///
/// A frame is copied as it is compressed wherever it then shows its picture; others are written anew, without
/// a colour changed. An editor belongs to one caller. Memory: a few canvases, and 48 MB of pictures where
/// frames run backwards; not the file.
///
///     func write(_ image: GIFImage, _ edit: GIFEdit, to append: ([UInt8]) throws -> Void) throws {
///       let editor = try GIFEditor([image], edit)
///       while let bytes = try editor.next() { try append(bytes) }
///     }
public final class GIFEditor {
  /// How many frames were written in which way.
  public struct Summary: Sendable, Hashable {
    /// The frames of the output so far.
    public internal(set) var frameCount = 0
    /// Those that were copied.
    public internal(set) var copiedFrames = 0
    /// The bytes of the output so far.
    public internal(set) var byteCount: Int64 = 0
    /// The chosen frames that are left out as damaged.
    package internal(set) var skippedFrames = 0

    /// Those that were written anew.
    package var writtenFrames: Int { frameCount - copiedFrames }
  }

  /// What was written so far.
  public internal(set) var summary = Summary()
  /// The number of frames that are chosen; fewer are written where stills are merged.
  package var chosenFrames: Int { plan.chosenFrames }

  let images: [GIFImage]
  /// The size of the output's canvas.
  let size: PixelSize
  let edit: GIFEdit
  let sources: [SourcePictures]
  let rule: CopyRule
  var plan: EditPlan
  let strategy: EditStrategy
  /// The colours of the output's global palette, as pixels.
  let global: [UInt32]?
  /// Of each image its global palette, which its frames bring along; nil where the output has the same.
  let foreignPalettes: [[UInt8]?]
  /// Whether frames that are copied as they are stored are compared with their digests of when the file was
  /// opened. The check of the output does so, too.
  package var verifiesCopies = true
  private var hasBegun = false
  private(set) var hasEnded = false
  var writer = GIFRecordWriter()
  var encoder = LZWEncoder()
  /// Whether all frames so far were copied as they are stored, with their own disposal.
  var copiesAsStored = true
  /// Of each frame so far, whether it was copied; of a trial alone.
  var copiedFrames: [Bool] = []
  /// The frame that was refused: after a cancelled search for another beginning, it comes again.
  var refused: PlannedFrame?
  /// A search for damage that has begun: among which frames of which image.
  var damageSearch: (image: Int, frames: Range<Int>, search: DamageSearch)?
  /// The pictures of the first frames that were written anew, by their number in the output.
  var drawnPictures: [Int: PixelBuffer] = [:]
  /// What the canvas shows where ``plan`` does not say it.
  var canvas: PixelBuffer?

  /// Bytes for pictures that are kept, where frames are taken backwards; more only for very large canvases.
  private static let pictureBytes: Int64 = 48 << 20

  /// Plans an edit of images, one behind the other.
  ///
  /// - Parameter isCancelled: asked from time to time where frames are decoded to find the damaged ones, or
  ///   what makes the output smaller.
  /// - Throws: ``GIFEditError``.
  public convenience init(
    _ images: [GIFImage], _ edit: GIFEdit, isCancelled: () -> Bool = { false }
  ) throws(GIFEditError) {
    let sequence = try Self.sequence(of: images, edit, isCancelled)
    var edit = edit
    let strategy = try Self.strategy(for: images, &edit, sequence, isCancelled)
    try self.init(images, edit, sequence, strategy)
    summary.skippedFrames = sequence.skippedFrames
  }

  init(
    _ images: [GIFImage], _ edit: GIFEdit, _ sequence: FrameSequence, _ strategy: EditStrategy
  ) throws(GIFEditError) {
    self.images = images
    self.edit = edit
    let transforms = try edit.transforms(of: images)
    var sources: [SourcePictures] = []
    for (image, transform) in zip(images, transforms) {
      sources.append(SourcePictures(image, transform, budget: Self.pictureBytes))
    }
    self.sources = sources
    size = transforms[0].size
    let canvas = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    rule = CopyRule(
      images: sources.map { source in
        let own = PixelRect(x: 0, y: 0, width: source.image.width, height: source.image.height)
        return CopyRule.Image(
          frames: source.frames, canvas: canvas, isWhole: source.image.frames.map { own.contains($0.rect) },
          hasGlobalPalette: source.image.metadata.globalPaletteSize != nil)
      })
    plan = try EditPlan(sequence, edit, rule)
    self.strategy = strategy
    global = strategy.palette.map(PixelFormat.rgba.colors(ofPalette:))
    foreignPalettes = images.map { image in
      let palette = image.globalPaletteBytes
      return palette == strategy.palette ? nil : palette
    }
  }

  /// As many plays as a loop extension can say.
  private static let mostPlays = 65_536

  private static func sequence(
    of images: [GIFImage], _ edit: GIFEdit, _ isCancelled: () -> Bool
  ) throws(GIFEditError) -> FrameSequence {
    guard !images.isEmpty else { throw GIFEditError(.noFrames) }
    if case .plays(let plays) = edit.loopCount, !(1...mostPlays).contains(plays) {
      throw GIFEditError(.ruleOutOfRange, value: Int64(plays), limit: Int64(mostPlays))
    }
    var statuses: [[FrameStatus]] = []
    for image in images where edit.skipsFailedFrames {
      guard let check = image.checkFrames(isCancelled: isCancelled) else { throw GIFEditError(.cancelled) }
      statuses.append(check.statuses)
    }
    return try FrameSequence(images.map { $0.frames }, edit: edit) { image, frame in
      statuses[image][frame] == .complete || statuses[image][frame] == .truncated
    }
  }

  /// Renders frames of an image one after the other, and returns the status of each.
  package typealias Rendering = (inout FrameRenderer, [Int]) throws(GIFError) -> [FrameStatus]

  /// Renders with `rendering` from here on: it may use threads where several frames have to be decoded, and
  /// memory of its own.
  package func render(with rendering: @escaping Rendering) {
    for source in sources { source.rendering = rendering }
  }

  /// A search for damage in some frames of an image, which has begun elsewhere.
  package struct DamageSearch {
    /// Waits for its end; nil where it was stopped.
    package let isSound: (_ isCancelled: () -> Bool) -> Bool?
    package let stop: () -> Void

    package init(isSound: @escaping (_ isCancelled: () -> Bool) -> Bool?, stop: @escaping () -> Void) {
      (self.isSound, self.stop) = (isSound, stop)
    }
  }

  /// Has frames that are likely to be copied searched for damage from here on, so that
  /// ``check(_:isCancelled:)`` need not do it.
  ///
  /// - Parameter begin: begins the search.
  package func searchForDamage(_ begin: (GIFImage, Range<Int>) -> DamageSearch) {
    let run = plan.lastRun
    guard !edit.makesSmaller, !edit.mergesStills, sources[run.image].isIdentity, run.frames.count > 1,
      images.count > 1 || run.frames.count < images[0].frameCount
    else { return }
    damageSearch = (run.image, run.frames, begin(images[run.image], run.frames))
  }

  deinit { damageSearch?.search.stop() }

  /// The next bytes of the file: its head, then some frames at a time; nil after the end.
  ///
  /// - Throws: ``GIFEditError``; what was written then is no whole file.
  public func next() throws(GIFEditError) -> [UInt8]? { try writePiece { false } ? writer.take() : nil }

  /// Writes what ``next()`` gives to ``piece``; false after the end. The caller drops what it has used.
  ///
  /// - Parameter isCancelled: asked before each frame of the piece but its first: the piece ends where it
  ///   answers true, and the caller asks again. Also asked before each frame that is drawn to find other
  ///   places for a seam: hundreds may be.
  package func writePiece(isCancelled: () -> Bool) throws(GIFEditError) -> Bool {
    let isHead = !hasBegun
    guard try writeNext(isCancelled) else { return false }
    while !isHead, piece.count < Self.pieceBytes, !isCancelled(), try writeNext(isCancelled) {}
    return true
  }

  /// What was written and neither given nor dropped.
  package var piece: [UInt8] { writer.bytes }

  /// Removes the first bytes of ``piece``, and keeps their memory for the next ones.
  package func dropPiece(_ count: Int) {
    writer.drop(count)
    // The check needs the memory.
    if hasEnded, piece.isEmpty { _ = writer.take() }
  }

  /// Bytes of a piece: one call of the system for each small frame takes longer than its bytes.
  private static let pieceBytes = 1 << 17

  /// Adds the head to ``piece``, then a frame with each call; false after the end.
  ///
  /// - Parameter isCancelled: asked before each frame that is drawn to find other places for a seam.
  package func writeNext(_ isCancelled: () -> Bool) throws(GIFEditError) -> Bool {
    guard !hasEnded else { return false }
    if !hasBegun {
      hasBegun = true
      try writeHead()
    } else if try !writeFrame(isCancelled) {
      hasEnded = true
      writer.end()
    }
    summary.byteCount = writer.byteCount
    return true
  }

  /// Whether the output is one image's frames, all in their order as they are stored: then damage goes along.
  var copiesWholeImage: Bool {
    images.count == 1 && copiesAsStored && sources[0].isIdentity
      && plan.written.map { $0.frame } == Array(0..<images[0].frameCount)
  }

  /// The frame of an image, counted through all images.
  func number(of frame: SequenceFrame) -> Int {
    images[..<frame.image].reduce(frame.frame) { $0 + $1.frameCount }
  }
}

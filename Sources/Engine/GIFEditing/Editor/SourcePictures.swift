internal import GIFDecoding

/// The pictures of one image, for an editor that takes them in any order.
///
/// Backwards, a run of pictures is drawn at once and kept, as many as a budget allows: one after the other
/// each would cost the frames that it builds on.
final class SourcePictures {
  let image: GIFImage
  let transform: PictureTransform
  /// The frames where they stand in the output.
  let frames: [FrameInfo]
  /// Whether they stand as in the image.
  let isIdentity: Bool
  /// Nil before the first picture, and after ``release()``.
  private var renderer: FrameRenderer?
  private var kept: [Int: PixelBuffer] = [:]
  /// How many pictures are kept at the most.
  let mostKept: Int
  let checkpoints: CheckpointPolicy
  /// Renders in place of the renderer alone.
  var rendering: GIFEditor.Rendering?
  private var last = -1
  private var decoder = FrameDecoder()
  private var indices: (frame: Int, values: [UInt8])?

  /// As many pictures, and canvases to begin a run from, are kept whatever their size, as far as the limits
  /// allow: with fewer, a film that runs backwards would be drawn again for nearly every frame.
  private static let (fewestKept, fewestCanvases): (Int, Int64) = (8, 4)

  /// - Parameter budget: the bytes for pictures and canvases that are kept; 0 keeps none.
  init(_ image: GIFImage, _ transform: PictureTransform, budget: Int64) {
    self.image = image
    self.transform = transform
    isIdentity = transform.isIdentity(for: image.size)
    frames = isIdentity ? image.frames : image.frames.map { $0.placed(transform.target(of: $0.rect)) }
    let pictureBytes = max(1, max(image.pixelCount, transform.size.area) * 4)
    // Two thirds for pictures, a third for canvases to begin a run from; one of each in any case.
    let canvasBytes = max(1, image.pixelCount * 4)
    let most = image.limits.decodedBytes / 3
    let pictures = min(max(Int64(Self.fewestKept), budget / 3 * 2 / pictureBytes), most / pictureBytes * 2)
    mostKept = budget == 0 ? 1 : Int(clamping: max(1, pictures))
    let canvases = min(max(budget / 3, Self.fewestCanvases * canvasBytes), most)
    checkpoints = CheckpointPolicy(
      interval: max(16, mostKept), byteLimit: budget == 0 ? 0 : max(canvasBytes, canvases))
  }

  /// Gives the memory back that pictures take.
  func release() {
    guard renderer != nil else { return }
    renderer = nil
    indices = nil
    last = -1
    kept = [:]
  }

  /// Prepares for frames behind another one, or for all: without this, a step back counts as the beginning of
  /// a run backwards.
  func rewind(behind frame: Int = -1) {
    last = frame
    kept = [:]
  }

  /// The picture of a frame.
  ///
  /// - Returns: nil where the frame is damaged or builds on a damaged one.
  func picture(of frame: Int) throws(GIFEditError) -> PixelBuffer? {
    if let picture = kept[frame] { return picture }
    if !kept.isEmpty { kept = [:] }
    defer { last = frame }
    if frame < last, mostKept > 1 {
      for earlier in max(0, frame - mostKept + 1)..<frame { kept[earlier] = try render(earlier) }
    }
    let picture = try render(frame)
    // The next frame's decision looks at it again.
    kept[frame] = picture
    return picture
  }

  /// Whether a frame comes behind the last one, as it stands in the image: then its canvas can be looked at
  /// where it is drawn.
  func isNext(_ frame: Int) -> Bool { isIdentity && frame > last }

  /// Whether a frame shows what one of another image does, without a copy of either.
  ///
  /// - Precondition: both come behind the last ones: see ``isNext(_:)``.
  /// - Returns: nil where the other one is damaged, or builds on a damaged one.
  func shows(_ frame: Int, as other: Int, of source: SourcePictures) throws(GIFEditError) -> Bool? {
    guard try source.draw(other) else { return nil }
    guard try draw(frame), let own = renderer.take() else { return false }
    guard let theirs = source.renderer.take() else { return nil }
    let isEqual = Self.showSame(own, theirs)
    renderer = consume own
    source.renderer = consume theirs
    return isEqual
  }

  private static func showSame(_ one: borrowing FrameRenderer, _ other: borrowing FrameRenderer) -> Bool {
    one.canvasPixels.isEqual(to: other.canvasPixels)
  }

  /// Draws a frame on the renderer's canvas; false where it is damaged.
  private func draw(_ frame: Int) throws(GIFEditError) -> Bool {
    let status = try statuses(of: frame..<frame + 1).first
    return status == .complete || status == .truncated
  }

  /// Whether a frame shows its picture, as far as its data reach; draws it if it was not drawn yet.
  func isUsable(_ frame: Int) throws(GIFEditError) -> Bool {
    guard let status = renderer?.status(of: frame) else { return try draw(frame) }
    return status == .complete || status == .truncated
  }

  /// Whether frames are undamaged; draws those that were not drawn yet.
  func isSound(_ frames: Range<Int>) throws(GIFEditError) -> Bool {
    var frames = frames
    while let first = frames.first, let status = renderer?.status(of: first) {
      guard status == .complete else { return false }
      frames.removeFirst()
    }
    if frames.isEmpty { return true }
    let statuses = try statuses(of: frames)
    return statuses.count == frames.count && statuses.allSatisfy { $0 == .complete }
  }

  /// Draws frames on the renderer's canvas, one after the other, and returns the status of each.
  private func statuses(of frames: Range<Int>) throws(GIFEditError) -> [FrameStatus] {
    if !kept.isEmpty { kept = [:] }
    last = frames.upperBound - 1
    do throws(GIFError) {
      if renderer == nil { renderer = try FrameRenderer(image, checkpoints: checkpoints) }
      return try renderer?.render(frames, with: rendering) ?? []
    } catch {
      throw GIFEditError(.unreadable, reason: error)
    }
  }

  private func render(_ index: Int) throws(GIFEditError) -> PixelBuffer? {
    let frame: Frame
    do throws(GIFError) {
      if renderer == nil { renderer = try FrameRenderer(image, checkpoints: checkpoints) }
      guard let status = try renderer?.render(index..<index + 1, with: rendering).first,
        let found = try renderer?.finishedFrame(at: index, status: status)
      else { return nil }
      frame = found
    } catch {
      throw GIFEditError(.unreadable, reason: error)
    }
    guard frame.status == .complete || frame.status == .truncated else { return nil }
    if isIdentity { return frame.pixels }
    return try PixelBuffer(size: transform.size) { () throws(GIFError) in
      try transform.applied(to: frame.pixels.span, width: image.width)
    }
  }

  /// What the canvas shows before it draws a frame: the picture before that, after its disposal.
  ///
  /// - Returns: nil where that builds on a damaged frame.
  func canvas(before frame: Int) throws(GIFEditError) -> PixelBuffer? {
    guard let base = base(of: frame) else { return try .transparent(transform.size) }
    guard let picture = try picture(of: base) else { return nil }
    return frames[base].disposal == .background ? try picture.cleared(frames[base].rect) : picture
  }

  /// The frame whose picture the canvas shows before it draws another one: those that restore leave no trace.
  func base(of frame: Int) -> Int? { frames[..<frame].lastIndex { $0.disposal != .previous } }

  /// Whether a frame that is copied stays as it is compressed.
  func keepsCodes(of index: Int) -> Bool {
    transform.keepsOrder && transform.part.contains(image.frames[index].rect)
  }

  /// A frame's own indices where they stand in the output, row by row from the top.
  ///
  /// - Returns: nil where the frame is damaged.
  func indices(of index: Int) throws(GIFEditError) -> [UInt8]? {
    if let indices, indices.frame == index { return indices.values }
    let (frame, target) = (image.frames[index], frames[index].rect)
    var decoded = DecodedFrame()
    decoder.decode(frame, of: image, into: &decoded)
    let stored = decoded.indices
    guard decoded.outcome.status == .complete, Int64(stored.count) == frame.rect.area else { return nil }
    try requireMemory(Int(clamping: target.area))
    let values = placed(stored, of: frame, at: target)
    indices = (index, values)
    return values
  }

  /// A frame's stored indices in the order in which they stand in the output.
  private func placed(_ stored: Span<UInt8>, of frame: FrameInfo, at target: PixelRect) -> [UInt8] {
    var values = [UInt8](repeating: 0, count: Int(target.area))
    var indices = values.mutableSpan
    if keepsCodes(of: frame.index), !frame.isInterlaced {
      for place in indices.indices { indices[place] = stored[place] }
      return values
    }
    let rows = frame.storedRows
    for row in 0..<target.height {
      for column in 0..<target.width {
        let source = transform.source(ofColumn: target.x + column, row: target.y + row)
        indices[row * target.width + column] =
          stored[rows[source.row - frame.rect.y] * frame.rect.width + source.column - frame.rect.x]
      }
    }
    return values
  }

  /// Whether a frame's own pixels, drawn over `before`, show `target`, which they do where they are.
  ///
  /// - Precondition: the frame can be copied: see ``CopyRule``.
  func draws(
    _ index: Int, over before: Span<UInt32>, differingIn bounds: PixelRect, from target: Span<UInt32>
  ) throws(GIFEditError) -> Bool {
    let (own, width) = (frames[index].rect, transform.size.width)
    guard !bounds.isEmpty else { return true }
    guard own.contains(bounds) else { return false }
    guard let transparent = frames[index].transparentIndex else { return true }
    guard let indices = try indices(of: index) else { return false }
    for row in bounds.y..<bounds.maxY {
      let (start, place) = ((row - own.y) * own.width - own.x, row * width)
      for column in bounds.x..<bounds.maxX
      where indices[start + column] == transparent && before[place + column] != target[place + column] {
        return false
      }
    }
    return true
  }
}

extension FrameRenderer {
  /// Renders frames one after the other, with `rendering` if there is one.
  fileprivate mutating func render(
    _ frames: Range<Int>, with rendering: GIFEditor.Rendering?
  ) throws(GIFError) -> [FrameStatus] {
    if let rendering { return try rendering(&self, Array(frames)) }
    var statuses: [FrameStatus] = []
    for frame in frames { statuses.append(try render(frame)) }
    return statuses
  }
}

extension Span<UInt32> {
  /// Whether both have the same words. Looks at blocks as a whole, which a processor does many at a time.
  func isEqual(to other: Span<UInt32>) -> Bool {
    guard count == other.count else { return false }
    var start = 0
    while start < count {
      let end = min(count, start + 4096)
      let (own, theirs) = (extracting(start..<end), other.extracting(start..<end))
      var difference: UInt32 = 0
      for place in own.indices { difference |= own[place] ^ theirs[place] }
      if difference != 0 { return false }
      start = end
    }
    return true
  }
}

extension PixelBuffer {
  /// Whether both show the same.
  func hasSamePixels(as other: PixelBuffer) -> Bool { span.isEqual(to: other.span) }

  /// The picture with a rectangle transparent.
  func cleared(_ rect: PixelRect) throws(GIFEditError) -> PixelBuffer {
    let part = rect.intersection(PixelRect(x: 0, y: 0, width: width, height: height))
    return try PixelBuffer(size: PixelSize(clampingWidth: width, height: height)) { () throws(GIFError) in
      var memory = try PixelMemory(copying: span)
      for row in part.y..<part.maxY { memory.clear(from: row * width + part.x, count: part.width) }
      return memory
    }
  }

  /// A transparent picture.
  static func transparent(_ size: PixelSize) throws(GIFEditError) -> PixelBuffer {
    try PixelBuffer(size: size) { () throws(GIFError) in
      try PixelMemory(count: size.width * size.height)
    }
  }

  fileprivate init(
    size: PixelSize, _ makeMemory: () throws(GIFError) -> PixelMemory
  ) throws(GIFEditError) {
    do throws(GIFError) {
      self.init(width: size.width, height: size.height, format: .rgba, memory: try makeMemory())
    } catch {
      throw GIFEditError(.unreadable, reason: error)
    }
  }
}

/// Asks for memory before an array takes it, as the program ends where that is refused.
func requireMemory(_ byteCount: Int) throws(GIFEditError) {
  do throws(GIFError) {
    try SystemMemory.require(byteCount)
  } catch {
    throw GIFEditError(.unreadable, reason: error)
  }
}

/// Decodes single frames to palette indices. Frames' code streams do not depend on each other, so any number
/// of decoders may work on one image.
package struct FrameDecoder: Sendable {
  private var stream = CodeStream()
  private var lzw = LZWDecoder()

  package init() {}

  /// Decodes a frame's indices into `target`.
  ///
  /// - Parameter isCancelled: asked every few milliseconds of a large frame; if it says so, the frame cannot
  ///   be drawn.
  package mutating func decode(
    _ frame: FrameInfo, of image: GIFImage, into target: inout DecodedFrame, isCancelled: CancelQuestion = nil
  ) {
    target.outcome = decode(frame, of: image, into: &target.plane, isCancelled: isCancelled)
  }

  /// Decodes a frame's indices into `plane`, behind those that are kept there.
  mutating func decode(
    _ frame: FrameInfo, of image: GIFImage, into plane: inout IndexPlane, isCancelled: CancelQuestion
  ) -> FrameOutcome {
    var outcome = FrameOutcome(isCropped: frame.exceeds(image.animation.canvas))
    do throws(GIFError) {
      (outcome.status, outcome.fault) = try decode(frame, of: image, into: &plane, isCancelled)
    } catch {
      (outcome.status, outcome.fault, outcome.failure) = (.failed, .unreadableFrame, error)
    }
    return outcome
  }

  /// Releases the memory of an unusually large frame; for decoders that are kept.
  package mutating func trim() {
    if stream.bytes.capacity > 1 << 20 { stream = CodeStream() }
  }

  private typealias Outcome = (status: FrameStatus, fault: GIFDiagnostic.Code?)

  private mutating func decode(
    _ frame: FrameInfo, of image: GIFImage, into plane: inout IndexPlane, _ isCancelled: CancelQuestion
  ) throws(GIFError) -> Outcome {
    plane.filled = 0
    let canvas = image.animation.canvas
    guard let codeSize = frame.codeSize else { return (frame.rect.isEmpty ? .complete : .truncated, nil) }
    guard codeSize <= 8 else { return (.failed, nil) }  // row 37, a code size above 8
    guard frame.decodedIndices(on: canvas) <= image.limits.framePixels else { return (.failed, nil) }
    guard image.fitsDecoded(frame) else { return (.failed, .frameTooLarge) }
    try stream.gather(frame, of: image.storage)
    if frame.rect.isEmpty { return try checkEmpty(frame, codeSize: Int(codeSize), isCancelled) }
    if frame.exceeds(canvas) {
      return try crop(frame, to: canvas, codeSize: Int(codeSize), into: &plane, isCancelled)
    }
    // A claim that the data cannot fill gets no memory.
    let area = frame.rect.area
    let wanted = Int(min(area, CodeStream.mostIndices(codeBytes: stream.count, codeSize: codeSize)))
    try plane.makeRoom(for: wanted)
    let (outcome, count) = lzw.decode(
      stream, codeSize: Int(codeSize), wanted: wanted, into: &plane, isCancelled: isCancelled)
    plane.filled = count
    return try Self.judge(outcome, isFull: count == area, isTruncated: frame.isTruncated)
  }

  /// Row 53: a frame larger than the canvas, of which only the visible indices are kept.
  private mutating func crop(
    _ frame: FrameInfo, to canvas: PixelRect, codeSize: Int, into plane: inout IndexPlane,
    _ isCancelled: CancelQuestion
  ) throws(GIFError) -> Outcome {
    var window = CropWindow(frame.rect, on: canvas, isInterlaced: frame.isInterlaced)
    try plane.makeRoom(for: window.visibleCount)
    var decoder = CroppingLZWDecoder()
    let outcome = decoder.decode(
      stream, codeSize: codeSize, window: &window, into: &plane, isCancelled: isCancelled)
    plane.filled = window.taken
    return try Self.judge(outcome, isFull: window.isFull, isTruncated: frame.isTruncated)
  }

  /// Row 22: a frame without area has no index to miss, yet an invalid code fails it: before the first index
  /// where only its width is 0, anywhere where its height is 0 and it is interlaced, and nowhere where it is
  /// not.
  private func checkEmpty(
    _ frame: FrameInfo, codeSize: Int, _ isCancelled: CancelQuestion
  ) throws(GIFError) -> Outcome {
    guard frame.rect.height > 0 || frame.isInterlaced else { return (.complete, nil) }
    var decoder = CroppingLZWDecoder()
    let outcome = decoder.check(
      stream, codeSize: codeSize, wanted: frame.rect.height > 0 ? 1 : .max, isCancelled: isCancelled)
    if outcome == .cancelled { throw GIFError(.cancelled) }
    return outcome == .invalidCode ? (.failed, .invalidLZW) : (.complete, nil)
  }

  /// Rows 25 and 29 - 35: what counts as damage, and what as a file that merely ends.
  private static func judge(
    _ outcome: LZWOutcome, isFull: Bool, isTruncated: Bool
  ) throws(GIFError) -> Outcome {
    if isFull { return (.complete, nil) }
    switch outcome {
    case .invalidCode: return (.failed, .invalidLZW)
    case .endOfInformation: return (.failed, .notEnoughPixels)
    case .cancelled: throw GIFError(.cancelled)
    case .complete, .outOfData: return isTruncated ? (.truncated, nil) : (.failed, .notEnoughPixels)
    }
  }
}

extension GIFImage {
  /// Whether what a frame takes to decode and undo is within the limit, beside the canvas.
  fileprivate func fitsDecoded(_ frame: FrameInfo) -> Bool {
    let restored = frame.disposal == .previous ? frame.rect.intersection(animation.canvas).area * 4 : 0
    let bytes = animation.canvas.area * 4 + indexBytes(of: frame) + restored
    return bytes <= min(limits.decodedBytes, Self.addressableBytes)
  }

  /// The most that any limit allows: with 32 bits memory ends before the limits do.
  static var addressableBytes: Int64 { Int64(Int.max) - 1 << 20 }

  /// Bytes that a frame's decoded indices take at the most, if it is decoded at all.
  package func indexBytes(of frame: FrameInfo) -> Int64 {
    frame.exceeds(animation.canvas) ? frame.rect.intersection(animation.canvas).area : frame.rect.area
  }

  /// Bytes that a frame's decoded indices take at the most, as far as its data can fill its claim.
  package func indexRoom(of frame: FrameInfo) -> Int64 {
    guard let codeSize = frame.codeSize, codeSize <= 8 else { return 0 }
    return min(indexBytes(of: frame), CodeStream.mostIndices(codeBytes: frame.data.count, codeSize: codeSize))
  }
}

extension FrameInfo {
  /// Whether the frame is so much larger than the canvas that its indices, decoded whole, would take memory
  /// for what is never seen. Small frames are decoded whole all the same: that is faster.
  func exceeds(_ canvas: PixelRect) -> Bool { rect.area > max(canvas.area, 1 << 16) }

  /// How many indices have to be gone through at the most: of a frame that exceeds the canvas those in
  /// visible rows, as far as its data can reach.
  func decodedIndices(on canvas: PixelRect) -> Int64 {
    guard exceeds(canvas) else { return rect.area }
    let inVisibleRows = Int64(rect.width) * Int64(rect.intersection(canvas).height)
    return min(inVisibleRows, CodeStream.mostIndices(codeBytes: data.count, codeSize: codeSize ?? 0))
  }
}

// MARK: - Damage

/// The damage of an image that only decoding finds.
public struct FrameCheck: Sendable {
  /// The status of each frame.
  public let statuses: [FrameStatus]
  /// The damage in frame order, without the image's own diagnostics.
  public let diagnostics: [GIFDiagnostic]
}

extension GIFImage {
  /// Decodes the code stream of every frame, without composing, and reports which frames are damaged.
  ///
  /// Costs the LZW decoding of the whole file; memory is that of one frame's indices.
  public func checkFrames() -> FrameCheck {
    checkFrames { false } ?? FrameCheck(statuses: [], diagnostics: [])
  }

  /// The same for a caller that may no longer want it; nil if so.
  package func checkFrames(isCancelled: () -> Bool) -> FrameCheck? {
    var decoder = FrameDecoder()
    var log = FrameLog(frameCount: frameCount, policy: damagePolicy)
    var decoded = DecodedFrame()
    for frame in frames where log.isDrawable(frame) {
      if isCancelled() { return nil }
      decoder.decode(frame, of: self, into: &decoded)
      log.enter(decoded.outcome, for: frame)
    }
    return FrameCheck(statuses: log.statuses.map { $0 ?? .blank }, diagnostics: log.diagnostics)
  }
}

/// What became known of the frames: their statuses and the damage.
struct FrameLog: Sendable {
  /// Nil until the frame has been decoded.
  private(set) var statuses: [FrameStatus?]
  private(set) var diagnostics: [GIFDiagnostic] = []

  private let policy: DamagePolicy

  init(frameCount: Int, policy: DamagePolicy) {
    statuses = Array(repeating: nil, count: frameCount)
    self.policy = policy
  }

  /// Makes room for frames that have arrived.
  mutating func extend(to frameCount: Int) {
    statuses.append(contentsOf: repeatElement(nil, count: max(0, frameCount - statuses.count)))
  }

  /// Whether a frame shows anything at all, as far as is known. One that does not is entered as blank at
  /// once.
  mutating func isDrawable(_ frame: FrameInfo) -> Bool {
    guard policy == .chromium else { return true }
    if statuses[frame.index] == .blank { return false }
    guard let required = frame.requiredFrame, let status = statuses[required], !status.isUsable else {
      return true
    }
    statuses[frame.index] = .blank
    diagnostics.append(GIFDiagnostic(.requiredFrameFailed, frame: frame.index, offset: frame.offset))
    return false
  }

  mutating func enter(_ outcome: FrameOutcome, for frame: FrameInfo) {
    let isNews = statuses[frame.index] == nil
    statuses[frame.index] = outcome.status
    guard isNews, let fault = outcome.fault else { return }
    diagnostics.append(GIFDiagnostic(fault, frame: frame.index, offset: frame.data.lowerBound))
  }
}

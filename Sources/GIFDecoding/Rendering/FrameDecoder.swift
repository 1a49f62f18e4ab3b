/// Decodes single frames to palette indices; the buffers are reused from frame to frame.
struct FrameDecoder: Sendable {
  private var stream = CodeStream()
  private var lzw = LZWDecoder()
  /// The indices of the frame decoded last, in stored order.
  private(set) var plane = IndexPlane()

  /// What came of one frame's own data.
  struct Outcome: Sendable {
    var status: FrameStatus
    /// What was wrong, where the index does not tell already.
    var fault: GIFDiagnostic.Code?
  }

  /// Decodes a frame's indices into ``plane``.
  mutating func decode(_ frame: FrameInfo, of image: GIFImage) -> Outcome {
    plane.makeRoom(for: 0)
    let area = frame.rect.area
    if area == 0 { return Outcome(status: .complete) }  // row 22
    guard area <= image.limits.framePixels else { return Outcome(status: .failed) }
    guard let codeSize = frame.codeSize else { return Outcome(status: .truncated) }
    guard codeSize <= 8 else { return Outcome(status: .failed) }  // row 37
    stream.gather(frame.data, of: image.storage.bytes)
    // A claim that the data cannot fill gets no memory: n codes give at most 1 + 2 + ... + n indices, and no
    // code gives more than 4,096.
    let codes = Int64(stream.count) * 8 / Int64(codeSize + 1)
    let wanted = Int(min(area, codes * min(codes, 4096)))
    plane.makeRoom(for: wanted)
    let (outcome, count) = lzw.decode(stream, codeSize: Int(codeSize), wanted: wanted, into: &plane)
    plane.filled = count
    return judge(outcome, isFull: count == area, isTruncated: frame.isTruncated)
  }

  /// The outcome of a frame that is too large to be decoded; it has no indices.
  mutating func refuse() -> Outcome {
    plane.makeRoom(for: 0)
    return Outcome(status: .failed, fault: .frameTooLarge)
  }

  /// Rows 25 and 29 - 35: what counts as damage, and what as a file that merely ends.
  private func judge(_ outcome: LZWOutcome, isFull: Bool, isTruncated: Bool) -> Outcome {
    if isFull { return Outcome(status: .complete) }
    switch outcome {
    case .invalidCode: return Outcome(status: .failed, fault: .invalidLZW)
    case .endOfInformation: return Outcome(status: .failed, fault: .notEnoughPixels)
    case .complete, .outOfData:
      return isTruncated ? Outcome(status: .truncated) : Outcome(status: .failed, fault: .notEnoughPixels)
    }
  }
}

// MARK: - Looking for damage

/// What decoding every frame of an image brings to light.
public struct FrameCheck: Sendable {
  /// The status of each frame.
  public let statuses: [FrameStatus]
  /// The damage found, in frame order. What the index already tells is not repeated.
  public let diagnostics: [GIFDiagnostic]
}

extension GIFImage {
  /// Decodes the code stream of every frame, without composing pictures, and says which are damaged.
  ///
  /// Costs the LZW decoding of the whole file; memory is that of one frame's indices.
  public func checkFrames() -> FrameCheck {
    var decoder = FrameDecoder()
    var log = FrameLog(frameCount: frameCount, policy: damagePolicy)
    for frame in frames where log.isDrawable(frame) { log.enter(decoder.decode(frame, of: self), for: frame) }
    return FrameCheck(statuses: log.statuses.map { $0 ?? .blank }, diagnostics: log.diagnostics)
  }
}

/// What became known of the frames: pure bookkeeping of statuses and damage.
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

  /// Whether a frame shows anything at all, as far as is known. One that does not is entered as blank at once.
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

  mutating func enter(_ outcome: FrameDecoder.Outcome, for frame: FrameInfo) {
    let isNews = statuses[frame.index] == nil
    statuses[frame.index] = outcome.status
    guard isNews, let fault = outcome.fault else { return }
    diagnostics.append(GIFDiagnostic(fault, frame: frame.index, offset: frame.data.lowerBound))
  }
}

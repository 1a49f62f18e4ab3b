/// Builds the index from a file's records: a state machine.
///
/// It holds Chromium's rules for a record's meaning after those before it: which graphics control counts,
/// which loop extension, where the animation ends early. The numbers in comments are rows of the table in
/// `BrokenGIFs.md`, the documentation page on damaged files.
struct IndexBuilder {
  private let screen: LogicalScreen
  private let limits: DecodingLimits
  private var canvas: PixelRect
  private var control: GraphicsControl?
  /// The last frame whose drawing outlives it.
  private var lastingFrame: FrameInfo?
  private var frames: [FrameInfo] = []
  /// The sum of the frames' rectangles.
  private var totalPixels: Int64 = 0
  private var loopCount = LoopCount.plays(1)
  private var comments: [[UInt8]] = []
  private var commentBytes = 0
  private var applicationExtensions: [ApplicationExtension] = []
  private static let mostApplicationExtensions = 256
  private var leavesOutComments = false
  /// The number of diagnostics on extensions, of which a file may have any number.
  private var extensionNotes = 0
  private static let mostExtensionNotes = 4096
  /// At least what one frame can note, as memory is asked for before.
  private static let mostNotesOfFrame = 8
  private var diagnostics: [GIFDiagnostic] = []
  private var isComplete = false
  private var trailer: Int?
  /// Whether no further record changes anything.
  private(set) var isFinished = false

  /// The number of frames so far.
  var frameCount: Int { frames.count }

  /// Throws where the logical screen alone is too large.
  init(screen: LogicalScreen, limits: DecodingLimits) throws(GIFError) {
    self.screen = screen
    self.limits = limits
    canvas = PixelRect(x: 0, y: 0, width: screen.width, height: screen.height)
    try checkCanvas()
  }

  /// The number of bytes of an extension that are held when it is consumed; its blocks are listed whole.
  ///
  /// Enough for two blocks of 255 bytes, and for the text that is kept of a comment in blocks of one byte.
  static func extensionReach(_ limits: DecodingLimits) -> Int {
    let (comments, overflows) = limits.commentBytes.multipliedReportingOverflow(by: 2)
    return overflows ? .max : 1024 + min(max(0, comments), .max - 1024)
  }

  /// Takes the next record. Throws where the whole file is refused.
  mutating func consume(_ record: Record, bytes: ByteWindow) throws(GIFError) {
    switch record {
    case .image(let image):
      try addFrame(image)
    case .extension(let block):
      try addExtension(block, bytes: bytes)
    case .trailer(let offset):
      trailer = offset
      end(complete: true)
    case .foreign(let offset):  // row 28, a byte that begins no block
      note(.unknownBlock, at: offset)
      end(complete: true)
    case .endOfData(let offset):  // row 27, an end without a trailer
      note(offset == bytes.count ? .missingTrailer : .truncatedBlock, at: offset)
      end(complete: false)
    }
  }

  /// The index of a whole file of this many bytes; throws where there is no canvas to show anything on.
  consuming func finish(byteCount: Int) throws(GIFError) -> AnimationIndex {
    guard !canvas.isEmpty else { throw GIFError(.zeroCanvas) }  // row 21, no canvas
    try checkCanvas()
    if frames.isEmpty { note(.noFrames, at: 13) }  // row 24, no frame
    if let trailer, trailer + 1 < byteCount { note(.trailingBytes, at: trailer + 1) }
    return index
  }

  /// The index of what has arrived of a file that still loads: all whole frames and, as browsers show it, the
  /// first frame's beginning. Nil while there is no canvas.
  func soFar(partialImage: ImageRecord?) throws(GIFError) -> AnimationIndex? {
    var copy = self
    if frames.isEmpty, !isFinished, let partialImage {
      try copy.addFrame(partialImage)
      copy.diagnostics = diagnostics
    }
    guard !copy.canvas.isEmpty else { return nil }
    try copy.checkCanvas()
    copy.isComplete = isFinished && isComplete
    return copy.index
  }

  private var index: AnimationIndex {
    AnimationIndex(
      animation: Animation(
        width: canvas.width, height: canvas.height, frames: frames, loopCount: loopCount,
        isComplete: isComplete),
      globalPalette: screen.palette, comments: comments, applicationExtensions: applicationExtensions,
      diagnostics: diagnostics)
  }

  private func checkCanvas() throws(GIFError) {
    guard canvas.area <= limits.claimedPixels else {
      throw GIFError(.canvasTooLarge, value: canvas.area, limit: limits.claimedPixels)
    }
  }

  private mutating func end(complete: Bool) {
    isComplete = complete
    isFinished = true
  }

  private mutating func note(_ code: GIFDiagnostic.Code, frame: Int? = nil, at offset: Int) {
    diagnostics.append(GIFDiagnostic(code, frame: frame, offset: offset))
  }

  /// The first few thousand are enough to know what is wrong, and take no memory beyond the file's size.
  private mutating func noteExtension(_ code: GIFDiagnostic.Code, frame: Int? = nil, at offset: Int) {
    guard extensionNotes < Self.mostExtensionNotes else { return }
    extensionNotes += 1
    note(code, frame: frame, at: offset)
  }
}

// MARK: - Images

extension IndexBuilder {
  private mutating func addFrame(_ image: ImageRecord) throws(GIFError) {
    let index = frames.count
    guard index < limits.frameCount else {
      note(.frameLimit, at: image.offset)
      return end(complete: false)
    }
    let (total, overflows) = totalPixels.addingReportingOverflow(image.rect.area)
    guard index == 0 || (!overflows && total <= limits.totalPixels) else {
      note(.workLimit, at: image.offset)
      return end(complete: false)
    }
    totalPixels = total
    try requireRoom()
    if index == 0 { try growCanvas(to: image) }
    let control = self.control ?? GraphicsControl()
    self.control = nil  // row 2: nothing outlives its image
    let dependency = FrameDependency(
      rect: image.rect.intersection(canvas), isOpaque: control.transparentIndex == nil)
    let frame = FrameInfo(
      index: index, rect: image.rect, delayCentiseconds: control.delay, storedDisposal: control.disposal,
      transparentIndex: control.transparentIndex, isInterlaced: image.isInterlaced,
      requiredFrame: dependency.requiredFrame(onto: lastingFrame, earlier: frames, canvas: canvas),
      localPalette: image.palette, codeSize: image.codeSize, offset: image.offset, data: image.data,
      isTruncated: image.isTruncated)
    describe(frame, hasPalette: image.palette != nil || screen.palette != nil)
    frames.append(frame)
    if frame.disposal != .previous { lastingFrame = frame }
    if image.isTruncated {
      end(complete: false)
    } else if let size = image.codeSize, size > 8 {  // row 37, a code size above 8
      end(complete: true)
    }
  }

  /// Asks for memory before an array grows, which cannot be refused then; for the first frame in any case, so
  /// that a file is refused before many small things of it are not.
  private func requireRoom() throws(GIFError) {
    if frames.count == frames.capacity {
      try SystemMemory.require(2 * frames.capacity * MemoryLayout<FrameInfo>.stride + SystemMemory.leastPages)
    }
    if diagnostics.count + Self.mostNotesOfFrame > diagnostics.capacity {
      try SystemMemory.require(2 * diagnostics.capacity * MemoryLayout<GIFDiagnostic>.stride)
    }
  }

  /// Makes room for frames: an array that grows leaves as much memory behind as it takes.
  mutating func makeRoom(frames count: Int) throws(GIFError) {
    guard count > frames.capacity else { return }
    try SystemMemory.require(count * MemoryLayout<FrameInfo>.stride)
    frames.reserveCapacity(count)
  }

  /// Rows 17 and 18: the canvas holds the logical screen and the first frame, which keeps its offset.
  private mutating func growCanvas(to image: ImageRecord) throws(GIFError) {
    let grown = PixelRect(
      x: 0, y: 0, width: max(screen.width, image.rect.maxX), height: max(screen.height, image.rect.maxY))
    if grown != canvas { note(.canvasGrown, frame: 0, at: image.offset) }
    canvas = grown
    guard !canvas.isEmpty else { return }
    try checkCanvas()
  }

  private mutating func describe(_ frame: FrameInfo, hasPalette: Bool) {
    func note(_ code: GIFDiagnostic.Code, at offset: Int) { self.note(code, frame: frame.index, at: offset) }
    if frame.isTruncated { note(.truncatedFrame, at: frame.data.upperBound) }
    if let size = frame.codeSize, size > 8 { note(.codeSizeOutOfRange, at: frame.data.lowerBound) }
    if frame.rect.isEmpty {
      note(.emptyFrame, at: frame.offset)
    } else {
      if !canvas.contains(frame.rect) { note(.frameOutsideCanvas, at: frame.offset) }
      if frame.decodedIndices(on: canvas) > limits.framePixels { note(.frameTooLarge, at: frame.offset) }
    }
    if !hasPalette { note(.missingPalette, at: frame.offset) }
  }
}

// MARK: - Extensions

/// The fields of a graphics control extension; the defaults are those of a frame without one (row 2).
struct GraphicsControl {
  var disposal: UInt8 = 0
  var delay = 0
  var transparentIndex: UInt8?
}

extension IndexBuilder {
  private mutating func addExtension(_ block: ExtensionRecord, bytes: ByteWindow) throws(GIFError) {
    switch block.label {
    case ExtensionRecord.graphicsControl: try addGraphicsControl(block, bytes: bytes)
    case ExtensionRecord.application:
      addLoopCount(block, bytes: bytes)
      addApplicationExtension(block, bytes: bytes)
    case ExtensionRecord.comment: addComment(block, bytes: bytes)
    default: break  // row 44: plain text is not drawn, takes no time and uses up no graphics control
    }
    guard block.isTruncated, !isFinished else { return }
    note(.truncatedBlock, at: block.offset)
    end(complete: false)
  }

  /// Rows 41 - 43: exactly one sub-block of four bytes, or the animation ends here.
  private mutating func addGraphicsControl(
    _ block: ExtensionRecord, bytes: ByteWindow
  ) throws(GIFError) {
    guard !block.isTruncated else { return }
    var blocks = SubBlocks(block.blocks)
    guard let fields = blocks.next(in: bytes), fields.count == 4, blocks.next(in: bytes) == nil else {
      if frames.isEmpty { throw GIFError(.malformedBeforeFirstFrame, offset: block.offset) }
      note(.malformedGraphicsControl, at: block.offset)
      return end(complete: true)
    }
    if control != nil { noteExtension(.repeatedGraphicsControl, frame: frames.count, at: block.offset) }
    let start = fields.lowerBound
    let flags = bytes[start]
    control = GraphicsControl(
      disposal: flags >> 2 & 7, delay: Int(bytes[start + 1]) | Int(bytes[start + 2]) << 8,
      transparentIndex: flags & 1 == 0 ? nil : bytes[start + 3])
  }

  /// Rows 3 - 7: the identifier in full, then only the first sub-block counts; the last extension in the file
  /// wins.
  private mutating func addLoopCount(_ block: ExtensionRecord, bytes: ByteWindow) {
    guard ExtensionRecord.isLoop(block.label, blocks: block.blocks.lowerBound, in: bytes) else { return }
    var blocks = SubBlocks(block.blocks.lowerBound + 12..<block.blocks.upperBound)
    guard let value = blocks.next(in: bytes), value.count == 3, bytes[value.lowerBound] == 1 else {
      return noteExtension(.malformedLoopExtension, at: block.offset)
    }
    let count = Int(bytes[value.lowerBound + 1]) | Int(bytes[value.lowerBound + 2]) << 8
    loopCount = LoopCount(storedRepetitions: count)
  }

  private mutating func addApplicationExtension(_ block: ExtensionRecord, bytes: ByteWindow) {
    var blocks = SubBlocks(block.blocks)
    guard applicationExtensions.count < Self.mostApplicationExtensions,
      let identifier = blocks.next(in: bytes), identifier.count == 11
    else { return }
    applicationExtensions.append(
      ApplicationExtension(
        identifierBytes: identifier.map { bytes[$0] }, byteCount: block.blocks.upperBound - block.offset,
        offset: block.offset))
  }

  private mutating func addComment(_ block: ExtensionRecord, bytes: ByteWindow) {
    var text: [UInt8] = []
    var blocks = SubBlocks(block.blocks)
    while let part = blocks.next(in: bytes) {
      guard commentBytes + part.count <= limits.commentBytes else {
        if !leavesOutComments { note(.commentLimit, at: part.lowerBound) }
        leavesOutComments = true
        break
      }
      commentBytes += part.count
      for position in part { text.append(bytes[position]) }
    }
    if !text.isEmpty { comments.append(text) }
  }
}

internal import CGallop
internal import Gallop
internal import Glibc

/// An edit of images, as C holds it. Used by one call at a time: see ``Handles/withExclusive(_:_:_:)``.
///
/// A call that was cancelled is made again with the same file: it goes on behind what it has written.
@safe final class EditorObject: HandleObject, @unchecked Sendable {
  static let kind = HandleKind.editor
  /// The thread on which a file is opened ends before the call does that writes it.
  static let hasThreads = false

  /// Where the output goes, decided by the first call.
  private enum Target: Equatable {
    case none
    case memory
    case file(Int32)
  }

  private let editor: GIFEditor
  /// The name of the one image, for messages.
  private let name: String?
  private let limits: DecodingLimits
  private let isCancelled: @Sendable () -> Bool
  private var target = Target.none
  private var hasWritten = false
  private var isChecked = false
  /// Why nothing more comes. An output that was begun is no whole file then.
  private var failure: Failure?
  /// Kept at one address for C, which reads no more than it is told: allocated once, freed with this object.
  private var bytes: UnsafeMutableRawBufferPointer?
  private var written: [UInt8] = []

  init(_ images: [ImageObject], _ edit: GIFEdit, isCancelled: (@Sendable () -> Bool)?) throws(Failure) {
    name = images.count == 1 ? images[0].name : nil
    limits = images.first?.image.limits ?? .default
    let question = isCancelled ?? { false }
    self.isCancelled = question
    editor = try editing(name) { () throws(GIFEditError) in
      try GIFEditor(images.map(\.image), edit, isCancelled: question)
    }
    editor.verifiesCopies = false
  }

  deinit { unsafe bytes?.deallocate() }

  var info: gallop_editor_info {
    gallop_editor_info(
      struct_size: 0, chosen_frames: Int64(editor.chosenFrames),
      frame_count: Int64(editor.summary.frameCount),
      copied_frames: Int64(editor.summary.copiedFrames), byte_count: editor.summary.byteCount)
  }

  /// Writes the output to an empty file, and checks it there.
  func write(to descriptor: Int32) throws(Failure) {
    if target == .none {
      guard let size = FileReading.fileSize(descriptor) else {
        throw .argument("the descriptor is not that of a file, which can be read again for the check")
      }
      guard size == 0 else { throw .argument("the file is not empty") }
    }
    let output = GrowingImage(
      descriptor, frameCount: editor.chosenFrames, limits: GIFEditor.outputLimits(limits))
    defer { output.cancel() }
    let image = { () throws(GIFError) in
      // Calls that were cancelled may have written all.
      output.grow(to: Int(self.editor.summary.byteCount))
      return try output.image()
    }
    try finish(.file(descriptor), image) { piece throws(Failure) in
      let count = Int(self.editor.summary.byteCount)
      try Self.write(piece, to: descriptor, at: count - piece.count)
      output.grow(to: count)
    }
  }

  /// The whole output, which stays where it is as long as this object.
  func output() throws(Failure) -> UnsafeRawBufferPointer {
    let image = { () throws(GIFError) in
      try GIFImage(bytes: self.written, limits: GIFEditor.outputLimits(self.limits))
    }
    try finish(.memory, image) { piece throws(Failure) in
      // An array that grows becomes twice as large.
      let count = self.written.count + piece.count
      if count > self.written.capacity { try checkMemory(bytes: 2 * count) }
      self.written.append(contentsOf: piece)
    }
    if let bytes = unsafe bytes { return UnsafeRawBufferPointer(bytes) }
    try checkMemory(bytes: written.count)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: written.count, alignment: 1)
    unsafe copy.copyBytes(from: written)
    unsafe bytes = copy
    written = []
    return UnsafeRawBufferPointer(copy)
  }

  /// - Parameters:
  ///   - output: opens what was written.
  ///   - append: writes bytes to the end of it.
  private func finish(
    _ target: Target, _ output: () throws(GIFError) -> GIFImage,
    _ append: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    if let failure { throw failure }
    guard self.target == .none || self.target == target else {
      throw .argument("the edit is written elsewhere already")
    }
    self.target = target
    do throws(Failure) {
      try writeFrames(append)
      try check(output)
    } catch {
      // After a cancellation the call may be made again.
      if error.status != .cancelled { failure = error }
      throw error
    }
  }

  private func writeFrames(_ append: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    while !hasWritten {
      if isCancelled() { throw Failure(.cancelled, "the edit was cancelled") }
      let goesOn = try editing(name) { () throws(GIFEditError) in
        try editor.writePiece(isCancelled: isCancelled)
      }
      guard goesOn else {
        hasWritten = true
        return
      }
      try append(editor.piece)
      editor.dropPiece(editor.piece.count)
    }
  }

  private func check(_ output: () throws(GIFError) -> GIFImage) throws(Failure) {
    guard !isChecked else { return }
    let output = try decoding("the output", output)
    try editing(name) { () throws(GIFEditError) in
      try editor.check(output) { _ in isCancelled() }
    }
    isChecked = true
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws(Failure) {
    var count = 0
    while count < bytes.count {
      let length = unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor, bytes.baseAddress.map { unsafe $0 + count }, bytes.count - count, offset + count)
      }
      if length < 0, errno == EINTR { continue }
      guard length > 0 else {
        let number = errno
        let reason = unsafe String(cString: strerror(number))
        throw Failure(
          Status(GIFError.Code.unreadable), "the output cannot be written: \(reason)", value: Int64(number))
      }
      count += length
    }
  }
}

internal import GIFLoading
internal import Gallop
internal import Glibc

enum EditOutput {
  /// A step of an edit under way, with how many frames are done.
  enum Step {
    case writing(Int)
    case checking(Int)
  }

  /// Bytes of which whole multiples are written: pages of a file that come at once cost the system less.
  private static let alignment = 1 << 16

  /// Writes the output into a file, and checks it there.
  ///
  /// - Parameters:
  ///   - isCancelled: asked before each frame.
  ///   - isChecked: whether the output is compared with the input.
  static func write(
    _ editor: GIFEditor, to target: OutputDescriptor, limits: DecodingLimits, isChecked: Bool = true,
    isCancelled: (Step) -> Bool
  ) throws {
    // The check begins with the index of the output, which is made while that is written.
    let output =
      !isChecked
      ? nil
      : GrowingImage(
        target.descriptor, frameCount: editor.chosenFrames, limits: GIFEditor.outputLimits(limits))
    defer { output?.cancel() }
    editor.verifiesCopies = !isChecked
    func isStopped() -> Bool { isCancelled(.writing(editor.summary.frameCount)) }
    var byteCount = 0
    func write(_ count: Int) throws {
      try unsafe editor.piece.withUnsafeBytes { try unsafe target.write(.init(rebasing: $0[..<count])) }
      editor.dropPiece(count)
      byteCount += count
      output?.grow(to: byteCount)
    }
    while try editor.writePiece(isCancelled: isStopped) {
      if isStopped() { throw CommandFailure(reason: "the edit was cancelled") }
      try write(editor.piece.count / Self.alignment * Self.alignment)
    }
    try write(editor.piece.count)
    guard let output else { return }
    let written: GIFImage
    do {
      written = try output.image()
    } catch {
      throw CommandFailure(reason: "what was written cannot be read: \(error)", exitCode: EX_SOFTWARE)
    }
    try editor.check(written) { isCancelled(.checking($0)) }
  }

  /// Has `body` fill a file without a name, and then copies it to what is no file and cannot be read again.
  static func writeDraft(
    of target: OutputDescriptor, _ body: (OutputDescriptor) throws -> Void
  ) throws {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = NameText.system(folder + "/gallop-XXXXXX")
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw CommandFailure.system(folder, "cannot be written", error: errno) }
    unsafe _ = unlink(name)
    defer { close(descriptor) }
    try body(OutputDescriptor(descriptor, name: folder))
    var offset = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe pread(descriptor, &buffer, buffer.count, offset)
      guard count >= 0 else { throw CommandFailure.system(folder, "cannot be read", error: errno) }
      if count == 0 { return }
      try target.write(Array(buffer[..<count]))
      offset += count
    }
  }
}

internal import GIFLoading
internal import Gallop
internal import Glibc

/// The output of an edit.
enum EditOutput {
  /// A step of an edit under way, with how many frames are done.
  enum Step {
    case writing(Int)
    case checking(Int)
  }

  /// Writes the output into a file, and checks it there.
  ///
  /// - Parameters:
  ///   - isCancelled: asked before each frame.
  ///   - isChecked: whether the output is compared with the input.
  static func write(
    _ editor: GIFEditor, to target: OutputDescriptor, limits: DecodingLimits, isChecked: Bool = true,
    isCancelled: (Step) -> Bool
  ) throws {
    func isStopped() -> Bool { isCancelled(.writing(editor.summary.frameCount)) }
    while let bytes = try editor.next(isCancelled: isStopped) {
      if isStopped() {
        throw CommandFailure(reason: "the edit was cancelled")
      }
      try target.write(bytes)
    }
    guard isChecked else { return }
    let written: GIFImage
    do {
      written = try GIFImage(
        source: DescriptorBytes(target.descriptor), limits: GIFEditor.outputLimits(limits))
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

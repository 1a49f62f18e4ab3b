import EngineSupport
import Foundation
import GIFDecoding
import GIFDecodingTestSupport
import GIFLoading
import GIFTestSupport
import Testing

/// What a path may lead to: files, directories, pipes, devices, nothing.
@Suite struct OpeningFilesTests {
  private let files: TemporaryFiles

  init() throws { files = try TemporaryFiles() }

  /// The error that opening a path ends in, or nil.
  private func error(_ path: String, limits: DecodingLimits = .default) -> GIFError? {
    do throws(GIFError) {
      _ = try GIFImage(contentsOfFile: path, limits: limits, opening: FileOpening())
      return nil
    } catch {
      return error
    }
  }

  // A file gives the same as its bytes in memory.
  @Test func regularFile() throws {
    let bytes = RandomGIF.make(seed: 1).bytes
    let read = try GIFImage(contentsOfFile: files.file("a.gif", bytes))
    let copied = try GIFImage(bytes: bytes)
    #expect(read.frames == copied.frames)
    #expect(read.metadata.byteCount == bytes.count)
    #expect(try read.rendering() == copied.rendering())
  }

  // An opened file stays readable though its name is gone.
  @Test func removedFile() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    gif.frame("RG")
    gif.trailer()
    let path = try files.file("a.gif", gif.bytes)
    let image = try GIFImage(contentsOfFile: path)
    try FileManager.default.removeItem(atPath: path)
    #expect(try image.letters() == ["RG"])
  }

  @Test func missingFile() {
    let error = error(files.path("none.gif"))
    #expect(error == GIFError(.unreadable, value: Int64(ENOENT)))
    #expect(error?.description == "cannot be read: No such file or directory")
  }

  @Test func pathThroughAFile() throws {
    let path = try files.file("plain", [1])
    #expect(error(path + "/a.gif") == GIFError(.unreadable, value: Int64(ENOTDIR)))
  }

  @Test func linkToItself() throws {
    let path = try files.link("loop", to: files.path("loop"))
    #expect(error(path) == GIFError(.unreadable, value: Int64(ELOOP)))
  }

  @Test func linkToAFile() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("B")
    let path = try files.link("link", to: files.file("a.gif", gif.bytes))
    #expect(try GIFImage(contentsOfFile: path).letters() == ["B"])
  }

  @Test func directory() {
    #expect(error(files.path) == GIFError(.isDirectory))
    #expect(error(files.path)?.description == "is a directory")
  }

  @Test func emptyPath() {
    #expect(error("") == GIFError(.unreadable, value: Int64(ENOENT)))
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func noPermission() throws {
    let path = try files.file("secret.gif", [1], permissions: 0)
    #expect(error(path) == GIFError(.unreadable, value: Int64(EACCES)))
  }

  @Test func emptyFile() throws {
    #expect(error(try files.file("empty.gif", [])) == GIFError(.emptyFile))
    #expect(error(try files.file("empty.gif", []))?.description == "is empty")
  }

  @Test func text() throws {
    let path = try files.file("a.txt", Array("GIF? No, only words.".utf8))
    #expect(error(path) == GIFError(.notAGIF))
    #expect(error(path)?.description == "is not a GIF: it does not begin with GIF87a or GIF89a")
  }

  // A file of /proc claims no bytes and yet has some: it is read, and found to be no GIF.
  @Test func fileThatClaimsNoBytes() {
    #expect(error("/proc/self/status") == GIFError(.notAGIF))
  }

  // A regular file of which reading fails: the system's reason is told.
  @Test func readingFails() {
    #expect(error("/proc/self/mem") == GIFError(.unreadable, value: Int64(EIO)))
  }

  // A pipe is read whole, in however many pieces it comes.
  @Test func pipe() throws {
    let bytes = RandomGIF.make(seed: 2).bytes
    let pipe = Pipe()
    let half = bytes.count / 2
    try pipe.fileHandleForWriting.write(contentsOf: bytes[..<half])
    try pipe.fileHandleForWriting.write(contentsOf: bytes[half...])
    try pipe.fileHandleForWriting.close()
    let image = try GIFImage(contentsOfFile: "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    #expect(image.metadata.byteCount == bytes.count)
    #expect(try image.rendering() == GIFImage(bytes: bytes).rendering())
  }

  @Test func emptyPipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.close()
    let path = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(error(path) == GIFError(.emptyFile))
  }

  // The limit of what is held in memory holds for a pipe, to the byte, and not for a file.
  @Test func pipeLimit() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R")
    gif.trailer()
    let count = gif.bytes.count
    for (limit, expected) in [
      (count, nil),
      (count - 1, GIFError(.inputTooLarge, value: Int64(count), limit: Int64(count - 1))),
    ] {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: gif.bytes)
      try pipe.fileHandleForWriting.close()
      let path = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
      #expect(error(path, limits: DecodingLimits(streamBytes: limit)) == expected)
    }
    #expect(error(try files.file("a.gif", gif.bytes), limits: DecodingLimits(streamBytes: 1)) == nil)
  }

  // What follows the animation counts by the limit, takes no memory, and is reported as in a file.
  @Test func pipeWithTail() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R")
    gif.trailer()
    let bytes = gif.bytes + [UInt8](repeating: 0, count: 300_000)
    func read(_ limit: Int) throws -> GIFImage {
      let pipe = Pipe()
      let writer = pipe.fileHandleForWriting
      Thread.detachNewThread {
        try? writer.write(contentsOf: bytes)
        try? writer.close()
      }
      let path = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
      return try GIFImage(contentsOfFile: path, limits: DecodingLimits(streamBytes: limit))
    }
    let image = try read(bytes.count)
    let whole = try GIFImage(bytes: bytes)
    #expect(image.metadata.byteCount == bytes.count && image.diagnostics == whole.diagnostics)
    #expect(try image.fileBytes().count <= gif.bytes.count + 1 << 16)
    #expect(try image.rendering() == whole.rendering())
    let error = #expect(throws: GIFLoadingError.self) { try read(bytes.count - 1) }
    #expect(error?.code == .tooLarge)
  }

  @Test("Devices are refused before they are opened")
  func devices() {
    for path in ["/dev/zero", "/dev/null", "/dev/tty", "/dev/full"] where unsafe access(path, F_OK) == 0 {
      #expect(error(path) == GIFError(.notAFile), "\(path)")
    }
    #expect(error("/dev/zero")?.description == "is neither a file nor a pipe")
    let loading = #expect(throws: GIFLoadingError.self) { try GIFImage(contentsOfFile: "/dev/zero") }
    #expect(loading?.code == .unusableFile && loading?.underlying?.code == .notAFile)
  }

  @Test("A socket is refused")
  func socketFile() throws {
    let path = files.path("s")
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    // The name of the folder may be too long for a socket.
    guard name.count < 100 else { return }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if isBound { #expect(error(path) == GIFError(.notAFile)) }
  }

  /// The error that opening a named pipe ends in, or nil.
  private func error(
    _ pipe: String, writerTimeout: Int, isCancelled: @escaping @Sendable () -> Bool = { false }
  )
    -> GIFError?
  {
    do throws(GIFError) {
      let opening = FileOpening(writerTimeout: writerTimeout, isCancelled: isCancelled)
      _ = try GIFImage(contentsOfFile: pipe, limits: .default, opening: opening)
      return nil
    } catch {
      return error
    }
  }

  @Test("A named pipe without a writer is given up, or cancelled")
  func noWriter() throws {
    let pipe = files.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(error(pipe, writerTimeout: 0) == GIFError(.noWriter, limit: 0))
    #expect(
      GIFError(.noWriter, limit: 30_000).description == "is a pipe without a writer after 30000 ms")
    let looks = Lock(0)
    let cancelled = error(pipe, writerTimeout: .max) {
      looks.withLock { looks in
        looks += 1
        return looks == 3
      }
    }
    #expect(cancelled == GIFError(.cancelled))
    #expect(looks.withLock { $0 } == 3)
    #expect(GIFLoadingError(GIFError(.cancelled), source: "pipe").code == .cancelled)
  }

  @Test("A named pipe is read once a writer has come, however late the bytes are")
  func lateWriter() throws {
    let bytes = RandomGIF.make(seed: 3).bytes
    let pipe = files.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let (looks, writer) = (Lock(0), Lock<Int32>(-1))
    // Once only: the number may by then be that of another test's file.
    let leave: @Sendable () -> Void = {
      writer.withLock { writer in
        if writer >= 0 { close(writer) }
        writer = -1
      }
    }
    defer { leave() }
    // The writer comes at the second look, its bytes at the fourth, and it leaves at the sixth.
    let opening = FileOpening(writerTimeout: .max) {
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      switch look {
      case 2: writer.withLock { unsafe $0 = open(pipe, O_WRONLY | O_NONBLOCK) }
      case 4:
        unsafe bytes.withUnsafeBytes { _ = unsafe write(writer.withLock { $0 }, $0.baseAddress, $0.count) }
      case 6: leave()
      default: break
      }
      return false
    }
    let image = try GIFImage(contentsOfFile: pipe, limits: .default, opening: opening)
    #expect(image.metadata.byteCount == bytes.count)
  }

  @Test("A pipe of words is refused after its first bytes, while the writer writes on")
  func pipeOfWords() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Array("GIF? N".utf8))
    let path = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(error(path) == GIFError(.notAGIF))
    try pipe.fileHandleForWriting.close()
  }
}

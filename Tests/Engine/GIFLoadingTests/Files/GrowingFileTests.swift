import Foundation
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding
@testable import GIFLoading

/// Files that are opened while they are written.
@Suite struct GrowingFileTests {
  /// An empty file.
  private final class Target {
    let descriptor: Int32
    private let files: TemporaryFiles
    private var count = 0

    init() throws {
      files = try TemporaryFiles()
      descriptor = unsafe open(try files.file("output.gif", []), O_RDWR)
    }

    deinit { close(descriptor) }

    /// Writes more; returns how many bytes there are.
    func append(_ bytes: ArraySlice<UInt8>) -> Int {
      let written = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, count)
      }
      precondition(written == bytes.count)
      count += written
      return count
    }
  }

  /// Noise, which is long as a GIF.
  private static func gif(frames: Int, side: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: 46)
    var gif = GIFWriter(width: side, height: side, palette: (0..<256).map { RGB(UInt32($0) * 0x010101) })
    for _ in 0..<frames {
      gif.image(
        width: side, height: side,
        indices: (0..<side * side).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    gif.trailer()
    return gif.bytes
  }

  @Test("The file opens to what it is at its end", arguments: [1, 7, 64, 1 << 20])
  func whole(piece: Int) async throws {
    let bytes = RandomGIF.make(seed: 46).bytes
    let target = try Target()
    let file = GrowingFile(target.descriptor)
    let image = Task.detached { () throws(GIFError) in try GIFImage(source: file) }
    for start in stride(from: 0, to: bytes.count, by: piece) {
      file.grow(to: target.append(bytes[start..<min(bytes.count, start + piece)]))
    }
    file.finish()
    let opened = try await image.value
    #expect(opened.metadata.byteCount == bytes.count)
    #expect(try opened.rendering() == GIFImage(bytes: bytes).rendering())
  }

  @Test("A file that ends within a frame is truncated there")
  func truncated() async throws {
    let bytes = Array(Self.gif(frames: 2, side: 40).dropLast(500))
    let target = try Target()
    let file = GrowingFile(target.descriptor)
    let image = Task.detached { () throws(GIFError) in try GIFImage(source: file, windowSize: 64) }
    file.grow(to: target.append(bytes[...]))
    file.finish()
    let opened = try await image.value
    #expect(opened.frames == (try GIFImage(bytes: bytes)).frames)
    #expect(opened.frames.map(\.isTruncated) == [false, true])
  }

  @Test("A thread that waits for bytes fails when the file is given up")
  func cancelled() async throws {
    let target = try Target()
    let file = GrowingFile(target.descriptor)
    let image = Task.detached { () throws(GIFError) in try GIFImage(source: file) }
    file.grow(to: target.append(Self.gif(frames: 1, side: 40).prefix(900)))
    file.cancel()
    file.finish()
    await #expect(throws: GIFError(.cancelled)) { try await image.value }
  }

  // A thread is started beyond 1 MiB; without it the file is opened at its end.
  @Test("An image is that of the whole file", arguments: [1, 12])
  func image(frames: Int) throws {
    let bytes = Self.gif(frames: frames, side: 300)
    let target = try Target()
    let growing = GrowingImage(target.descriptor, frameCount: 3, limits: .default)
    for start in stride(from: 0, to: bytes.count, by: 100_000) {
      growing.grow(to: target.append(bytes[start..<min(bytes.count, start + 100_000)]))
    }
    let image = try growing.image()
    growing.cancel()
    let whole = try GIFImage(bytes: bytes)
    #expect(image.frames == whole.frames && image.metadata.byteCount == bytes.count)
    #expect(try image.rendering() == whole.rendering())
  }

  @Test("An image may be given up at any time", arguments: [0, 1, 12])
  func givenUp(pieces: Int) throws {
    let bytes = Self.gif(frames: 12, side: 300)
    let target = try Target()
    let growing = GrowingImage(target.descriptor, frameCount: 3, limits: .default)
    for piece in 0..<pieces {
      growing.grow(to: target.append(bytes[piece * 100_000..<(piece + 1) * 100_000]))
    }
    growing.cancel()
    growing.cancel()
    #expect(throws: GIFError(pieces == 0 ? .emptyFile : .cancelled)) { try growing.image() }
  }
}

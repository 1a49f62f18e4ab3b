import Foundation
import GIFTestSupport
import Glibc
import Testing

/// A picture that stands for a GIF, and JPEG files.
@Suite("gallop decode --poster and --format jpeg", .serialized, .timeLimit(.minutes(20)))
struct PosterCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Two black frames, then one that is black and red in halves with a transparent corner.
    var film = GIFWriter(width: 32, height: 32, palette: [0x000000, 0xC82814, 0x00FF00])
    for frame in 0..<3 {
      film.graphicsControl(disposal: 2, delay: 10, transparent: frame < 2 ? nil : 2)
      film.image(
        width: 32, height: 32,
        indices: (0..<1024).map { place in
          if frame < 2 { return 0 }
          if place % 32 < 8, place / 32 < 8 { return 2 }
          return place % 32 < 16 ? 0 : 1
        })
    }
    film.trailer()
    try folder.write(film.bytes, to: "film.gif")
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  @Test("The first frame that is not nearly blank is the poster, in every format")
  func poster() async throws {
    let third = try await folder.gallop("decode", "--format", "rgba", "-o", "-", "--frames", "2", "film.gif")
    let raw = try await folder.gallop("decode", "--format", "rgba", "-o", "-", "--poster", "film.gif")
    #expect(raw.status == 0 && raw.output == third.output && raw.output.count == 4096)
    #expect(try await folder.gallop("decode", "--poster", "film.gif", "a.gif").status == 0)
    #expect(try folder.names() == ["a.gif", "a.png", "film.gif", "film.png"])
    #expect(try PNGPicture(folder.read("film.png")).pixels == third.output)
    let numbered = try await folder.gallop("decode", "--poster", "-o", "{name}-{frame}.webp", "film.gif")
    #expect(numbered.status == 64)
    #expect(try await folder.gallop("decode", "--poster", "-o", "film-{frame:1}.png", "film.gif").status == 0)
    #expect(try folder.names().contains("film-2.png"))
  }

  @Test("A poster and chosen frames exclude each other")
  func exclusion() async throws {
    let run = try await folder.gallop("decode", "--poster", "--frames", "1", "film.gif")
    #expect(run.status == 64 && run.errors.contains("--poster and --frames exclude each other"))
  }

  @Test(
    "A JPEG has the frame's colours, and white where it is transparent", .enabled(if: JPEGPicture.isReadable))
  func jpeg() async throws {
    #expect(try await folder.gallop("decode", "--poster", "-o", "p.jpg", "film.gif").status == 0)
    let picture = try JPEGPicture(folder.read("p.jpg"))
    #expect(picture.width == 32 && picture.height == 32)
    #expect(picture.isNear(x: 2, y: 2, [255, 255, 255]))
    #expect(picture.isNear(x: 4, y: 28, [0, 0, 0]))
    #expect(picture.isNear(x: 28, y: 16, [200, 40, 20]))
    #expect(
      try await folder.gallop("decode", "--poster", "--background", "#0000ff", "-o", "b.jpeg", "film.gif")
        .status == 0)
    #expect(try JPEGPicture(folder.read("b.jpeg")).isNear(x: 2, y: 2, [0, 0, 255]))
  }

  @Test(
    "Each frame is a JPEG of its own, scaled, smaller at a lower quality",
    .enabled(if: JPEGPicture.isReadable))
  func frames() async throws {
    let run = try await folder.gallop(
      "decode", "--format", "jpeg", "--size", "64x48", "-o", "out/", "film.gif")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try folder.names(in: "out") == ["film-0000.jpg", "film-0001.jpg", "film-0002.jpg"])
    #expect(try JPEGPicture(folder.read("out/film-0002.jpg")).width == 64)
    let low = try await folder.gallop("decode", "--lossy", "5", "--frames", "2", "-o", "low.jpg", "film.gif")
    #expect(low.status == 0)
    let high = try await folder.gallop(
      "decode", "--lossy", "100", "--frames", "2", "-o", "high.jpg", "film.gif")
    #expect(high.status == 0)
    #expect(try folder.read("low.jpg").count < folder.read("high.jpg").count)
  }

  @Test("A file that is there is written where its format is named, whatever its name: as thumbnailers ask")
  func temporaryFiles() async throws {
    try folder.write([], to: "thumbnail.tmp")
    let kept = try await folder.gallop(
      "decode", "--poster", "--format", "png", "-o", "thumbnail.tmp", "film.gif")
    #expect(kept.status == 1 && kept.errors.contains("--force"))
    let run = try await folder.gallop(
      "decode", "--poster", "--format", "png", "--force", "-o", "thumbnail.tmp", "film.gif")
    #expect(run.status == 0)
    #expect(try PNGPicture(folder.read("thumbnail.tmp")).width == 32)
  }

  @Test(
    "An empty file is filled where it lies, for a program that holds it open; one with content is replaced")
  func openFiles() async throws {
    try folder.write([], to: "held.png")
    let held = try FileHandle(forReadingFrom: folder.url.appending(path: "held.png"))
    let command = ["decode", "--poster", "--force", "-o", "held.png"]
    #expect(try await folder.gallop(command + ["a.gif"]).status == 0)
    let first = try Array(held.readToEnd() ?? Data())
    #expect(try PNGPicture(first).width == 2)
    #expect(try await folder.gallop(command + ["film.gif"]).status == 0)
    try held.seek(toOffset: 0)
    #expect(try Array(held.readToEnd() ?? Data()) == first)
    #expect(try PNGPicture(folder.read("held.png")).width == 32)
    try folder.write([], to: "empty.png")
    let failed = try await folder.shell(
      "ulimit -f 1; \"$0\" decode --format rgba --size 64x64 --force -o empty.png a.gif")
    #expect(failed.status == 1)
    #expect(try folder.read("empty.png").isEmpty)
  }
}

/// A JPEG file read back by libjpeg-turbo.
private struct JPEGPicture {
  struct Unreadable: Error {}

  var width = 0
  var height = 0
  private var pixels: [UInt8] = []

  private static let library = unsafe Library(pointer: dlopen("libturbojpeg.so.0", RTLD_NOW))
  static var isReadable: Bool { unsafe library.pointer != nil }

  @safe private struct Library: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?

    func find<Function>(_ name: String) throws -> Function {
      guard let symbol = unsafe dlsym(pointer, name) else { throw Unreadable() }
      return unsafe unsafeBitCast(symbol, to: Function.self)
    }
  }

  init(_ file: [UInt8]) throws {
    typealias Handle = UnsafeMutableRawPointer
    let makeDecoder: @convention(c) () -> Handle? = try unsafe Self.library.find("tjInitDecompress")
    let readHeader:
      @convention(c) (
        Handle?, UnsafePointer<UInt8>, CUnsignedLong, UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>,
        UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>
      ) -> CInt = try unsafe Self.library.find("tjDecompressHeader3")
    let decode:
      @convention(c) (
        Handle?, UnsafePointer<UInt8>, CUnsignedLong, UnsafeMutablePointer<UInt8>, CInt, CInt, CInt, CInt,
        CInt
      ) -> CInt = try unsafe Self.library.find("tjDecompress2")
    let destroy: @convention(c) (Handle?) -> CInt = try unsafe Self.library.find("tjDestroy")
    let decoder = unsafe makeDecoder()
    defer { unsafe _ = destroy(decoder) }
    var (columns, rows, subsampling, colors): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
    let size = CUnsignedLong(file.count)
    guard unsafe readHeader(decoder, file, size, &columns, &rows, &subsampling, &colors) == 0 else {
      throw Unreadable()
    }
    (width, height) = (Int(columns), Int(rows))
    pixels = [UInt8](repeating: 0, count: width * height * 4)
    // TJPF_RGBX
    guard unsafe decode(decoder, file, size, &pixels, columns, 0, rows, 2, 0) == 0 else { throw Unreadable() }
  }

  /// Whether a pixel has a colour, but for what the compression changes.
  func isNear(x: Int, y: Int, _ color: [Int]) -> Bool {
    let place = (y * width + x) * 4
    return zip(pixels[place...], color).allSatisfy { abs(Int($0) - $1) <= 12 }
  }
}

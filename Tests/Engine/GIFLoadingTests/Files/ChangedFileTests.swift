import Foundation
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding
@testable import GIFLoading

/// Files that other programs change while they are open.
@Suite struct ChangedFileTests {
  private let files: TemporaryFiles
  private let bytes = ChangedFileTests.gif(["RGBW/RGBW", "GGGG", "BBBB", "WWWW"])

  init() throws { files = try TemporaryFiles() }

  /// Frames that stay, the later ones with palettes of their own.
  private static func gif(_ frames: [String], width: Int = 4, height: Int = 2) -> [UInt8] {
    var gif = GIFWriter(width: width, height: height, palette: Letters.palette)
    for (number, text) in frames.enumerated() {
      let size = Letters.size(text)
      gif.image(
        width: size.width, height: size.height, indices: Letters.indices(text),
        palette: number > 1 ? Letters.palette : nil)
    }
    gif.trailer()
    return gif.bytes
  }

  private func open(_ path: String) throws -> GIFImage {
    try GIFImage(contentsOfFile: path, limits: .default, opening: .onDisk())
  }

  private let sound = ["RGBW/RGBW", "GGGG/RGBW", "BBBB/RGBW", "WWWW/RGBW"]

  /// The code of the error that rendering ends in, and how many frames came before.
  private func failure(_ image: GIFImage) throws -> (frames: Int, error: GIFError?) {
    var renderer = try FrameRenderer(image)
    for index in 0..<image.frameCount {
      do throws(GIFError) {
        let frame = try renderer.frame(at: index)
        #expect(Letters.text(frame.pixels.words, width: image.width) == sound[index])
      } catch {
        return (index, error)
      }
    }
    return (image.frameCount, nil)
  }

  @Test func unchanged() throws {
    let image = try open(files.file("a.gif", bytes))
    #expect(image.storage.file != nil)
    #expect(try image.letters() == sound)
  }

  // Cut off behind each byte: all frames before are shown, then comes an error that names file, frame and
  // place.
  @Test func shrunk() throws {
    let path = try files.file("a.gif", bytes)
    for count in 0..<bytes.count {
      files.overwrite(path, with: bytes)
      let image = try open(path)
      files.overwrite(path, with: Array(bytes.prefix(count)))
      let (frames, error) = try failure(image)
      let whole = image.frames.prefix { $0.data.upperBound <= count }.count
      #expect(frames == whole)
      #expect(error?.code == (whole == 4 ? nil : .fileChanged), "cut to \(count)")
      #expect(error?.frame == (whole == 4 ? nil : whole))
    }
    let error = GIFError(.fileChanged, frame: 3, offset: 90)
    #expect(error.description == "has changed since it was opened (frame #3) (at byte 90)")
  }

  // Every byte of every frame, changed one at a time in a file that keeps its size, and its time perhaps,
  // too.
  @Test func everyByteOfAFrame() throws {
    let path = try files.file("a.gif", bytes)
    let image = try open(path)
    for frame in image.frames {
      let palette = frame.localPalette.map { $0.offset..<$0.offset + $0.byteCount } ?? 0..<0
      for place in Array(palette) + Array(frame.data) {
        files.overwrite(path, with: [bytes[place] ^ 4], at: place, isCut: false)
        let (frames, error) = try failure(image)
        #expect(frames == frame.index)
        #expect(error == GIFError(.fileChanged, frame: frame.index, offset: frame.offset), "byte \(place)")
        files.overwrite(path, with: [bytes[place]], at: place, isCut: false)
      }
    }
    #expect(try image.letters() == sound, "as before, it plays again")
  }

  @Test func overwrittenWithAnother() throws {
    let path = try files.file("a.gif", bytes)
    let image = try open(path)
    files.overwrite(path, with: Self.gif(["WWWW/WWWW", "RRRR", "GGGG", "RRRR", "RGRG"]))
    let (frames, error) = try failure(image)
    #expect(frames == 0)
    #expect(error?.code == .fileChanged)
    #expect(image.checkFrames().statuses.allSatisfy { $0 != .complete })
    #expect(image.checkFrames().diagnostics.first?.code == .unreadableFrame)
    // Opened again it is the new one.
    #expect(try open(path).frameCount == 5)
  }

  // The palette alone: the codes are the same.
  @Test func otherColors() throws {
    let path = try files.file("a.gif", bytes)
    let image = try open(path)
    let palette = try #require(image.frames[2].localPalette)
    files.overwrite(path, with: [1, 2, 3], at: palette.offset, isCut: false)
    let (frames, error) = try failure(image)
    #expect(frames == 2)
    #expect(error == GIFError(.fileChanged, frame: 2, offset: image.frames[2].offset))
  }

  @Test func appended() throws {
    let path = try files.file("a.gif", bytes)
    let image = try open(path)
    files.overwrite(path, with: bytes, at: bytes.count, isCut: false)
    #expect(try image.letters() == sound)
  }

  @Test func touched() throws {
    let path = try files.file("a.gif", bytes)
    let image = try open(path)
    files.overwrite(path, with: bytes)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
    #expect(try image.letters() == sound)
  }

  @Test func deletedAndReplaced() throws {
    let path = try files.file("a.gif", bytes)
    let image = try open(path)
    try FileManager.default.removeItem(atPath: path)
    #expect(try image.letters() == sound)
    let second = try open(files.file("a.gif", Self.gif(["RRRR/RRRR"])))
    let third = try files.file("b.gif", Self.gif(["GGGG/GGGG"]))
    #expect(unsafe rename(third, path) == 0)
    #expect(try image.letters() == sound)
    #expect(try second.letters() == ["RRRR/RRRR"])
    #expect(try open(path).letters() == ["GGGG/GGGG"])
  }

  // A renderer that has met the error goes on where the file comes back.
  @Test func rendererGoesOn() throws {
    let path = try files.file("a.gif", bytes)
    let image = try open(path)
    var renderer = try FrameRenderer(image)
    #expect(try renderer.render(1) == .complete)
    files.overwrite(path, with: [])
    for _ in 0..<3 {
      do {
        try renderer.render(3)
        Issue.record("the file is empty")
      } catch {
        #expect(error == GIFError(.fileChanged, frame: 3, offset: image.frames[3].offset))
      }
    }
    files.overwrite(path, with: bytes)
    let frame = try renderer.frame(at: 3)
    #expect(Letters.text(frame.pixels.words, width: 4) == sound[3])
  }

  // What stands in memory does not change.
  @Test func smallFile() throws {
    let path = try files.file("a.gif", bytes)
    let image = try GIFImage(contentsOfFile: path)
    #expect(image.storage.heldMemory?.bytes == bytes.count)
    files.overwrite(path, with: [])
    #expect(try image.letters() == sound)
  }
}

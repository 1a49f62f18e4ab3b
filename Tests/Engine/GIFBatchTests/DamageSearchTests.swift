import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFBatch

/// Frames that are decoded by several threads without being drawn.
@Suite("A search for damage")
struct DamageSearchTests {
  /// A film of small frames; the data of one break off.
  private static func image(_ count: Int, broken: Int? = nil) throws -> GIFImage {
    var writer = GIFWriter(width: 4, height: 4, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    for frame in 0..<count {
      var coding = GIFWriter.ImageCoding()
      if frame == broken { coding.pixelLimit = 2 }
      writer.graphicsControl(disposal: 1, delay: 5)
      writer.image(
        width: 4, height: 4, indices: (0..<16).map { UInt8(($0 + frame) % 4) }, coding: coding)
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  private static func search(_ image: GIFImage, _ frames: Range<Int>, jobs: Int) -> DamageSearch {
    DamageSearch(image, frames: frames, jobs: jobs, leastSharedTime: 0)
  }

  @Test("Damage is found among these frames and no others", arguments: [1, 2, 5])
  func finds(jobs: Int) throws {
    #expect(Self.search(try Self.image(200), 0..<200, jobs: jobs).isSound { false } == true)
    for broken in [0, 1, 100, 198, 199] {
      let image = try Self.image(200, broken: broken)
      #expect(Self.search(image, 0..<200, jobs: jobs).isSound { false } == false)
      #expect(Self.search(image, broken..<broken + 1, jobs: jobs).isSound { false } == false)
      #expect(Self.search(image, 0..<broken, jobs: jobs).isSound { false } == true)
      #expect(Self.search(image, broken + 1..<200, jobs: jobs).isSound { false } == true)
    }
  }

  @Test("The answer is the same each time")
  func twice() throws {
    for broken in [nil, 7] {
      let search = Self.search(try Self.image(40, broken: broken), 0..<40, jobs: 3)
      for _ in 0..<3 { #expect(search.isSound { false } == (broken == nil)) }
    }
  }

  @Test("A search that was stopped has no answer", arguments: [1, 3])
  func stopped(jobs: Int) throws {
    let image = try Self.image(200)
    let cancelled = Self.search(image, 0..<200, jobs: 1)
    var asked = 0
    let answer = cancelled.isSound {
      asked += 1
      return asked == 10
    }
    #expect(answer == nil && asked == 10)
    #expect(cancelled.isSound { false } == nil)
    let stopped = Self.search(image, 0..<200, jobs: jobs)
    stopped.stop()
    #expect(stopped.isSound { false } == nil)
  }
}

import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding
@testable import GIFLoading

/// A loading GIF as a sequence of images.
@Suite struct ImageSequenceTests {
  /// Why a source of the tests breaks off.
  struct SourceFault: Error, Equatable {}

  /// Pieces, one after another, and then an end or a fault.
  struct Pieces: AsyncSequence, Sendable {
    var pieces: [[UInt8]]
    var fails = false

    struct AsyncIterator: AsyncIteratorProtocol {
      var rest: ArraySlice<[UInt8]>
      let fails: Bool

      mutating func next() async throws -> [UInt8]? {
        if let piece = rest.popFirst() { return piece }
        if fails { throw SourceFault() }
        return nil
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...], fails: fails) }
  }

  /// Each image shows more than the one before, and the last one is the finished image.
  @Test(arguments: OddFile.files(60, from: 7000))
  func endsAsTheWholeFile(_ file: OddFile) async {
    let expected = ReadingOutcome(whole: file.bytes)
    var images: [GIFImage] = []
    do {
      for try await image in GIFImageSequence(Pieces(pieces: Split.even(file.bytes, size: 9))) {
        images.append(image)
      }
    } catch {
      #expect(error as? GIFError == expected.error)
      return
    }
    #expect(expected.error == nil)
    #expect(images.last.map(ReadingOutcome.Facts.init) == expected.facts)
    for (earlier, later) in zip(images.dropLast(), images.dropFirst().dropLast()) {
      let grewFirst = later.frames[0].data.count > earlier.frames[0].data.count
      let isNews = later.frameCount > earlier.frameCount || grewFirst || !later.frames[0].isTruncated
      #expect(isNews)
      #expect(later.frameCount >= earlier.frameCount)
    }
    #expect(images.dropLast().allSatisfy { $0.frameCount > 0 })
  }

  /// One image a frame where each comes in a piece of its own, and the finished one.
  @Test func oneImageAFrame() async throws {
    var writer = GIFWriter(width: 2, height: 2, palette: [0, 0xFFFFFF])
    var places = [0..<writer.bytes.count]
    for _ in 0..<3 { places.append(writer.image(width: 2, height: 2, indices: [0, 1, 1, 0])) }
    places.append(writer.comment("behind the frames"))
    places.append(writer.trailer())
    let pieces = places.map { Array(writer.bytes[$0]) }
    var counts: [Int] = []
    for try await image in GIFImageSequence(Pieces(pieces: pieces)) { counts.append(image.frameCount) }
    #expect(counts == [1, 2, 3, 3])
  }

  /// A source that fails ends the sequence with its error; what came before stays, and nothing comes after.
  @Test func sourceThatFails() async throws {
    let gif = RandomGIF.make(seed: 2)
    let expected = try ReadingOutcome.Show(GIFImage(bytes: gif.bytes))
    let part = Array(gif.bytes.prefix(gif.bytes.count * 2 / 3))
    var iterator = GIFImageSequence(Pieces(pieces: Split.even(part, size: 300), fails: true))
      .makeAsyncIterator()
    var last: GIFImage?
    await #expect(throws: SourceFault.self) {
      while let image = try await iterator.next() { last = image }
    }
    let image = try #require(last)
    #expect(!image.metadata.isComplete)
    #expect(try ReadingOutcome.Show(image).pictures == Array(expected.pictures.prefix(image.frameCount)))
    #expect(try await iterator.next() == nil)
  }

  /// Likewise for a fault of the file, also where more bytes would follow.
  @Test func fileThatIsRefused() async throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    let fault = writer.graphicsControl(form: .blockSize(3))
    let image = writer.image(width: 1, height: 1, indices: [0])
    let pieces = [writer.bytes(upTo: fault.upperBound), Array(writer.bytes[image])]
    var iterator = GIFImageSequence(Pieces(pieces: pieces)).makeAsyncIterator()
    await #expect(throws: GIFError(.malformedBeforeFirstFrame, offset: fault.lowerBound)) {
      _ = try await iterator.next()
    }
    #expect(try await iterator.next() == nil)
  }

  /// The limits are those given; the end is reached once.
  @Test func limitsAndEnd() async throws {
    let bytes = RandomGIF.make(seed: 3).bytes
    let limited = GIFImageSequence(Pieces(pieces: [bytes]), limits: DecodingLimits(streamBytes: 10))
    await #expect(throws: GIFError(.inputTooLarge, value: Int64(bytes.count), limit: 10)) {
      for try await _ in limited {}
    }
    var iterator = GIFImageSequence(Pieces(pieces: [])).makeAsyncIterator()
    await #expect(throws: GIFError(.emptyFile)) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
    var whole = GIFImageSequence(Pieces(pieces: [bytes])).makeAsyncIterator()
    _ = try await whole.next()
    #expect(try await whole.next()?.metadata.isComplete == true)
    #expect(try await whole.next() == nil)
    #expect(try await whole.next() == nil)
  }

  /// Each iteration of a sequence reads anew.
  @Test func twoIterations() async throws {
    let sequence = GIFImageSequence(Pieces(pieces: Split.even(RandomGIF.make(seed: 6).bytes, size: 200)))
    var counts: [[Int]] = [[], []]
    for round in 0..<2 { for try await image in sequence { counts[round].append(image.frameCount) } }
    #expect(counts[0] == counts[1])
    #expect(!counts[0].isEmpty)
  }

  /// A cancelled task gets out of a source that never ends: with what had come, which is not complete.
  @Test func cancellation() async throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    writer.image(width: 1, height: 1, indices: [1])
    let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
    let (seen, sink) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      var images: [GIFImage] = []
      for try await image in GIFImageSequence(stream) {
        images.append(image)
        sink.yield(image.frameCount)
      }
      return images
    }
    source.yield(writer.bytes)
    var reports = seen.makeAsyncIterator()
    #expect(await reports.next() == 1)
    task.cancel()
    let images = try await task.value
    #expect(images.allSatisfy { $0.frameCount == 1 && !$0.metadata.isComplete })
    withExtendedLifetime(source) {}
  }
}

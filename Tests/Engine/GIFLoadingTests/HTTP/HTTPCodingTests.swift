import GIFDecoding
import GIFLoading
import GIFTestSupport
import HTTPTestSupport
import Testing

/// Servers that send a content coding without being asked.
@Suite struct HTTPCodingTests {
  private let file = Sample.animation
  private let loader = GIFLoader.patient

  struct Coding: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let encode: @Sendable ([UInt8]) -> [UInt8]

    static let all = [
      Coding(testDescription: "gzip", name: "gzip") { Compressed.gzip($0) },
      Coding(testDescription: "gzip in capitals", name: "GZip") { Compressed.gzip($0) },
      Coding(testDescription: "x-gzip", name: "x-gzip") { Compressed.gzip($0) },
      Coding(testDescription: "deflate", name: "deflate") { Compressed.zlib($0) },
      Coding(testDescription: "deflate without its frame", name: "deflate") { Compressed.deflate($0) },
      Coding(testDescription: "gzip twice", name: "gzip, gzip") { Compressed.gzip(Compressed.gzip($0)) },
      Coding(testDescription: "identity", name: "identity") { $0 },
    ]
  }

  @Test("A file behind a coding is decoded, and none is asked for", arguments: Coding.all)
  func decoded(_ coding: Coding) async throws {
    let server = try LoopbackServer()
    async let image = loader.load(server.url())
    let requests = try await server.serve { _ in
      Answer.whole(coding.encode(file.bytes), ["Content-Encoding: \(coding.name)"])
    }
    #expect(try await Shown(image) == Shown(file: file.bytes))
    #expect(requests.first?.headers["accept-encoding"] == nil)
  }

  @Test("Frames behind a coding show as they come; the length of the file is not known")
  func inPieces() async throws {
    let server = try LoopbackServer()
    var iterator = try loader.states(of: GIFSource(server.url())).makeAsyncIterator()
    let connection = try await server.accept()
    let length = Compressed.gzip(file.bytes).count + 10
    try connection.send(Answer.head(length: length, ["Content-Encoding: gzip"]) + Compressed.gzipHead)
    var start = 0
    for (index, end) in file.frameEnds.enumerated() {
      try connection.send(Compressed.stored(Array(file.bytes[start..<end])))
      start = end
      var state = try #require(try await iterator.next())
      while state.byteCount < end { state = try #require(try await iterator.next()) }
      #expect(state.image?.frameCount == index + 1 && state.expectedByteCount == nil)
    }
    try connection.send(Compressed.stored(Array(file.bytes[start...]), isLast: true))
    try connection.send(Compressed.gzipTail(file.bytes))
    var last: LoadingState?
    while let state = try await iterator.next() { last = state }
    #expect(last?.isComplete == true && last?.byteCount == Int64(file.bytes.count))
  }

  @Test("The limit counts decoded bytes: a transfer that swells ends there")
  func bomb() async throws {
    let server = try LoopbackServer()
    var options = GIFLoader.Options.patient
    options.byteLimit = 1_000_000
    let loader = GIFLoader(options: options)
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url())
    }
    let connection = try await server.accept()
    // A comment of sub-blocks that hold one byte each, without end.
    let bomb = Compressed.bomb(after: file.upTo(frames: 1) + [0x21, 0xFE], repetitions: 40_000)
    #expect(bomb.count < 100_000)
    try connection.send(Answer.head(["Content-Encoding: gzip"]) + bomb)
    try await connection.otherSideCloses()
    let error = try await failure
    #expect(error.stage == .receiving && error.code == .tooLarge && error.limit == 1_000_000)
    #expect((1_000_001..<1_100_000).contains(error.value ?? 0))
  }

  @Test("A coded body may be longer or shorter than the file, within the limit for that")
  func limitAllowsTheFile() async throws {
    var options = GIFLoader.Options.patient
    options.byteLimit = file.byteCount
    let loader = GIFLoader(options: options)
    let server = try LoopbackServer()
    async let image = loader.load(server.url())
    _ = try await server.serve { _ in
      Answer.whole(Compressed.gzip(file.bytes), ["Content-Encoding: gzip"])
    }
    #expect(try await image.frameCount == 3)
  }

  @Test("Damage in a coded body is an error, and what came before it is shown")
  func damaged() async throws {
    let server = try LoopbackServer()
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url())
    }
    let sound = Compressed.gzipHead + Compressed.stored(file.upTo(frames: 2))
    _ = try await server.serve { _ in
      // The last two bits of a block's first three name its kind; there is none of this kind.
      Answer.whole(sound + [0b110, 0, 0], ["Content-Encoding: gzip"])
    }
    let error = try await failure
    #expect(LoadingFault(error) == LoadingFault(.receiving, .badResponse))
    #expect(error.partialImage?.frameCount == 2)
  }

  @Test("As in browsers, a plain file that is said to be coded is an error")
  func saidToBeCoded() async throws {
    let server = try LoopbackServer()
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url())
    }
    _ = try await server.serve { _ in Answer.whole(file.bytes, ["Content-Encoding: gzip"]) }
    #expect(try await LoadingFault(failure) == LoadingFault(.receiving, .badResponse))
  }

  @Test("A coded body that breaks off gives what came")
  func cutOff() async throws {
    let server = try LoopbackServer()
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url())
    }
    let part = Compressed.gzipHead + Compressed.stored(file.upTo(frames: 2))
    _ = try await server.serve { _ in Answer.head(length: 1_000, ["Content-Encoding: gzip"]) + part }
    let error = try await failure
    #expect(LoadingFault(error) == LoadingFault(.receiving, .cutOff))
    #expect(error.partialImage?.frameCount == 2)
  }

  @Test(
    "A coding that browsers do not know is none: the body is asked for again and taken as it is",
    arguments: ["utf-8", "binary", "gzip, 8bit", "x"])
  func unknown(_ name: String) async throws {
    let server = try LoopbackServer()
    async let image = loader.load(server.url())
    let requests = try await server.serve(2) { _ in
      Answer.whole(file.bytes, ["Content-Encoding: \(name)"])
    }
    #expect(try await Shown(image) == Shown(file: file.bytes))
    #expect(requests.map(\.target) == ["/", "/"])
  }

  @Test("A coding that the caller asks for in an own header is decoded, too")
  func askedFor() async throws {
    let server = try LoopbackServer()
    var options = GIFLoader.Options.patient
    options.headers = ["accept-encoding": "gzip"]
    let loader = GIFLoader(options: options)
    async let image = loader.load(server.url())
    let requests = try await server.serve { _ in
      Answer.whole(Compressed.gzip(file.bytes), ["Content-Encoding: gzip"])
    }
    #expect(try await image.frameCount == 3)
    #expect(requests.first?.headers["accept-encoding"] == "gzip")
  }
}

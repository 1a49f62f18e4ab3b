import Foundation
import GIFDecoding
import GIFLoading
import Testing

/// Files and `data:` URLs by way of the loader, and loaders that take its place.
@Suite struct LocalSourceTests {
  private let file = Sample.animation

  private func withFile(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "gallop loading \(UUID().uuidString).gif")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url.path)
  }

  @Test func files() async throws {
    try await withFile(file.bytes) { path in
      let escaped = path.replacingOccurrences(of: " ", with: "%20")
      for text in ["file://" + escaped, "file:" + escaped, "file://localhost" + escaped] {
        #expect(try await Shown(GIFImage(url: text)) == Shown(file: file.bytes))
      }
      var states: [LoadingState] = []
      for try await state in GIFLoader().states(of: .file(path: path)) { states.append(state) }
      #expect(states.map(\.isComplete) == [true])
      #expect(states.first?.byteCount == Int64(file.bytes.count))
      #expect(states.first?.expectedByteCount == file.byteCount)
    }
  }

  /// The limit is for what arrives: a file's size is not limited.
  @Test func filesHaveNoSizeLimit() async throws {
    var options = GIFLoader.Options()
    options.byteLimit = 10
    let loader = GIFLoader(options: options)
    try await withFile(file.bytes) { path in
      let image = try await loader.load(path)
      #expect(image.frameCount == 3)
    }
  }

  @Test(arguments: [("/no/such/file.gif", GIFError.Code.unreadable), ("/tmp", .isDirectory)])
  func filesThatCannotBeOpened(_ path: String, _ code: GIFError.Code) async throws {
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await GIFLoader().load(path)
    }
    #expect(LoadingFault(error) == LoadingFault(.opening, .unusableFile))
    #expect(error.underlying?.code == code)
    #expect(error.source == path)
    #expect(error.description == "\(path) \(error.underlying?.description ?? "-")")
  }

  @Test func fileThatIsNoGIF() async throws {
    try await withFile(Array("text".utf8)) { path in
      let error = try await loadingError { () async throws(GIFLoadingError) in
        _ = try await GIFLoader().load(path)
      }
      #expect(LoadingFault(error) == LoadingFault(.decoding, .unusableFile))
      #expect(error.underlying?.code == .notAGIF)
    }
  }

  @Test(arguments: ["data:image/gif;base64,", "data:text/html;base64,", "data:;base64,"])
  func dataURLs(_ start: String) async throws {
    let url = start + Data(file.bytes).base64EncodedString()
    #expect(try await Shown(GIFLoader().load(url)) == Shown(file: file.bytes))
    // Cut off, the file is what it is: there is no transfer to fail.
    let part = start + Data(file.upTo(frames: 2)).base64EncodedString()
    let image = try await GIFLoader().load(part)
    #expect(image.frameCount == 2 && !image.metadata.isComplete)
  }

  @Test func escapedDataURL() async throws {
    let escaped = file.bytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try await Shown(GIFLoader().load("data:image/gif," + escaped)) == Shown(file: file.bytes))
  }

  @Test(arguments: [
    ("data:image/gif;base64,R0lGO", LoadingFault(.parsing, .malformedURL)),
    ("data:image/gif;base64,iVBORw0KGgo=", LoadingFault(.decoding, .unusableFile)),
    ("data:,", LoadingFault(.decoding, .unusableFile)), ("data:", LoadingFault(.parsing, .malformedURL)),
    ("data:,GIF89a-and-more", LoadingFault(.parsing, .tooLarge, value: 15, limit: 14)),
    ("http://", LoadingFault(.parsing, .malformedURL)),
    ("ftp://h/", LoadingFault(.parsing, .unsupportedScheme)),
  ])
  func faults(_ url: String, _ expected: LoadingFault) async throws {
    var options = GIFLoader.Options()
    options.byteLimit = 14
    let loader = GIFLoader(options: options)
    let error = try await loadingError { () async throws(GIFLoadingError) in _ = try await loader.load(url) }
    #expect(LoadingFault(error) == expected)
    #expect(!error.description.isEmpty && !error.description.contains("\n"))
  }

  /// A loader of one's own: bytes go into the sink, the rest is there.
  @Test func anotherLoader() async throws {
    struct StoredGIFs: ImageLoader {
      let store: [String: [UInt8]]

      func states(of source: GIFSource) -> LoadingStates {
        LoadingStates(source: source.description) { sink in
          guard let bytes = store[source.description] else {
            return sink.fail(GIFLoadingError(.status, .badStatus, source: sink.source, value: 404))
          }
          sink.put(bytes)
          sink.finish()
        }
      }
    }
    let loader = StoredGIFs(store: ["http://h/a.gif": file.bytes])
    #expect(try await GIFImage(url: "http://user:secret@h/a.gif", loader: loader).frameCount == 3)
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await GIFImage(url: "http://h/b.gif", loader: loader)
    }
    #expect(LoadingFault(error) == LoadingFault(.status, .badStatus, value: 404))
  }

  /// Each code has words of its own, and the limit is among them.
  @Test func descriptions() {
    let codes: [GIFLoadingError.Code] = [
      .malformedURL, .unsupportedScheme, .malformedHeader, .noTransport, .hostNotFound, .unusableFile,
      .connectionFailed, .insecureConnection, .badResponse, .badStatus, .tooManyRedirects, .forbiddenRedirect,
      .timedOut, .cutOff, .tooLarge, .cancelled, .transferFailed,
    ]
    let texts = codes.map {
      GIFLoadingError(.receiving, $0, source: "s", detail: "more", value: 4711, limit: 4812).description
    }
    #expect(Set(texts).count == codes.count)
    #expect(texts.allSatisfy { $0.hasSuffix("more") && !$0.contains("\n") })
    for code in [GIFLoadingError.Code.tooManyRedirects, .timedOut, .cutOff, .tooLarge] {
      #expect(texts[codes.firstIndex(of: code) ?? 0].contains("4812"))
    }
    let stages: [GIFLoadingError.Stage] = [
      .parsing, .opening, .resolving, .connecting, .securing, .requesting, .redirecting, .status, .receiving,
    ]
    #expect(Set(stages.map { GIFLoadingError($0, .timedOut, source: "s").description }).count == stages.count)
  }
}

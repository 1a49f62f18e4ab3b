import GIFCaching
import GIFDecoding
import GIFLoading
import GIFTestSupport
import GIFTimeline
import HTTPTestSupport
import Synchronization
import Testing

@testable import GIFPlayback

@Suite("GIFPlayer: from a URL to frames")
struct LoadingPlayerTests {
  private let stage = Stage()

  /// A GIF in parts, each of which ends with a whole frame; the last one ends with the trailer.
  private struct Parts {
    let whole: [UInt8]
    let ends: [Int]

    init(delays: [Int]) throws {
      whole = Sample.bytes(delays: delays)
      // The graphics control stands eight bytes before the image separator.
      let starts = try GIFImage(bytes: whole).frames.dropFirst().map { $0.offset - 8 }
      ends = starts + [whole.count]
    }

    subscript(frame: Int) -> [UInt8] { Array(whole[(frame == 0 ? 0 : ends[frame - 1])..<ends[frame]]) }
  }

  /// All events of a player in order, to be waited for.
  private final class Events {
    private var iterator: AsyncStream<PlayerEvent>.Iterator

    init(_ player: GIFPlayer) {
      let (stream, continuation) = AsyncStream.makeStream(of: PlayerEvent.self)
      player.onEvent { continuation.yield($0) }
      iterator = stream.makeAsyncIterator()
    }

    /// The events up to the first for which `isLast` is true.
    func next(until isLast: (PlayerEvent) -> Bool) async -> [PlayerEvent] {
      var events: [PlayerEvent] = []
      while let event = await iterator.next() {
        events.append(event)
        if isLast(event) { break }
      }
      return events
    }

    /// The events up to the report of this many bytes.
    func next(bytes: Int) async -> [PlayerEvent] {
      await next { event in
        if case .loading(.loading(let state?)) = event { state.byteCount >= bytes } else { false }
      }
    }
  }

  private static func word(_ event: PlayerEvent) -> String? {
    switch event {
    case .frameChange(let change): "\(change.currentFrameIndex)"
    case .loopCompleted(let loop): "loop! \(loop.count)"
    case .buffering(let change): change.reason != nil ? "waits" : "goes on"
    case .loading(.complete): "loaded"
    case .loading(.failed(let error)): error.code.rawValue
    case .failed(let error): "failure \(error.code.rawValue)"
    case .stateChanged(let state): state.rawValue
    case .finished: "finish"
    case .loading, .flashes: nil
    }
  }

  private func player(
    _ url: String, loader: GIFLoader = GIFLoader(options: .ofTests),
    _ change: (inout GIFPlayer.Options) -> Void = { _ in }
  ) -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.budget = FrameBudget()
    change(&options)
    return GIFPlayer(loading: url, loader: loader, options: options, clock: stage.clock, pool: .inline)
  }

  @Test("One call loads, plays what comes, and loops once all is there")
  func course() async throws {
    let parts = try Parts(delays: [10, 20])
    let server = try LoopbackServer()
    let player = player(server.url("/horse.gif"))
    let events = Events(player)
    player.play()
    let connection = try await server.accept()
    try connection.send(Answer.head(length: parts.whole.count) + parts[0])
    var words = await events.next(bytes: parts.ends[0]).compactMap(Self.word)
    #expect(words == ["playing", "waits"])
    // What is left is to decode the first frame, which is no wait.
    words = await events.next { Self.word($0) == "0" }.compactMap(Self.word)
    #expect(words == ["goes on", "0"])
    guard case .loading(let state?) = player.loading else {
      Issue.record("\(player.loading)")
      return
    }
    #expect(state.expectedByteCount == Int64(parts.whole.count) && state.image?.frameCount == 1)
    #expect(!player.isComplete && player.image.width == 6)
    stage.run(to: .milliseconds(150))
    words = await events.next { Self.word($0) == "waits" }.compactMap(Self.word)
    #expect(words == ["waits"])
    try connection.send(parts[1])
    connection.close()
    let last = await events.next { Self.word($0) == "goes on" }.compactMap(Self.word)
    #expect(last == ["loaded", "1", "goes on"] || last == ["1", "loaded", "goes on"])
    #expect(player.isComplete)
    if case .complete = player.loading {} else { Issue.record("\(player.loading)") }
    stage.run(to: .milliseconds(350))
    words = await events.next { Self.word($0) == "0" }.compactMap(Self.word)
    #expect(words == ["loop! 1", "0"])
  }

  /// 66 frames of 30 ms, one of which comes every 33 ms: with no rule for buffering each of them is a wait.
  @Test("A server a little too slow makes a few waits, not one for each frame", arguments: [true, false])
  func slowServer(hasRule: Bool) async throws {
    let parts = try Parts(delays: Array(repeating: 3, count: 66))
    let server = try LoopbackServer()
    let player = player(server.url()) { if !hasRule { $0.resumeBuffer = .zero } }
    let events = Events(player)
    player.play()
    let connection = try await server.accept()
    try connection.send(Answer.head(length: parts.whole.count))
    var seen: [PlayerEvent] = []
    for frame in 0..<65 {
      try connection.send(parts[frame])
      seen += await events.next(bytes: parts.ends[frame])
      // The frame is shown, or waited for, on the loader's thread; the clock goes on after that.
      while player.image.frameCount <= frame { await Task.yield() }
      stage.run(to: .milliseconds(33 * (frame + 1)))
    }
    try connection.send(parts[65])
    connection.close()
    seen += await events.next { Self.word($0) == "loaded" }
    let waits = seen.count { Self.word($0) == "waits" }
    #expect(hasRule ? (2...4).contains(waits) : waits > 50, "\(waits) waits")
    let shown = seen.compactMap {
      if case .frameChange(let change) = $0 { change.currentFrameIndex } else { nil }
    }
    #expect(shown == Array(0..<shown.count))
  }

  @Test("A cancelled load leaves the frames that came, which then loop; the transfer ends")
  func cancelled() async throws {
    let parts = try Parts(delays: [10, 10, 10])
    let server = try LoopbackServer()
    let player = player(server.url())
    let events = Events(player)
    player.play()
    let connection = try await server.accept()
    try connection.send(Answer.head(length: parts.whole.count) + parts[0] + parts[1])
    _ = await events.next { Self.word($0) == "0" }
    while player.image.frameCount < 2 { await Task.yield() }
    stage.run(to: .milliseconds(500))
    #expect(player.bufferingReason == .source)
    player.cancelLoading()
    player.cancelLoading()
    #expect(player.bufferingReason == nil && player.isComplete && player.state == .playing)
    try await connection.otherSideCloses()
    guard case .failed(let error) = player.loading else {
      Issue.record("\(player.loading)")
      return
    }
    #expect(error.code == .cancelled && error.partialImage?.frameCount == 2)
    _ = await events.next { Self.word($0) == "cancelled" }
    stage.run(to: .milliseconds(650))
    let words = await events.next { Self.word($0) == "1" }.compactMap(Self.word)
    #expect(words == ["loop! 1", "0", "goes on", "1"])
  }

  @Test("A transfer that breaks off leaves its frames playing; one without a frame fails the player")
  func brokenOff() async throws {
    let parts = try Parts(delays: [10, 10, 10])
    for frames in [0, 2] {
      let stage = Stage()
      let server = try LoopbackServer()
      var options = GIFPlayer.Options()
      options.budget = FrameBudget()
      let player = GIFPlayer(
        loading: server.url(), loader: GIFLoader(options: .ofTests), options: options, clock: stage.clock,
        pool: .inline)
      let events = Events(player)
      player.play()
      let connection = try await server.accept()
      let sent = frames == 0 ? Array(parts[0].prefix(20)) : parts[0] + parts[1]
      try connection.send(Answer.head(length: parts.whole.count) + sent)
      _ = await events.next(bytes: sent.count)
      connection.close()
      let words = await events.next { Self.word($0) == (frames == 0 ? "failed" : "cutOff") }
      if frames == 0 {
        #expect(words.compactMap(Self.word) == ["cutOff", "failure notLoaded", "failed"])
        #expect(player.state == .failed && player.error?.code == .notLoaded)
        #expect("\(player.error.map { "\($0)" } ?? "")" == "could not be loaded")
      } else {
        while !player.isComplete { await Task.yield() }
        stage.run(to: .milliseconds(250))
        #expect(player.state == .playing && player.bufferingReason == nil)
        #expect(player.currentFrameIndex != nil && player.image.frameCount == 2)
      }
    }
  }

  @Test("What is no URL, no GIF or not there fails like a load, also for one who listens late")
  func failures() async throws {
    let server = try LoopbackServer()
    async let served = server.serve { _ in Answer.whole(Array("<html>".utf8)) }
    for (text, code, gif) in [
      ("http://", GIFLoadingError.Code.malformedURL, GIFError.Code.notLoaded),
      ("ftp://example.org/a.gif", .unsupportedScheme, .notLoaded),
      ("/no/such/folder/a.gif", .unusableFile, .unreadable),
      (server.url(), .unusableFile, .notAGIF),
    ] {
      let player = player(text)
      let failure = AsyncStream.makeStream(of: GIFLoadingError.self)
      player.onLoading { if case .failed(let error) = $0 { failure.continuation.yield(error) } }
      var iterator = failure.stream.makeAsyncIterator()
      #expect(await iterator.next()?.code == code)
      // The player fails right after; a listener that comes then gets both at once.
      while player.state != .failed { await Task.yield() }
      #expect(player.error?.code == gif)
      let words = Mutex<[String]>([])
      player.onEvent { event in if let word = Self.word(event) { words.withLock { $0.append(word) } } }
      while words.withLock({ $0.count }) < 2 { await Task.yield() }
      #expect(words.withLock { Array($0.prefix(2)) } == [code.rawValue, "failure \(gif.rawValue)"])
      player.play()
      #expect(player.state == .failed)
    }
    _ = try await served
  }

  @Test("A player that is released ends its load; another one of the same URL goes on")
  func released() async throws {
    let parts = try Parts(delays: [10, 10])
    let server = try LoopbackServer()
    let loader = GIFLoader(options: .sharing)
    let url = server.url("/\(UInt64.random(in: 0 ... .max))")
    var one: GIFPlayer? = player(url, loader: loader)
    let connection = try await server.accept()
    var two: GIFPlayer? = player(url, loader: loader)
    let events = Events(try #require(two))
    one?.play()
    two?.play()
    one = nil
    try connection.send(Answer.head(length: parts.whole.count) + parts[0])
    _ = await events.next { Self.word($0) == "0" }
    one = nil
    two = nil
    try await connection.otherSideCloses()
    #expect(one == nil && two == nil)
  }

  @Test("Players of a URL that another one holds begin with the whole image, without a request")
  func heldImage() async throws {
    let parts = try Parts(delays: [10, 10])
    let server = try LoopbackServer()
    let loader = GIFLoader(options: .sharing)
    let url = server.url("/\(UInt64.random(in: 0 ... .max))")
    let first = player(url, loader: loader)
    let events = Events(first)
    _ = try await server.serve { _ in Answer.whole(parts.whole) }
    _ = await events.next { Self.word($0) == "loaded" }
    while !first.isComplete { await Task.yield() }
    let second = player(url, loader: loader)
    #expect(second.isComplete && second.image.frameCount == 2)
    second.play()
    #expect(second.currentFrameIndex == 0)
  }

  @Test("Events of a load come on the main actor; seeks and hiding before the image are kept")
  @MainActor
  func mainActor() async throws {
    let parts = try Parts(delays: [10, 10, 10])
    let server = try LoopbackServer()
    let player = player(server.url())
    let (phases, continuation) = AsyncStream.makeStream(of: LoadingPhase.self)
    player.onLoading(deliverOn: .mainActor) { phase in
      MainActor.preconditionIsolated()
      continuation.yield(phase)
    }
    player.visibility = .hidden
    player.play()
    player.rate = 2
    _ = try await server.serve { _ in Answer.whole(parts.whole) }
    for await phase in phases { if case .complete = phase { break } }
    while !player.isComplete { await Task.yield() }
    #expect(player.currentFrameIndex == nil && player.state == .playing)
    player.visibility = .visible
    #expect(player.currentFrameIndex == 0)
    stage.run(to: .milliseconds(50))
    #expect(player.currentFrameIndex == 1)
  }
}

extension GIFLoader.Options {
  /// A busy machine may let a server of the tests wait for long, which no test is about.
  fileprivate static let sharing: GIFLoader.Options = {
    var options = GIFLoader.Options()
    options.connectTimeout = .seconds(3600)
    options.idleTimeout = .seconds(3600)
    options.totalTimeout = .seconds(3600)
    return options
  }()

  /// Each load has a transfer of its own.
  fileprivate static let ofTests: GIFLoader.Options = {
    var options = sharing
    options.sharesLoads = false
    return options
  }()
}

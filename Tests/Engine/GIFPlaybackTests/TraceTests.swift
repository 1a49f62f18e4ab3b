import GIFCaching
import GIFDecoding
import GIFTimeline
import Synchronization
import Testing

@testable import GIFPlayback

@Suite("Trace")
struct TraceTests {
  private let stage = Stage()

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("Entries as JSON, byte by byte")
  func writer() {
    let entries = [
      TraceEntry(
        phase: .metadata, name: "thread_name", track: 7, arguments: [("name", .text("a \"b\"\\\n\u{1}é"))]),
      TraceEntry(
        phase: .complete, name: "frame 3", category: "frame", track: 7, start: 1_234_567,
        duration: 40_000_007,
        arguments: [("cause", .text("play")), ("skipped", .number(-2))]),
      TraceEntry(phase: .instant, name: "loop 1", category: "player", track: 7, start: -1_005),
      TraceEntry(
        phase: .counter, name: "cache 7", category: "cache", track: 7, start: .min,
        arguments: [("hits", .number(.max))]),
    ]
    let expected = #"""
      {"displayTimeUnit":"ms","otherData":{"droppedEntries":5},"traceEvents":[
      {"ph":"M","pid":1,"tid":7,"name":"thread_name","args":{"name":"a \"b\"\\\u000a\u0001é"}},
      {"ph":"X","pid":1,"tid":7,"name":"frame 3","cat":"frame","ts":1234.567,"dur":40000.007,"args":{"cause":"play","skipped":-2}},
      {"ph":"i","pid":1,"tid":7,"name":"loop 1","cat":"player","ts":-1.005,"s":"t"},
      {"ph":"C","pid":1,"tid":7,"name":"cache 7","cat":"cache","ts":-9223372036854775.808,"args":{"hits":9223372036854775807}}
      ]}

      """#
    #expect(Self.text(TraceWriter.json(entries, dropped: 5)) == expected)
    #expect(Self.text(TraceWriter.json([], dropped: 0)).hasSuffix("\"traceEvents\":[\n]}\n"))
  }

  @Test("The ring keeps the newest, in order, and counts the others", arguments: [1, 2, 3, 7, 100])
  func ring(limit: Int) {
    var ring = TraceRing(limit: limit)
    for number in 0..<50 {
      ring.append(TraceEntry(phase: .instant, name: "\(number)", track: 1))
      let kept = max(0, number + 1 - limit)...number
      #expect(ring.inOrder.map(\.name) == kept.map { "\($0)" })
      #expect(ring.dropped == kept.lowerBound)
    }
  }

  /// The lines of a trace that are of a kind, shortened to name, time and length.
  private func lines(_ recorder: TraceRecorder, _ category: String) -> [String] {
    Self.text(recorder.json()).split(separator: "\n").filter { $0.contains("\"cat\":\"\(category)\"") }.map {
      line in
      func field(_ name: String) -> Substring {
        guard let start = line.firstRange(of: "\"\(name)\":") else { return "" }
        return line[start.upperBound...].prefix { $0 != "," && $0 != "}" }
      }
      return "\(field("name")) \(field("ts")) \(field("dur"))"
    }
  }

  @Test("A player's frames last until the next one; loops, states and waits are marked")
  func player() throws {
    let player = stage.player(try Sample.image(delays: [10, 20], repetitions: nil))
    let recorder = TraceRecorder()
    recorder.record(player, as: "dot.gif")
    player.play()
    stage.run(to: .milliseconds(150))
    player.pause()
    stage.run(to: .seconds(5))
    player.play()
    stage.run(to: .seconds(9))
    #expect(
      lines(recorder, "frame") == ["\"frame 0\" 0.000 100000.000", "\"frame 1\" 100000.000 50000.000"])
    #expect(
      lines(recorder, "player") == [
        "\"playing\" 0.000 ", "\"paused\" 150000.000 ", "\"playing\" 5000000.000 ", "\"loop 1\" 5150000.000 ",
        "\"finished\" 5150000.000 ", "\"finished\" 5150000.000 ",
      ])
    #expect(lines(recorder, "decode").count == 2)
    #expect(lines(recorder, "cache").count == 2)
    #expect(
      Self.text(recorder.json()).contains(
        "{\"ph\":\"M\",\"pid\":1,\"tid\":\(player.id),\"name\":\"thread_name\",\"args\":{\"name\":\"dot.gif\"}}"
      ))
  }

  /// The lines of a trace that hold a text, whole.
  private func lines(_ recorder: TraceRecorder, with text: String) -> [Substring] {
    Self.text(recorder.json()).split(separator: "\n").filter { $0.contains(text) }
  }

  @Test("Every decoding is a span on its thread's track, with its player; the cache's counts go along")
  func decoding() throws {
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let recorder = TraceRecorder()
    recorder.record(player, as: "dot.gif")
    player.play()
    stage.run(to: .seconds(1))
    #expect(
      lines(recorder, "decode") == [
        "\"decode 0\" 0.000 0.000", "\"decode 1\" 0.000 0.000", "\"decode 2\" 0.000 0.000",
      ])
    #expect(
      lines(recorder, with: "\"decode 2\"") == [
        "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"name\":\"decode 2\",\"cat\":\"decode\",\"ts\":0.000,\"dur\":0.000,"
          + "\"args\":{\"player\":\(player.id),\"store\":1,\"finished\":2,\"codeStreams\":1}},"
      ])
    #expect(lines(recorder, with: "\"process_name\"").count == 2)
    #expect(lines(recorder, with: "{\"name\":\"thread 1\"}").count == 1)
    let counts = lines(recorder, with: "\"ph\":\"C\"")
    #expect(counts.count == 11)
    #expect(
      counts.last?.contains(
        "\"hits\":11,\"misses\":1,\"demotions\":0,\"evictions\":0,\"residentFrames\":3,\"warmFrames\":0")
        == true, "\(counts.last ?? "")")
  }

  @Test(
    "Decoding during a trace is recorded when it happens; that of a shared frame once")
  func decodingLater() throws {
    let budget = FrameBudget()
    var options = GIFPlayer.Options()
    options.budget = budget
    options.cachePolicy = CachePolicy(readAhead: .zero, readAheadFrames: 1)
    let image = try Sample.image(delays: [10, 10, 10])
    let players = [stage.player(image, options: options), stage.player(image, options: options)]
    defer { withExtendedLifetime(players) {} }
    let recorder = TraceRecorder()
    for player in players { recorder.record(player, as: "dot.gif") }
    for player in players { player.play() }
    stage.run(to: .milliseconds(150))
    #expect(
      lines(recorder, "decode") == [
        "\"decode 0\" 0.000 0.000", "\"decode 1\" 0.000 0.000", "\"decode 2\" 100000.000 0.000",
      ])
  }

  @Test("A recording that was cancelled or replaced records no decoding")
  func cancel() throws {
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let (first, second) = (TraceRecorder(), TraceRecorder())
    let recording = first.record(player, as: "1")
    let other = second.record(player, as: "2")
    recording.cancel()
    player.showPoster(0)
    #expect(lines(first, "decode").isEmpty && lines(second, "decode").count == 1)
    other.cancel()
    player.play()
    stage.run(to: .milliseconds(150))
    #expect(lines(second, "decode").count == 1 && lines(second, "frame").isEmpty == false)
  }

  @Test("What is still shown at the end is shown until the last thing known of any player")
  func open() throws {
    let (first, second) = (
      stage.player(try Sample.image(delays: [900, 10])), stage.player(try Sample.image(delays: [10, 10]))
    )
    let recorder = TraceRecorder()
    recorder.record(first, as: "1")
    recorder.record(second, as: "2")
    first.play()
    second.play()
    stage.run(to: .milliseconds(450))
    #expect(lines(recorder, "frame").contains("\"frame 0\" 0.000 400000.000"))
  }

  @Test("A recorder holds neither players nor frames, and no player needs it")
  func lifetime() throws {
    var player: GIFPlayer? = stage.player(try Sample.image(delays: [10, 10]))
    weak let watched = player
    var recorder: TraceRecorder? = TraceRecorder(limit: 2)
    recorder?.record(try #require(player), as: "x")
    player?.play()
    stage.run(to: .seconds(1))
    #expect(recorder.map { Self.text($0.json()).contains("\"droppedEntries\":0") } == false)
    recorder = nil
    stage.run(to: .seconds(2))
    player = nil
    #expect(watched == nil)
  }
}

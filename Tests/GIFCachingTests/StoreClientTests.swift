import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreClient")
struct StoreClientTests {
  private func client(
    _ durations: [Int64], policy: CachePolicy = CachePolicy(), rate: Double = 1, due: Int64? = nil,
    frame: Int = 0
  ) -> StoreClient {
    var client = StoreClient(frameCount: durations.count, durations: durations, policy: policy)
    client.playhead = Playhead(frame: frame, range: 0..<durations.count, nextDue: due, rate: rate)
    client.isActive = true
    return client
  }

  private let ten = Array(repeating: Int64(100_000_000), count: 10)

  @Test("The read-ahead is a time, at least one frame, at most the policy's number and all there are")
  func readAhead() {
    #expect(client(ten).readAhead == 3)
    #expect(client(ten, rate: 2).readAhead == 5)
    #expect(client(ten, rate: 20).readAhead == 8)
    #expect(client(ten, rate: 0.05).readAhead == 1)
    #expect(client(ten, policy: CachePolicy(readAhead: .zero)).readAhead == 1)
    #expect(client(ten, policy: CachePolicy(readAhead: .seconds(-9))).readAhead == 1)
    #expect(client(ten, policy: CachePolicy(readAheadFrames: 0)).readAhead == 1)
    #expect(client(ten, policy: CachePolicy(readAheadFrames: .min)).readAhead == 1)
    #expect(
      client(ten, policy: CachePolicy(readAhead: .seconds(Int64.max), readAheadFrames: .max)).readAhead == 10)
    #expect(client([0, 0, 0], policy: CachePolicy(readAheadFrames: .max)).readAhead == 3)
    #expect(client([]).readAhead == 1)
    for rate in [0, -1, .nan, .infinity, 1e-300, 1e300] {
      #expect((1...8).contains(client(ten, rate: rate).readAhead))
    }
  }

  @Test("A picture is urgent by when it is due")
  func urgency() {
    let playing = client(ten, due: 5_000_000_000)
    #expect(playing.urgency(place: 0, delaysBefore: 0) == 4_900_000_000)
    #expect(playing.urgency(place: 1, delaysBefore: 0) == 5_000_000_000)
    #expect(playing.urgency(place: 2, delaysBefore: 100_000_000) == 5_100_000_000)
    let fast = client(ten, rate: 4, due: 5_000_000_000)
    #expect(fast.urgency(place: 2, delaysBefore: 100_000_000) == 5_025_000_000)
    let paused = client(ten)
    #expect(paused.urgency(place: 0, delaysBefore: 0) == .min)
    #expect(paused.urgency(place: 1, delaysBefore: 0) > playing.urgency(place: 9, delaysBefore: 1 << 60))
    #expect(paused.urgency(place: 2, delaysBefore: 0) > paused.urgency(place: 1, delaysBefore: 0))
  }

  @Test("A picture that a player begins with is due when it says; once time runs that counts no more")
  func frameDue() {
    var beginning = client(ten)
    beginning.playhead.frameDue = 3_000_000_000
    #expect(beginning.urgency(place: 0, delaysBefore: 0) == 3_000_000_000)
    #expect(beginning.urgency(place: 1, delaysBefore: 0) == client(ten).urgency(place: 1, delaysBefore: 0))
    let playing = client(ten, due: 2_950_000_000)
    #expect(playing.urgency(place: 1, delaysBefore: 0) < beginning.urgency(place: 0, delaysBefore: 0))
    #expect(
      playing.urgency(place: 2, delaysBefore: 100_000_000) > beginning.urgency(place: 0, delaysBefore: 0))
    beginning.playhead.frameDue = .max
    #expect(beginning.urgency(place: 0, delaysBefore: 0) == StoreClient.idle)
    beginning.playhead.nextDue = 5_000_000_000
    #expect(beginning.urgency(place: 0, delaysBefore: 0) == 4_900_000_000)
  }

  @Test("Extreme times and speeds do not overflow, and nothing due comes after what is idle")
  func extremes() {
    for due in [Int64.min, -1, 0, .max] {
      for rate in [1e-300, 1, .infinity, .nan] {
        let client = client(ten, rate: rate, due: due)
        for delays in [0, Int64.max] {
          #expect(client.urgency(place: 1, delaysBefore: delays) <= StoreClient.idle)
          #expect(client.urgency(place: 0, delaysBefore: delays) <= StoreClient.idle)
        }
      }
    }
    var wild = client(ten, frame: .min)
    #expect(wild.rank(of: 3) > 0)
    wild.playhead.frame = .max
    #expect(wild.rank(of: 3) > 0)
  }

  @Test("A read-ahead of any time is a number of frames", arguments: [.min, -1, 0, .max] as [Int64])
  func anyReadAhead(seconds: Int64) {
    for rate in [1e-300, 1, 1e20, .infinity, .nan] {
      var client = StoreClient(
        frameCount: 10, durations: ten, policy: CachePolicy(readAhead: .seconds(seconds), readAheadFrames: 5))
      client.playhead = Playhead(frame: 0, range: 0..<10, rate: rate)
      #expect((1...5).contains(client.readAhead))
    }
  }

  @Test("Needed first: what is to be shown, what comes next, who pauses, what hidden players showed")
  func ranks() {
    var playing = client(ten, due: 1, frame: 4)
    #expect(playing.rank(of: 4) == 0)
    #expect(playing.rank(of: 5) == 1)
    #expect(playing.rank(of: 3) == 9)
    playing.shown = 4
    #expect(playing.rank(of: 4) == 10)
    var paused = client(ten, frame: 4)
    #expect(paused.rank(of: 4) == 0)
    #expect(paused.rank(of: 5) > playing.rank(of: 3))
    paused.visibility = .near
    #expect(paused.rank(of: 4) == 0)
    #expect(paused.rank(of: 5) > playing.rank(of: 3))
    paused.visibility = .hidden
    #expect(paused.rank(of: 4) == 16)
    #expect(paused.rank(of: 5) == .max)
    var idle = client(ten)
    idle.isActive = false
    #expect(idle.rank(of: 0) == .max)
  }

  @Test("A jump is what playback alone does not lead to")
  func jumps() {
    let many = Array(repeating: Int64(1), count: 100)
    let client = client(many, frame: 10)
    #expect(!client.jumps(to: Playhead(frame: 11, range: 0..<100)))
    #expect(!client.jumps(to: Playhead(frame: 26, range: 0..<100)))
    #expect(client.jumps(to: Playhead(frame: 27, range: 0..<100)))
    #expect(client.jumps(to: Playhead(frame: 9, range: 0..<100)))
    #expect(!client.jumps(to: Playhead(frame: 9, range: 0..<50)))
  }
}

import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("MediaClock: players and their group round alike")
struct GroupRoundingTests {
  @Test("At the instant at which a member ends, the group's time has come to that end", arguments: 0..<40)
  func ends(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let delays = (0..<Int.random(in: 2...5, using: &random)).map { _ in
        Int.random(in: 1...5_000, using: &random)
      }
      let timeline = Timeline(delays: delays, loopCount: .plays(Int.random(in: 1...40, using: &random)))
      let total = timeline.totalNanoseconds ?? 0
      var group = GroupTimeline()
      var now = PlaybackInstant(nanoseconds: Int64.random(in: 0...(1 << 52), using: &random))
      group.setRate(Double.random(in: 0.05...20, using: &random), at: now)
      group.play()
      group.start(at: now)
      // The member joins later, by an offset, and is started as of where it stands.
      now = now.advanced(byNanoseconds: Int64.random(in: 0...100_000_000, using: &random))
      let offset = Int64.random(in: -50_000_000...50_000_000, using: &random)
      var member = PlaybackMachine(timeline: timeline)
      let order = GroupOrder(
        place: group.place(ahead: offset, at: now), isJoining: true, isSeek: false, isPlaying: true,
        rate: group.rate, motion: nil)
      member.follow(order, at: now)
      _ = member.advance(at: now) { _, _ in true }
      guard let start = group.instant(ofMedia: member.mediaTime(at: now) - offset) else { continue }
      member.startInGroup(at: start)
      while member.state == .playing, let wake = member.advance(at: now, isThere: { _, _ in true }).wakeAt {
        now = max(now, wake)
      }
      #expect(member.state == .finished)
      #expect(group.place(ahead: offset, at: now) >= total)
    }
  }
}

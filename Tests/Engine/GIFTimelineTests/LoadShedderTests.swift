import GIFCaching
import GIFPlayback
import GIFTimeline
import Testing

@Suite("LoadShedder, and schedules with a stride")
struct LoadShedderTests {
  private static let bad = LoadShedder.Sample(due: 100, missed: 11)
  private static let fair = LoadShedder.Sample(due: 100, missed: 5)
  private static let good = LoadShedder.Sample(due: 100, missed: 1)

  @Test("One level a bad interval, and no further than there are")
  func giveWay() {
    var shedder = LoadShedder()
    #expect(shedder.stride(for: .low) == 1)
    var strides: [Int] = []
    for _ in 0..<7 {
      _ = shedder.observe(Self.bad, busy: 1)
      strides.append(shedder.stride(for: .low))
      #expect(shedder.stride(for: .high) == 1)
    }
    #expect(strides == [2, 4, 8, 16, 16, 16, 16])
  }

  @Test("Only good intervals in a row bring a level back; fair ones keep it, quiet ones say nothing")
  func recovery() {
    var shedder = LoadShedder()
    var changes: [Bool] = []
    changes.append(shedder.observe(Self.bad, busy: 1))
    for _ in 0..<50 { changes.append(shedder.observe(Self.fair, busy: 1)) }
    #expect(shedder.level == 1)
    for _ in 0..<5 { changes.append(shedder.observe(Self.good, busy: 1)) }
    changes.append(shedder.observe(Self.fair, busy: 1))
    for _ in 0..<5 { changes.append(shedder.observe(Self.good, busy: 1)) }
    changes.append(shedder.observe(LoadShedder.Sample(due: 3, missed: 3), busy: 1))
    changes.append(shedder.observe(Self.good, busy: 1))
    #expect(changes.indices.filter { changes[$0] } == [0, changes.count - 1])
    #expect(shedder.level == 0)
  }

  @Test("A load that allows one level and not the other does not swing between them")
  func hysteresis() {
    var shedder = LoadShedder()
    var changes: [Int] = []
    for interval in 0..<2_000 where shedder.observe(shedder.level >= 2 ? Self.good : Self.bad, busy: 1) {
      changes.append(interval)
    }
    // Ever longer between attempts: a few dozen changes, not hundreds.
    #expect(changes.count < 60)
    #expect(shedder.level >= 1)
    let late = changes.filter { $0 >= 1_000 }
    #expect(late.count <= 24)
    // Once all is well for long, a level is taken back as soon as at first.
    for _ in 0..<1_000 { _ = shedder.observe(Self.good, busy: 1) }
    #expect(shedder.level == 0)
    _ = shedder.observe(Self.bad, busy: 1)
    var needed = 0
    while shedder.level == 1 {
      _ = shedder.observe(Self.good, busy: 1)
      needed += 1
    }
    #expect(needed == LoadShedder.recoveryRange.lowerBound)
  }

  @Test("Frames that come late while threads have time left add no level")
  func idleThreads() {
    var shedder = LoadShedder()
    for busy in [0, 0.5, 0.89] { #expect(!shedder.observe(Self.bad, busy: busy) && shedder.level == 0) }
    #expect(shedder.observe(Self.bad, busy: LoadShedder.saturation) && shedder.level == 1)
  }

  @Test(
    "As soon as the threads have time for the frames left out, levels are forgotten at once",
    arguments: [
      // Players of low priority alone: each level doubles what is decoded.
      (0.03, 100, 0), (0.06, 100, 1), (0.2, 100, 3), (0.36, 100, 3), (0.7, 100, 3), (1, 100, 4),
      // A tenth of the frames is theirs: all of them in full are 2.5 times as many.
      (0.27, 10, 0), (0.3, 10, 1),
      // None has the low priority, or nothing is due: nothing would be added.
      (0.7, 0, 0), (0.71, 0, 4),
    ])
  func forgetting(busy: Double, thinned: Int, expected: Int) {
    var shedder = LoadShedder()
    for _ in 0..<4 { _ = shedder.observe(Self.bad, busy: 1) }
    let sample = LoadShedder.Sample(due: 100, missed: 50, thinned: thinned)
    #expect(shedder.observe(sample, busy: busy) == (expected < 4))
    #expect(shedder.level == expected)
  }

  @Test("A level taken back in vain because threads had time is taken back later and later")
  func vainRecovery() {
    var shedder = LoadShedder()
    var returns: [Int] = []
    for interval in 0..<200 {
      let before = shedder.level
      let (sample, busy) = before >= 2 ? (Self.good, 0.6) : (Self.bad, 1.0)
      var thinned = sample
      thinned.thinned = 100
      if shedder.observe(thinned, busy: busy), shedder.level < before { returns.append(interval) }
    }
    let pauses = zip(returns, returns.dropFirst()).map { $1 - $0 }
    #expect(pauses == [3, 5, 9] + Array(repeating: 17, count: pauses.count - 3))
  }

  @Test("An interval without frames forgets all levels unless the threads are busy with something else")
  func nothingDue() {
    var shedder = LoadShedder()
    for _ in 0..<3 { _ = shedder.observe(Self.bad, busy: 1) }
    #expect(!shedder.observe(LoadShedder.Sample(), busy: 0.9) && shedder.level == 3)
    #expect(shedder.observe(LoadShedder.Sample(), busy: 0.1) && shedder.level == 0)
  }

  @Test(
    "With a stride every loop, total and end stay as they are", arguments: PlaybackMode.allCases,
    [2, 3, 4, 16])
  func stride(mode: PlaybackMode, stride: Int) {
    let delays = [10, 20, 30, 40, 50, 60, 70]
    var (full, shed) = (MachineRig(delays, plays: 3, mode: mode), MachineRig(delays, plays: 3, mode: mode))
    shed.machine.setStride(stride, at: PlaybackInstant(nanoseconds: 0))
    var reported: [[String]] = [full.play(), shed.play()]
    var ends: [Int64] = [0, 0]
    var shows = 1
    while let wake = full.wakesIn { (reported[0], ends[0]) = (reported[0] + full.wait(wake), full.media) }
    while let wake = shed.wakesIn {
      #expect(wake > 0)
      let words = shed.wait(wake)
      shows += words.count { !$0.hasPrefix("loop!") && $0 != "finish" }
      (reported[1], ends[1]) = (reported[1] + words, shed.media)
    }
    #expect(ends[0] == ends[1])
    #expect(reported[0].filter { $0.hasPrefix("loop!") } == reported[1].filter { $0.hasPrefix("loop!") })
    #expect(reported[1].suffix(2) == ["loop! 3 of 3", "finish"])
    #expect(shed.machine.shownStep == full.machine.shownStep)
    let steps = shed.machine.timeline.stepCount
    let perLoop = (steps + stride - 1) / stride
    #expect((3 * perLoop...3 * perLoop + 1).contains(shows))
  }

  @Test("If one of several frames is wanted, the cache is asked for the next of those alone")
  func playhead() {
    var rig = MachineRig(Array(repeating: 10, count: 9))
    rig.machine.setStride(4, at: PlaybackInstant(nanoseconds: 0))
    rig.play()
    #expect(rig.machine.playhead(rig.outcome)?.range == 4..<5)
    #expect(rig.wakesIn == 40)
    rig.missing = [4]
    rig.wait(40)
    #expect(rig.machine.isWaiting)
    #expect(rig.machine.playhead(rig.outcome)?.range == 4..<5)
  }

  @Test("A smaller stride holds from the frame on that is due next, which may be decoded already")
  func falling() {
    var rig = MachineRig(Array(repeating: 10, count: 32))
    rig.machine.setStride(8, at: rig.now)
    rig.play()
    rig.wait(30)
    #expect(rig.machine.playhead(rig.outcome)?.range == 8..<9)
    rig.order { $0.setStride(2, at: $1) }
    #expect(rig.machine.playhead(rig.outcome)?.range == 8..<9 && rig.wakesIn == 50)
    #expect(rig.wait(50) == ["play 8 +7"])
    #expect(rig.machine.playhead(rig.outcome)?.range == 10..<11 && rig.wakesIn == 20)
    // A larger one holds at once: the way to a later frame goes on.
    rig.order { $0.setStride(16, at: $1) }
    #expect(rig.machine.playhead(rig.outcome)?.range == 16..<17 && rig.wakesIn == 80)
    // And so does every one after a jump.
    rig.order { $0.setStride(2, at: $1) }
    #expect(rig.order { $0.seek(toFrame: 4, at: $1) } == ["seek 4"])
    #expect(rig.machine.stride == 2 && rig.wakesIn == 20)
    rig.order { $0.setStride(16, at: $1) }
    rig.order { $0.setStride(1, at: $1) }
    #expect(rig.machine.stride == 16 && rig.wakesIn == 120)
    // The last frame of a loop leads to the first one of the next.
    #expect(rig.order { $0.seek(toFrame: 31, at: $1) } == ["seek 31"])
    rig.order { $0.setStride(4, at: $1) }
    rig.order { $0.setStride(1, at: $1) }
    #expect(rig.wait(10) == ["loop! 1", "loop 0"])
    #expect(rig.machine.stride == 1 && rig.wakesIn == 10)
  }

  @Test(
    "Slow frames are left out only as far as one a second is left",
    arguments: [(40, 1.0, 16), (100, 1, 10), (100, 4, 16), (300, 1, 3), (300, 0.5, 1), (5_000, 1, 1)])
  func slowPictures(delay: Int, rate: Double, expected: Int) {
    var rig = MachineRig(Array(repeating: delay, count: 64))
    rig.machine.setStride(16, at: PlaybackInstant(nanoseconds: 0))
    rig.machine.setRate(rate, at: PlaybackInstant(nanoseconds: 0))
    #expect(rig.machine.stride == expected)
    rig.play()
    #expect(rig.wakesIn == Int64(Double(expected * delay) / rate))
    rig.wait(rig.wakesIn ?? 0)
    #expect(rig.machine.shownStep == Int64(expected))
  }

  @Test(
    "If the late policy owes every frame none is left out",
    arguments: [LatePolicy.wait, .catchUp(max: 3)])
  func owedPictures(late: LatePolicy) {
    var rig = MachineRig(Array(repeating: 10, count: 9), late: late)
    rig.machine.setStride(4, at: PlaybackInstant(nanoseconds: 0))
    #expect(rig.play() == ["play 0"])
    #expect((1...8).flatMap { _ in rig.wait(10) } == (1...8).map { "play \($0)" })
  }
}

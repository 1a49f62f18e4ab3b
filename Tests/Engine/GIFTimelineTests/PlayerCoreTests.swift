import GIFDecoding
import GIFTimeline
import Testing

/// A player without threads, clock or cache: it keeps which frames are there, and carries the core's actions
/// out.
private struct PageRig {
  var core: PlayerCore
  var missing: Set<Int> = []
  private(set) var now = PlaybackInstant(nanoseconds: 5_000_000_000)
  private(set) var actions: PlayerCore.Actions?

  init(
    _ delays: [Int], plays: LoopCount = .plays(1), isComplete: Bool = true,
    rules: PlaybackRules = PlaybackRules()
  ) {
    core = PlayerCore(
      animation: Self.animation(delays, plays: plays), schedule: PlayerSchedule(isComplete: isComplete),
      rate: 1, rules: rules, reducedMotion: .off, readAhead: 100_000_000)
  }

  /// `delays` are hundredths of a second.
  static func animation(_ delays: [Int], plays: LoopCount = .plays(1)) -> Animation {
    let frames = delays.enumerated().map { index, delay in
      FrameInfo(
        index: index, rect: PixelRect(x: 0, y: 0, width: 4, height: 2), delayCentiseconds: delay)
    }
    return Animation(width: 4, height: 2, frames: frames, loopCount: plays)
  }

  /// Carries out a command and returns what is reported, a word each.
  @discardableResult
  mutating func order(_ command: (inout PlayerCore, PlaybackInstant) -> Void) -> [String] {
    let missing = missing
    actions = core.perform(at: now, isThere: { frame, _ in !missing.contains(frame) }, command: command)
    return words
  }

  @discardableResult
  mutating func wait(_ milliseconds: Int64) -> [String] {
    now = now.advanced(byNanoseconds: milliseconds * 1_000_000)
    let missing = missing
    actions = core.tick(at: now) { frame, _ in !missing.contains(frame) }
    return words
  }

  /// Hides the player, or shows it, and returns what is reported.
  @discardableResult
  mutating func see(_ visibility: Visibility) -> [String] {
    order { $0.setVisibility(visibility, at: $1) }
  }

  mutating func fail() -> [String] {
    actions = core.fail(GIFError(.fileChanged))
    return words
  }

  /// Milliseconds until the core's next tick.
  var wakesIn: Int64? { actions?.wakeAt.map { ($0.nanoseconds - now.nanoseconds) / 1_000_000 } }

  private var words: [String] {
    (actions?.events ?? []).map { event in
      switch event {
      case .shown(let shown): "\(shown.cause.rawValue) \(shown.frame)/\(core.animation.frameCount)"
      case .loopCompleted(let count, _): "loop! \(count)"
      case .finished: "finish"
      case .stateChanged(let state): state.rawValue
      case .buffering(let reason): reason.map { "waits for \($0.rawValue)" } ?? "goes on"
      case .failed: "failure"
      }
    }
  }
}

@Suite("PlayerCore: a player as a pure value")
struct PlayerCoreTests {
  @Test("Actions alone play an animation from its first command to its end")
  func wholePlay() {
    var rig = PageRig([10, 20])
    #expect(rig.order { $0.machine.play(at: $1) } == ["playing", "play 0/2"])
    #expect(rig.wakesIn == 100 && rig.actions?.playhead?.frame == 0)
    #expect(rig.wait(100) == ["play 1/2"])
    #expect(rig.wakesIn == 200)
    #expect(rig.wait(200) == ["loop! 1", "finish", "finished"])
    #expect(rig.wakesIn == nil)
  }

  @Test("Before the first command nothing is reported, decoded or scheduled")
  func idle() {
    var rig = PageRig([10, 20])
    #expect(rig.wait(500) == [])
    #expect(rig.actions?.playhead == nil && rig.actions?.wakeAt == nil)
  }

  @Test("What was due before a command is reported before what the command does")
  func dueBeforeCommand() {
    var rig = PageRig([10, 20])
    rig.order { $0.machine.play(at: $1) }
    rig.wait(100)
    // The end is due, and a command comes before the next tick.
    let late = rig.now.advanced(byNanoseconds: 200_000_000)
    let actions = rig.core.perform(
      at: late, isThere: { _, _ in true }, command: { $0.machine.restart(at: $1) })
    #expect(actions?.events.count == 5)
    #expect(actions?.events.first == .loopCompleted(count: 1, remaining: 0))
    #expect(actions?.events[2] == .stateChanged(.finished) && actions?.events[3] == .stateChanged(.playing))
  }

  @Test("An instant before the last one counts as the last one")
  func timeNeverRunsBack() {
    var rig = PageRig([10, 20])
    rig.order { $0.machine.play(at: $1) }
    rig.wait(50)
    let earlier = PlaybackInstant(nanoseconds: 0)
    #expect(rig.core.tick(at: earlier) { _, _ in true }?.now == rig.now)
  }

  @Test("A failure is reported once with its state, notifies the group, and ends everything")
  func failure() {
    var rig = PageRig([10, 20])
    rig.order { $0.machine.play(at: $1) }
    #expect(rig.fail() == ["failure", "failed"])
    #expect(rig.actions?.isReadyForGroup == true && rig.actions?.wakeAt == nil)
    #expect(rig.core.error?.code == .fileChanged && rig.core.state == .failed)
    #expect(rig.fail() == [] && rig.actions == nil)
    #expect(rig.order { $0.machine.restart(at: $1) } == [] && rig.actions == nil)
  }

  @Test("A hidden player asks for no frame; a near one asks for its frame, but shows and schedules nothing")
  func near() {
    var rig = PageRig([10, 20, 30], plays: .forever)
    rig.order { core, now in core.setVisibility(.hidden, at: now) }
    #expect(rig.order { $0.machine.play(at: $1) } == ["playing"])
    #expect(rig.actions?.playhead == nil)
    #expect(rig.order { core, now in core.setVisibility(.near, at: now) } == [])
    #expect(rig.actions?.playhead == Playhead(frame: 0, range: 0..<3, visibility: .near))
    #expect(rig.wakesIn == nil)
    #expect(rig.order { $0.machine.seek(toFrame: 2, at: $1) } == [])
    #expect(rig.actions?.playhead == Playhead(frame: 2, range: 0..<3, visibility: .near))
    #expect(rig.order { core, now in core.setVisibility(.visible, at: now) } == ["seek 2/3"])
    #expect(rig.wakesIn == 300)
  }

  @Test("A player that is seen again shows its frame, at once or when it arrives")
  func seenAgain() {
    var rig = PageRig([10, 20, 30], plays: .forever)
    rig.order { $0.machine.play(at: $1) }
    #expect(rig.wait(150) == ["play 1/3"])
    #expect(rig.see(.hidden) == [] && rig.core.isPictureReleased && rig.wakesIn == nil)
    #expect(rig.actions?.playhead?.frame == 1 && rig.actions?.playhead?.visibility == .hidden)
    #expect(rig.wait(10) == [] && rig.actions?.playhead == nil)
    #expect(rig.see(.near) == [] && rig.core.isPictureReleased && rig.actions?.playhead?.frame == 1)
    #expect(rig.see(.visible) == ["appear 1/3"] && !rig.core.isPictureReleased && rig.wakesIn == 140)
    #expect(rig.see(.visible) == [])
    rig.see(.hidden)
    rig.missing = [1]
    #expect(rig.see(.visible) == [] && rig.core.isPictureReleased && rig.core.machine.isWaiting)
    #expect(rig.actions?.playhead?.frame == 1 && rig.wakesIn == 140)
    #expect(rig.see(.visible) == [] && rig.core.machine.isWaiting)
    rig.missing = []
    #expect(rig.wait(10) == ["appear 1/3"] && !rig.core.isPictureReleased)
    #expect(rig.wait(130) == ["play 2/3"])
  }

  @Test("A player that stopped and stands tells the cache when it hides, and nothing before it ever moved")
  func visibilityAtRest() {
    var rig = PageRig([10, 20])
    rig.see(.hidden)
    #expect(rig.actions?.playhead == nil)
    rig.see(.visible)
    #expect(rig.actions?.playhead == nil)
    rig.order { $0.machine.play(at: $1) }
    rig.order { $0.machine.stop(at: $1) }
    #expect(!rig.core.machine.isActive)
    rig.see(.hidden)
    #expect(rig.actions?.playhead?.frame == 0 && rig.actions?.playhead?.visibility == .hidden)
    rig.see(.hidden)
    #expect(rig.actions?.playhead == nil)
    rig.see(.near)
    #expect(rig.actions?.playhead?.frame == 0 && rig.actions?.playhead?.visibility == .near)
  }

  @Test("Under the wait policy the time stands within a frame whose picture is gone")
  func seenAgainWaiting() {
    var rig = PageRig([10, 20, 30], plays: .forever, rules: PlaybackRules(latePolicy: .wait))
    rig.order { $0.machine.play(at: $1) }
    rig.wait(100)
    rig.see(.hidden)
    rig.wait(50)
    rig.missing = [1]
    #expect(rig.see(.visible) == ["waits for decoder"])
    #expect(rig.wait(1000) == [])
    rig.missing = []
    #expect(rig.wait(10) == ["appear 1/3", "goes on"])
    #expect(rig.wait(149) == [] && rig.wait(1) == ["play 2/3"])
  }

  @Test("At its end a player asks for its frame again, as it does for a frame that is sought")
  func seenAgainAtEnd() {
    var rig = PageRig([10, 20])
    rig.order { $0.machine.play(at: $1) }
    rig.wait(100)
    #expect(rig.wait(200) == ["loop! 1", "finish", "finished"] && rig.actions?.playhead?.isFinished == true)
    rig.see(.hidden)
    rig.missing = [1]
    #expect(rig.see(.visible) == [])
    #expect(rig.actions?.playhead?.frame == 1 && rig.actions?.playhead?.isFinished == false)
    rig.missing = []
    #expect(rig.wait(10) == ["appear 1/2"] && rig.core.state == .finished)
    #expect(rig.actions?.playhead?.isFinished == true && rig.wait(1000) == [])
  }

  @Test("A player that runs while near asks at each command for the frame that is due then")
  func nearWhileRunning() {
    var rig = PageRig([10, 20, 30], plays: .forever)
    rig.order { $0.machine.play(at: $1) }
    rig.order { core, now in core.setVisibility(.near, at: now) }
    #expect(rig.wait(150) == [] && rig.wakesIn == nil)
    #expect(rig.actions?.playhead?.frame == 1)
    #expect(rig.order { core, now in core.setVisibility(.visible, at: now) } == ["appear 1/3"])
    #expect(rig.wakesIn == 150)
  }

  @Test("The first frame is due a read-ahead after the command, the target of a seek at once")
  func firstFrameDue() {
    var rig = PageRig([10, 20])
    rig.missing = [0, 1]
    rig.order { $0.machine.play(at: $1) }
    let asked = rig.now
    #expect(rig.actions?.playhead?.frameDue == asked.nanoseconds + 100_000_000)
    rig.wait(30)
    #expect(rig.actions?.playhead?.frameDue == asked.nanoseconds + 100_000_000)
    rig.order { $0.machine.seek(toFrame: 1, at: $1) }
    #expect(rig.actions?.playhead?.frameDue == nil)
  }

  @Test("Requests for frames are numbered in the order of the ticks")
  func requests() {
    var rig = PageRig([10, 20], plays: .forever)
    rig.order { $0.machine.play(at: $1) }
    var numbers = [rig.actions?.request ?? 0]
    for _ in 0..<5 {
      rig.wait(70)
      numbers.append(rig.actions?.request ?? 0)
    }
    #expect(numbers == [1, 2, 3, 4, 5, 6])
  }

  @Test("An image that loads plays what is there, waits, and goes on once more has come")
  func growing() {
    var rig = PageRig([10, 20], isComplete: false, rules: PlaybackRules(resumeBuffer: 0))
    rig.order { $0.machine.play(at: $1) }
    rig.wait(100)
    #expect(rig.wait(200) == ["waits for source"])
    let whole = PageRig.animation([10, 20, 30])
    var isTaken = false
    #expect(
      rig.order { isTaken = $0.grow(to: whole, isComplete: true, at: $1) } == ["play 2/3", "goes on"])
    #expect(isTaken && rig.wakesIn == 300)
    rig.order { isTaken = $0.grow(to: whole, isComplete: true, at: $1) }
    #expect(!isTaken)
  }

  @Test("Frames that were looked for in vain and came late or were skipped are the load")
  func load() {
    var rig = PageRig([10, 10, 10, 10], plays: .forever)
    rig.order { $0.machine.play(at: $1) }
    rig.wait(100)
    #expect(rig.actions?.load == LoadShedder.Sample(due: 1, missed: 0))
    // A tick that comes late although the frame is there.
    rig.wait(230)
    #expect(rig.actions?.load == LoadShedder.Sample(due: 2, missed: 0))
    rig.wait(10)
    #expect(rig.actions?.load == LoadShedder.Sample())
    rig.missing = [0]
    #expect(rig.wait(60) == ["loop! 1"])
    rig.missing = []
    #expect(rig.wait(50) == ["loop 0/4"])
    #expect(rig.actions?.load == LoadShedder.Sample(due: 1, missed: 1))
  }

  @Test("Frames that a player leaves out were not due, and those that it shows count as thinned")
  func thinnedLoad() {
    var rig = PageRig([2, 2, 2, 2, 2, 2, 2, 2], plays: .forever)
    rig.order { $0.machine.play(at: $1) }
    rig.order { $0.machine.setStride(4, at: $1) }
    #expect(rig.wait(80) == ["play 4/8"])
    #expect(rig.actions?.load == LoadShedder.Sample(due: 1, missed: 0, thinned: 1))
    // Also where fewer are left out from this frame on.
    rig.order { $0.machine.setStride(2, at: $1) }
    #expect(rig.wait(80) == ["loop! 1", "loop 0/8"])
    #expect(rig.actions?.load == LoadShedder.Sample(due: 1, missed: 0, thinned: 1))
    #expect(rig.wait(40) == ["play 2/8"])
  }

  @Test("A player that becomes visible counts from its first frame in time on, or after two seconds")
  func appearanceLoad() {
    var rig = PageRig(Array(repeating: 10, count: 40), plays: .forever)
    rig.order { $0.machine.play(at: $1) }
    rig.see(.hidden)
    rig.wait(1_000)
    rig.see(.visible)
    rig.missing = [11]
    rig.wait(100)
    rig.missing = []
    #expect(rig.wait(30) == ["play 11/40"] && rig.actions?.load == LoadShedder.Sample())
    #expect(rig.wait(70) == ["play 12/40"] && rig.actions?.load == LoadShedder.Sample(due: 1, missed: 0))
    rig.missing = [13]
    rig.wait(100)
    rig.missing = []
    #expect(rig.wait(30) == ["play 13/40"] && rig.actions?.load == LoadShedder.Sample(due: 1, missed: 1))
    rig.see(.hidden)
    #expect(rig.see(.visible) == ["appear 13/40"])
    rig.missing = Set(14..<40)
    rig.wait(2_070)
    rig.missing = [34]
    #expect(rig.wait(10) == ["play 33/40"] && rig.actions?.load == LoadShedder.Sample(due: 20, missed: 20))
  }
}

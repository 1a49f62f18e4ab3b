import EngineSupport
import GIFTestSupport
import Glibc
import Testing

@testable import GIFCaching

@Suite("PressureRegulator")
struct PressureRegulatorTests {
  private let second: Int64 = 1_000_000_000

  @Test("A report takes effect at once; the worse one counts")
  func effect() {
    var regulator = PressureRegulator()
    #expect(regulator.share == .all)
    #expect(regulator.nextStep == nil)
    regulator.note(.normal, at: 0, chance: 0)
    #expect(regulator.share == .all)
    regulator.note(.warning, at: second, chance: 0)
    #expect(regulator.share == .windows)
    regulator.note(.critical, at: second, chance: 0)
    #expect(regulator.share == .floors)
    regulator.note(.warning, at: second, chance: 0)
    #expect(regulator.share == .floors)
  }

  @Test("Recovery goes in steps, each at its time and not before")
  func steps() {
    var regulator = PressureRegulator()
    regulator.note(.critical, at: 10 * second, chance: 0.5)
    var shares = [regulator.share]
    var now = 10 * second
    while let next = regulator.nextStep {
      #expect(next > now)
      regulator.advance(to: next - 1, chance: 0.5)
      #expect(regulator.share == shares.last)
      regulator.note(.normal, at: next, chance: 0.5)
      shares.append(regulator.share)
      now = next
    }
    #expect(shares == [.floors, .windows, .quarter, .half, .all])
    regulator.advance(to: .max, chance: 0.5)
    #expect(regulator.share == .all)
  }

  @Test("The pause varies by a quarter each way, grows with the warnings, and has an upper limit")
  func pauses() throws {
    func pause(after warnings: Int, chance: Double, every: Int64 = 1) throws -> Double {
      var regulator = PressureRegulator()
      var now: Int64 = 0
      for _ in 0..<warnings {
        now += every
        regulator.note(.warning, at: now, chance: chance)
      }
      return Double(try #require(regulator.nextStep) - now) / 1e9
    }
    #expect(abs(try pause(after: 1, chance: 0) - 7.5) < 0.01)
    #expect(abs(try pause(after: 1, chance: 1) - 12.5) < 0.01)
    #expect(try pause(after: 3, chance: 0.5) > pause(after: 2, chance: 0.5))
    #expect(try pause(after: 10_000, chance: 1) == 120)
    // Far apart they are forgotten.
    #expect(try pause(after: 50, chance: 0.5, every: 3_600 * second) < 10.1)
    for chance in [-5, .nan, .infinity, 5] {
      #expect((7.4...12.6).contains(try pause(after: 1, chance: chance)))
    }
  }

  @Test("Whatever was reported, nothing stays shrunk for good", arguments: 0..<50)
  func neverPinned(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var regulator = PressureRegulator()
    var now: Int64 = 0
    for _ in 0..<Int.random(in: 1...500, using: &random) {
      now += .random(in: 0...10 * second, using: &random)
      let level: MemoryPressure.Level = [.normal, .warning, .critical][Int.random(in: 0..<3, using: &random)]
      regulator.note(level, at: now, chance: .random(in: 0..<1, using: &random))
    }
    let end = now
    var steps = 0
    while let next = regulator.nextStep, steps < 10 {
      #expect(next <= now + PressureRegulator.longestPause)
      now = next
      regulator.note(.normal, at: now, chance: .random(in: 0..<1, using: &random))
      steps += 1
    }
    #expect(regulator.share == .all)
    #expect(now - end <= 4 * PressureRegulator.longestPause)
  }

  @Test("Clocks at both ends of the numbers, and clocks that go back, do no harm")
  func extremes() {
    var regulator = PressureRegulator()
    for now in [Int64.min, .max, 0, .min, .max] {
      regulator.note(.warning, at: now, chance: 0.5)
      regulator.note(.normal, at: now, chance: 0.5)
      regulator.note(.critical, at: now, chance: 0.5)
      #expect(regulator.nextStep ?? .min >= now)
    }
    #expect(regulator.share == .floors)
  }
}

@Suite("MemoryPressure")
struct MemoryPressureTests {
  @Test("Stall information is read as far as it makes sense")
  func status() {
    let text = """
      some avg10=12.50 avg60=3.00 avg300=1.00 total=123
      full avg10=10.01 avg60=0.00 avg300=0.00 total=45

      """
    #expect(PressureStatus(text).some == 12.5)
    #expect(PressureStatus(text).full == 10.01)
    #expect(PressureStatus(text).level == .critical)
    #expect(PressureStatus("some avg10=7.50\nfull avg10=9.99").level == .warning)
    #expect(PressureStatus("some avg10=7.49\nfull avg10=0.00").level == .normal)
    for nonsense in [
      "", "some", "some avg10=", "some avg10=x", "full avg60=99", "other avg10=99", "\n\n  \n",
    ] {
      #expect(PressureStatus(nonsense).level == .normal)
    }
    #expect(PressureStatus("some avg10=nan\nfull avg10=nan").level == .normal)
  }

  @Test("Simulated pressure reaches budgets that follow, and no others, and passes by itself")
  func simulated() throws {
    let (follows, stays) = (FrameBudget(limit: 1 << 20), FrameBudget(limit: 1 << 20))
    follows.followsMemoryPressure = true
    defer { follows.followsMemoryPressure = false }
    MemoryPressure.simulate(.warning)
    #expect(follows.snapshot.pressure == .warning)
    #expect(stays.snapshot.pressure == .normal)
    MemoryPressure.simulate(.critical)
    #expect(follows.snapshot.pressure == .critical)
    // The recovery, at the instants that it names; those are far behind the present by the end.
    var now = MonotonicClock.nanoseconds
    var steps = 0
    while let next = follows.follow(.normal, at: now, chance: 0.5) {
      now = max(now + 1, next)
      steps += 1
      try #require(steps < 20)
    }
    #expect(follows.snapshot.pressure == .normal)
  }

  @Test("A report that comes after a budget has stopped following changes nothing")
  func lateReport() {
    let budget = FrameBudget(limit: 1 << 20)
    budget.followsMemoryPressure = true
    budget.followsMemoryPressure = false
    #expect(budget.follow(.critical, at: MonotonicClock.nanoseconds, isReport: true) == nil)
    #expect(budget.snapshot.pressure == .normal)
  }

  @Test("Pressure ends at once when the level is set to normal, and the next report counts again")
  func normal() {
    let observers = PressureObservers()
    let budget = FrameBudget(limit: 1 << 20)
    observers.add(budget)
    budget.followsMemoryPressure = true
    defer { budget.followsMemoryPressure = false }
    let now = MonotonicClock.nanoseconds
    #expect(observers.report(.critical, at: now) != nil)
    #expect(budget.snapshot.pressure == .critical)
    observers.simulate(.normal)
    #expect(budget.snapshot.pressure == .normal)
    #expect(observers.report(.normal, at: now) == nil, "no step of recovery is left")
    #expect(observers.report(.warning, at: now) != nil)
    #expect(budget.snapshot.pressure == .warning)
  }

  @Test("A budget that is gone gets no reports")
  func gone() {
    let observers = PressureObservers()
    var budget: FrameBudget? = FrameBudget(limit: 1 << 20)
    if let budget { observers.add(budget) }
    weak let watched = budget
    budget = nil
    #expect(watched == nil)
    #expect(observers.report(.critical, at: 0) == nil)
  }

  @Test("The machine's stall information can be armed, where that is allowed")
  func machineTrigger() throws {
    guard let source = PressureSource.stall("/proc/pressure/memory") else {
      return skip("no trigger on /proc/pressure/memory here")
    }
    // Armed, and nothing to tell yet or already: polling it must not fail.
    var descriptor = pollfd(fd: source.descriptor, events: source.events, revents: 0)
    #expect(unsafe poll(&descriptor, 1, 0) >= 0)
    #expect(descriptor.revents & Int16(POLLERR | POLLNVAL) == 0)
    #expect(source.level() >= .warning)
  }

  @Test("What is no stall information, or not there, gives no source")
  func noSource() {
    #expect(PressureSource.stall("/proc/self/no-such-file") == nil)
    #expect(PressureSource.stall("/proc/self/status") == nil)
    #expect(PressureSource.counter("/proc/self") == nil)
    #expect(PressureSource.events("/proc/self/no-such-file") == nil)
    let sources = PressureSources(cgroups: "nonsense\n1:memory:/no/such/group\n0::/no/such/group\n")
    #expect(sources.armed.count <= 1)
  }

  @Test("A control group of version 1 reports its own pressure, where one may be made")
  func controlGroup() throws {
    let group = "/sys/fs/cgroup/memory/gallop-test-\(getpid())"
    guard unsafe mkdir(group, 0o755) == 0 else { return skip("no control group may be made here") }
    defer { unsafe _ = rmdir(group) }
    guard let source = PressureSource.counter(group) else { return skip("no notification may be armed here") }
    var descriptor = pollfd(fd: source.descriptor, events: source.events, revents: 0)
    #expect(unsafe poll(&descriptor, 1, 0) == 0)
    // Taking the group away signals every counter armed on it, in place of real pressure.
    #expect(unsafe rmdir(group) == 0)
    #expect(unsafe poll(&descriptor, 1, 10_000) == 1)
    #expect(source.level() == .warning)
    // The event is taken: nothing more to tell.
    #expect(unsafe poll(&descriptor, 1, 0) == 0)
  }

  @Test("Real work in a control group with too little memory is reported, and seen in what the group uses")
  func realPressure() throws {
    let path = "/sys/fs/cgroup/memory/gallop-work-\(getpid())"
    guard unsafe mkdir(path, 0o755) == 0 else { return skip("no control group may be made here") }
    defer { unsafe _ = rmdir(path) }
    let group = MemoryGroup(path: path, isUnified: false, isRoot: false)
    guard Self.write("\(16 << 20)", to: path + "/memory.limit_in_bytes"),
      let source = PressureSource.counter(path)
    else { return skip("no limit may be set here") }
    #expect(group.limit { SystemFile.text($0) } == 16 << 20)
    #expect(group.level { SystemFile.text($0) } == .normal)
    // tail keeps what has no line end: four times what it may, so that memory is reclaimed with every effort.
    var pid = pid_t()
    let words = [
      "/bin/sh", "-c", "echo $$ > \(path)/cgroup.procs && head -c 64M /dev/zero | tail -c 60M > /dev/null",
    ]
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    try #require(unsafe posix_spawn(&pid, "/bin/sh", nil, nil, &arguments, environ) == 0)
    var descriptor = pollfd(fd: source.descriptor, events: source.events, revents: 0)
    let isTold = unsafe poll(&descriptor, 1, 30_000) == 1
    _ = waitpid(pid, nil, 0)
    #expect(isTold && source.level() == .warning)
    #expect(!source.isDead(0) && source.isDead(Int16(POLLERR)))
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let descriptor = unsafe open(path, O_WRONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      == bytes.count
  }

  private func skip(_ reason: String) { print("skipped: \(reason)") }
}

internal import Gallop
internal import Glibc

/// A control panel without buttons: a script drives players with the commands that a user's buttons would
/// give.
///
///     swift run -c release control-panel GIFs/gallop.gif GIFs/spinner.gif < Scripts/control-panel.txt
///
/// The script moves the time, too, so every run prints the same. `expect` states what must hold; where it
/// does not, the line is named and the exit status is 1.
@main
struct ControlPanel {
  private let time = ManualTime()
  private let clock: PlaybackClock
  private let group: SyncGroup
  private let players: [GIFPlayer]
  private var saved: [PlaybackSnapshot]
  /// The player that commands apply to.
  private var selected = 0

  static func main() {
    let paths = Array(CommandLine.arguments.dropFirst())
    guard !paths.isEmpty else {
      print("usage: control-panel FILE.gif... < SCRIPT")
      exit(64)
    }
    do {
      var panel = try ControlPanel(paths)
      for (index, line) in sequence(state: (), next: { _ in readLine() }).enumerated() {
        do throws(ScriptError) {
          try panel.perform(line)
        } catch {
          print("line \(index + 1): \(line): \(error.reason)")
          exit(1)
        }
      }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  private init(_ paths: [String]) throws(GIFLoadingError) {
    clock = PlaybackClock(drivenWith: time.now)
    group = SyncGroup(clock: clock)
    var players: [GIFPlayer] = []
    // Frames are decoded on this thread when they are due, so that no run depends on the speed of the
    // machine.
    for path in paths {
      players.append(GIFPlayer(try GIFImage(contentsOfFile: path), clock: clock, pool: .inline))
    }
    self.players = players
    saved = players.map(\.snapshot)
  }

  /// Performs a line of the script: a command and its values. A line without words does nothing.
  private mutating func perform(_ line: String) throws(ScriptError) {
    var words = Words(line)
    let player = players[selected]
    switch words.next() {
    case nil: return
    case "expect": return try expect(&words)
    case "select": selected = try words.value { Int($0).flatMap { players.indices.contains($0) ? $0 : nil } }
    case "play": player.play()
    case "pause": player.pause()
    case "stop": player.stop()
    case "restart": player.restart()
    case "poster": player.showPoster(try words.value { Int($0) })
    case "seek": player.seek(toFrame: try words.value { Int($0) })
    case "step": player.step(by: try words.value { Int($0) })
    case "speed": player.rate = try words.value { Double($0) }
    case "mode": player.mode = try words.value { PlaybackMode(rawValue: $0) }
    case "range":
      let first = try words.value { Int($0) }
      player.setRange(first..<max(first, try words.value { Int($0) }))
    case "range-all": player.setRange(nil)
    case "scrub":
      player.beginScrubbing()
      while words.isMore { player.scrub(toFrame: try words.value { Int($0) }) }
      player.endScrubbing()
    case "save": saved[selected] = player.snapshot
    case "restore": player.restore(saved[selected])
    case "priority": player.priority = try words.value { PlaybackPriority(rawValue: $0) }
    case "motion-first-frame": player.reducedMotion = .firstFrame
    case "motion-slow": player.reducedMotion = .slow(0.5)
    case "motion-off": player.reducedMotion = .off
    case "group": for player in players { group.add(player) }
    case "ungroup": for player in players { group.remove(player) }
    case "group-play": group.play()
    case "group-pause": group.pause()
    case "group-seek": group.seek(to: .milliseconds(try words.value { Int($0) }))
    case "group-first-frame": group.reduceMotion(.firstFrame)
    case "group-motion": group.reduceMotion(.off)
    case "group-speed": group.rate = try words.value { Double($0) }
    case "wait": wait(for: .milliseconds(try words.value { Int($0) }), inStepsOf: .milliseconds(5))
    // A machine with too much to do: frames come late.
    case "stall": wait(for: .milliseconds(try words.value { Int($0) }), inStepsOf: .milliseconds(250))
    default: throw ScriptError(reason: "there is no such command")
    }
    print("\(line): \(status)")
  }

  private func wait(for duration: Duration, inStepsOf step: Duration) {
    for _ in 0..<Int(duration / step) {
      time.advance(by: step)
      clock.tick()
    }
  }

  private func expect(_ words: inout Words) throws(ScriptError) {
    let player = players[selected]
    let name = try words.value { $0 }
    let found =
      switch name {
      case "frame": player.currentFrame.map { "\($0.index)" } ?? "none"
      case "state": player.state.rawValue
      case "load": "\(clock.loadLevel)"
      default: throw ScriptError(reason: "nothing is known of \(name)")
      }
    guard try words.value({ $0 }) == found else { throw ScriptError(reason: "it is \(found)") }
  }

  private var status: String {
    let player = players[selected]
    let frame = player.currentFrame.map { "frame \($0.index)" } ?? "no frame"
    let state = "\(player.state), \(player.mode), \(player.rate)x, \(frame), load level \(clock.loadLevel)"
    guard let rate = player.frameRate else { return state }
    return state + ", \(Int(rate.effective)) of \(Int(rate.scheduled)) frames a second"
  }
}

/// Why a line of a script cannot be performed.
private struct ScriptError: Error {
  let reason: String
}

/// The words of a line up to a `#`, one after another.
private struct Words {
  private var rest: ArraySlice<Substring>

  init(_ line: String) { rest = line.prefix { $0 != "#" }.split(separator: " ")[...] }

  var isMore: Bool { !rest.isEmpty }

  mutating func next() -> String? { rest.popFirst().map(String.init) }

  mutating func value<Value>(_ parse: (String) -> Value?) throws(ScriptError) -> Value {
    guard let value = next().flatMap(parse) else { throw ScriptError(reason: "a value is missing or wrong") }
    return value
  }
}

internal import GIFPlayback
public import GIFStage
internal import GIFTimeline

/// Runs a stage in a window: input in, time on, what has changed out, at the pace of the screen.
public struct WindowLoop {
  private let window: Window
  private let stage: Stage
  /// Deals with a key; without it keys have no effect.
  public var onKey: (StageKey) -> Void = { _ in }
  /// Called at each turn; returns whether to go on.
  public var goesOn: () throws -> Bool = { true }
  /// The longest sleep, so that ``goesOn`` is asked now and then.
  public var longestSleep = Duration.milliseconds(50)

  public init(window: Window, stage: Stage) {
    self.window = window
    self.stage = stage
  }

  /// Runs until the window is closed or ``goesOn`` says no.
  public func run() throws {
    var isLost = false
    while try goesOn() {
      for input in Self.merged(window.takeInput()) {
        switch input {
        case .closed: return
        case .key(let key): onKey(key)
        case .pointer(let event): stage.pointer(event)
        case .wheel(let pixels, let x, let y): stage.wheel(pixels, x: x, y: y)
        case .resized(let width, let height, let scale):
          stage.resize(width: width, height: height, scale: scale)
        case .exposed: isLost = true
        }
      }
      let next = stage.tick()
      let changed = stage.draw()
      if !changed.isEmpty || isLost {
        try window.show(stage.surface, changed: isLost ? [stage.surface.bounds] : changed)
        isLost = false
      }
      window.waitForInput(milliseconds: Self.sleep(until: next, from: stage.clock.now, atMost: longestSleep))
    }
  }

  /// Several sizes, or several places of a pointer, in a row are as good as the last one.
  static func merged(_ inputs: [WindowInput]) -> [WindowInput] {
    var merged: [WindowInput] = []
    for input in inputs {
      switch (merged.last, input) {
      case (.resized, .resized), (.exposed, .exposed): merged.removeLast()
      case (.pointer(let former), .pointer(let new)) where former.phase == .moved && new.phase == .moved:
        merged.removeLast()
      default: break
      }
      merged.append(input)
    }
    return merged
  }

  /// Whole milliseconds to sleep: to the instant, rather a little short than late.
  static func sleep(until next: PlaybackInstant?, from now: PlaybackInstant, atMost longest: Duration) -> Int
  {
    let limit = Int(longest / .milliseconds(1))
    guard let next else { return limit }
    guard next > now else { return 0 }
    return min(limit, max(1, Int(min(1e6, (next - now) / .milliseconds(1)))))
  }
}

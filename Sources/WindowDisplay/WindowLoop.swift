internal import GIFPlayback
public import GIFStage
internal import GIFTimeline

/// The event loop of a stage in a window: input, tick, draw, present.
public struct WindowLoop {
  private let window: Window
  private let stage: Stage
  /// Handles a key; without it keys have no effect.
  public var onKey: (StageKey) -> Void = { _ in }
  /// Called at each turn; returns whether the loop continues.
  public var shouldContinue: () throws -> Bool = { true }
  /// The longest sleep between two calls of ``shouldContinue``.
  public var longestSleep = Duration.milliseconds(50)

  /// Creates a loop; ``run()`` starts it.
  ///
  /// A stage without letters of its own gets those of the system's font; see ``SystemFont``.
  public init(window: Window, stage: Stage) {
    if stage.glyphs == nil { stage.glyphs = SystemFont() }
    self.window = window
    self.stage = stage
  }

  /// Runs until the window is closed or ``shouldContinue`` returns false.
  public func run() throws {
    var needsFullRedraw = false
    while try shouldContinue() {
      for input in Self.merged(window.takeInput()) {
        switch input {
        case .closed: return
        case .key(let key): onKey(key)
        case .pointer(let event): stage.pointer(event)
        case .hover(let x, let y): stage.hover(at: (x, y))
        case .left: stage.hover(at: nil)
        case .wheel(let pixels, let x, let y): stage.wheel(pixels, x: x, y: y)
        case .resized(let width, let height, let scale):
          stage.resize(width: width, height: height, scale: scale)
        case .exposed: needsFullRedraw = true
        }
      }
      let next = stage.tick()
      let changed = stage.draw()
      if !changed.isEmpty || needsFullRedraw {
        try window.show(stage.surface, changed: needsFullRedraw ? [stage.surface.bounds] : changed)
        needsFullRedraw = false
      }
      window.waitForInput(milliseconds: Self.sleep(until: next, from: stage.clock.now, atMost: longestSleep))
    }
  }

  /// Merges consecutive resizes and pointer moves into the last one.
  static func merged(_ inputs: [WindowInput]) -> [WindowInput] {
    var merged: [WindowInput] = []
    for input in inputs {
      switch (merged.last, input) {
      case (.resized, .resized), (.exposed, .exposed), (.hover, .hover): merged.removeLast()
      case (.pointer(let former), .pointer(let new)) where former.phase == .moved && new.phase == .moved:
        merged.removeLast()
      default: break
      }
      merged.append(input)
    }
    return merged
  }

  /// The whole milliseconds to sleep until an instant, rounded down.
  static func sleep(until next: PlaybackInstant?, from now: PlaybackInstant, atMost longest: Duration) -> Int
  {
    let limit = Int(longest / .milliseconds(1))
    guard let next else { return limit }
    guard next > now else { return 0 }
    return min(limit, max(1, Int(min(1e6, (next - now) / .milliseconds(1)))))
  }
}

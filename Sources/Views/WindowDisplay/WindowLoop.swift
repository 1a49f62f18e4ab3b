internal import GIFPlayback
public import GIFStage
internal import GIFTimeline

/// The event loop of a stage in a window: input, tick, draw, present.
public struct WindowLoop {
  private let window: Window
  private let stage: Stage
  /// Handles a key; without it keys have no effect.
  public var onKey: (StageKey) -> Void = { _ in }
  /// Called at each iteration; returns whether the loop continues.
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
  ///
  /// The thread is not given up: on the main thread, nothing else of the main actor runs meanwhile. A program
  /// with tasks or handlers there calls the method of the same name with `await`.
  public func run() throws {
    var needsFullRedraw = false
    while try shouldContinue() {
      guard let next = try iterate(&needsFullRedraw) else { return }
      window.waitForInput(milliseconds: Self.sleep(until: next, from: stage.clock.now, atMost: longestSleep))
    }
  }

  /// Runs until the window is closed, ``shouldContinue`` returns false, or the task is cancelled. Between its
  /// iterations, which come at least 120 times a second, other tasks of the same actor run.
  public func run(isolation: isolated (any Actor)? = #isolation) async throws {
    var needsFullRedraw = false
    while try shouldContinue(), !Task.isCancelled {
      guard let next = try iterate(&needsFullRedraw) else { return }
      let sleep = Self.sleep(until: next, from: stage.clock.now, atMost: min(longestSleep, .milliseconds(8)))
      try? await Task.sleep(for: .milliseconds(max(1, sleep)))
    }
  }

  /// Takes input, ticks, draws and shows; returns the instant of the next iteration, or nil once the window
  /// is closed.
  private func iterate(_ needsFullRedraw: inout Bool) throws -> PlaybackInstant?? {
    for input in Self.merged(window.takeInput()) {
      switch input {
      case .closed: return nil
      case .key(let key): onKey(key)
      case .pointer(let event): stage.pointer(event)
      case .hover(let x, let y): stage.hover(at: (x, y))
      case .left: stage.hover(at: nil)
      case .wheel(let pixels, let x, let y): stage.wheel(pixels, x: x, y: y)
      case .resized(let width, let height, let scale):
        guard Stage.getsMemory(width: width, height: height) else {
          throw WindowError("the window gets no memory for \(width) x \(height) pixels")
        }
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
    return .some(next)
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

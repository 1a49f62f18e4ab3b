/// What the canvas shows before a frame is drawn.
enum CanvasState: Sendable, Equatable {
  /// Nothing: every pixel is transparent.
  case cleared
  /// The picture of a frame whose disposal is still due.
  case showing(Int)
  /// The picture of a frame after its disposal.
  case disposed(Int)
  /// Something that no frame can build on: it counts as empty and still has to be cleared.
  case stale

  /// The frame that the picture is of.
  var frame: Int? {
    switch self {
    case .showing(let frame), .disposed(let frame): frame
    case .cleared, .stale: nil
    }
  }
}

/// Which frames have to be decoded to show one, and from what the canvas starts.
struct RenderPlan: Equatable {
  enum Start: Equatable {
    /// From what the canvas shows.
    case present
    /// From the kept canvas of a frame.
    case kept(Int)
    /// From an empty canvas.
    case cleared
  }

  var start: Start
  /// The frames to draw in order; the last one is the one wanted.
  var frames: [Int]

  /// The shortest way to `target`.
  ///
  /// A picture serves as the base of frame i if it is that of the required frame, or of any later one before
  /// i: what they add, i covers. A frame that requires none goes on from its direct predecessor (whose
  /// disposal leaves what the frame needs, as long as nothing is damaged) or from an empty canvas.
  ///
  /// - Parameters:
  ///   - state: what the canvas shows.
  ///   - isSound: whether the picture of a frame is complete.
  ///   - requires: the frame on which another must be drawn, where that is not the one that Chromium
  ///     requires.
  ///   - kept: the frame of a kept canvas on which a frame can be drawn, if there is one.
  init(
    to target: Int, from state: CanvasState, frames: [FrameInfo], isSound: (Int) -> Bool,
    requires: ((Int) -> Int?)? = nil, kept: (Int) -> Int? = { _ in nil }
  ) {
    let requires = { requires?($0) ?? frames[$0].requiredFrame }
    var steps = [target]
    var frame = target
    while true {
      if Self.serves(state, for: frame, requires: requires, isSound: isSound) {
        start = .present
        break
      }
      if let base = kept(frame) {
        start = .kept(base)
        break
      }
      guard let required = requires(frame) else {
        start = .cleared
        break
      }
      frame = required
      steps.append(frame)
    }
    self.frames = steps.reversed()
  }

  /// Whether a frame can be drawn on what the canvas shows.
  static func serves(
    _ state: CanvasState, for frame: Int, requires: (Int) -> Int?, isSound: (Int) -> Bool
  ) -> Bool {
    guard let base = state.frame else { return state == .cleared && requires(frame) == nil }
    guard base < frame else { return false }
    guard let required = requires(frame) else { return base == frame - 1 && isSound(base) }
    // A damaged base still is what the browser draws upon where it is the required one itself; whether the
    // frame then shows at all is not decided here.
    return base == required || (base > required && isSound(base))
  }
}

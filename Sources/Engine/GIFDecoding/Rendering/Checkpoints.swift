/// The canvases that a renderer keeps, so that frames out of order cost few decodings.
public struct CheckpointPolicy: Sendable, Hashable {
  /// The largest number of decodings for one frame, once all frames before it have been decoded.
  package var interval: Int
  /// The largest number of bytes for kept canvases.
  ///
  /// Beyond it, every second canvas is evicted and the interval doubles; a single canvas is replaced by the
  /// next.
  package var byteLimit: Int64
  /// Whether canvases are kept only once a frame out of order, but for the first one drawn, takes several
  /// decodings.
  package private(set) var isLazy = false

  /// Makes a policy that keeps canvases from the first frame on.
  public init(interval: Int = 32, byteLimit: Int64 = 32 << 20) {
    self.interval = max(1, interval)
    self.byteLimit = byteLimit
  }

  /// Keeps canvases from the first seek on that takes several decodings. Playing in order, and the first
  /// frame of all, keep none, as a copy of a large canvas may take longer than decoding a frame.
  public static let automatic: CheckpointPolicy = {
    var policy = CheckpointPolicy()
    policy.isLazy = true
    return policy
  }()

  /// Keeps no canvas: seeking back decodes from the key frame.
  public static let none = CheckpointPolicy(interval: 1, byteLimit: 0)
}

/// The kept canvases, so that seeking back need not begin at the key frame.
struct Checkpoints: Sendable {
  private(set) var policy: CheckpointPolicy
  private var interval: Int
  private let canvasBytes: Int64
  /// Whether a lazy policy has seen no seek yet.
  private var isWaiting: Bool
  /// In frame order; each shows its frame, with the disposal still due.
  private var kept: [(frame: Int, canvas: Canvas)] = []
  /// How many decodings lead to each frame decoded so far, from a key frame or a kept canvas.
  private var depths = PerFrame<Int>()

  init(_ policy: CheckpointPolicy, canvasBytes: Int64) {
    self.policy = policy
    self.canvasBytes = canvasBytes
    interval = policy.interval
    isWaiting = policy.isLazy
  }

  /// Notes that a frame out of order takes several decodings.
  mutating func noteSeek() { isWaiting = false }

  private var capacity: Int { canvasBytes > 0 ? Int(clamping: policy.byteLimit / canvasBytes) : 0 }

  /// Changes how many bytes may be kept, and evicts canvases beyond that.
  mutating func limit(to bytes: Int64) {
    let before = capacity
    policy.byteLimit = max(0, bytes)
    // The interval grew for want of room: where there is more, canvases are kept as densely as at first.
    if capacity > before { interval = policy.interval }
    if capacity == 0 { kept = [] }
    while kept.count > capacity { thinOut() }
  }

  /// Bytes held.
  var byteCount: Int64 { kept.reduce(0) { $0 + Int64($1.canvas.pixelCount) * 4 } }

  /// Notes a frame just drawn, and keeps the canvas where the way to it has become long and the frame is
  /// sound. A damaged frame only makes the way longer. Frames that leave no trace are of no use: nothing
  /// builds on them.
  ///
  /// - Parameter base: the frame that had to be drawn before it, if any.
  mutating func note(_ frame: FrameInfo, isSound: Bool = true, drawnOn base: Int?, canvas: Canvas) {
    guard !isWaiting, capacity > 0, frame.disposal != .previous else { return }
    let depth = (base.flatMap { depths[$0] } ?? 0) + 1
    depths[frame.index] = depth
    guard isSound, depth >= interval else { return }
    if kept.contains(where: { $0.frame == frame.index }) {
      depths[frame.index] = 0
      return
    }
    if capacity == 1 {
      // With one canvas there is no second to evict, and the interval would double past the end of any file.
      kept = []
    } else if kept.count >= capacity {
      thinOut()
      guard depth >= interval, kept.count < capacity else { return }
    }
    let place = kept.firstIndex { $0.frame > frame.index } ?? kept.count
    kept.insert((frame.index, canvas), at: place)
    depths[frame.index] = 0
  }

  /// The nearest kept frame on which `frame` can be drawn: the one it requires, or any undamaged one between.
  func base(for frame: Int, requiring required: Int?) -> Int? {
    guard let required, let place = kept.lastIndex(where: { $0.frame < frame }), kept[place].frame >= required
    else { return nil }
    return kept[place].frame
  }

  func canvas(showing frame: Int) -> Canvas? { kept.first { $0.frame == frame }?.canvas }

  /// Evicts every second canvas and keeps the last.
  private mutating func thinOut() {
    interval *= 2
    let last = kept.count - 1
    kept = kept.indices.filter { (last - $0) % 2 == 0 }.map { kept[$0] }
  }
}

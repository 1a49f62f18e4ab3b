internal import GIFDecoding
internal import GIFTimeline

/// What a store holds and does next: a pure state machine; pictures and palette indices are opaque to it.
///
/// One animation, any number of players, each with its own playhead. Pictures are decoded in the order in which
/// anybody needs them; room is made before a picture exists, so the bytes held never pass what was granted.
struct StoreState<Picture: Sendable, Plane: Sendable>: Sendable {
  var shape: StoreShape
  var clients: [StoreClient.ID: StoreClient] = [:]
  /// What ``clients`` are like, all in all.
  var tally = PlayerTally()
  var hot: [Picture?]
  var hotCount = 0
  var warm: [Plane?]
  var warmBytes: Int64 = 0
  var warmCount = 0
  var planeSizes: [Int64]
  /// Bytes of palette indices that are not in ``warm`` yet, or no longer, but still in use by the decoding thread.
  var planesInUse: Int64 = 0
  var lentPlane: Int?
  /// How many served players show each frame or show it next, and how many frames that are.
  var needs: [Int]
  var neededFrames = 0
  /// What the budget was told last of ``neededFrames``.
  var toldNeeded = 2
  var plan = TierPlan.nothing
  /// A picture given up, on its way to the thread that decodes.
  var spare: Picture?
  /// The frame being decoded, whose room is taken already.
  var inFlight: Int?
  /// Whether a renderer exists, with its canvas.
  var hasRenderer = false
  var checkpointBytes: Int64 = 0
  var totals = StoreTotals()
  /// Why no picture can be made; the same for all players, and for good.
  var failure: GIFError?
  var nextClient = 0
  /// What the pool has in its queue for this store: only the newest entry counts.
  var queued: PoolTurn?
  var lastTicket = 0
  /// Whether something was not decoded for want of room, so that any player's move may change that.
  var lacksRoom = false
  /// The player whose picture is on its way, and where that is overdue, the frame that was aimed at first.
  var pursuit: (client: StoreClient.ID, overdue: Int?)?
  /// How soon the picture was needed that was dropped for the one on its way: what is needed no sooner must not take
  /// its place, or the two would drop each other for ever.
  var clearedRank: Int?
  /// What a renderer takes, as the plan in force reckons.
  var rendererBytes: Int64
  /// Whether the image has grown since the budget was asked last.
  var hasGrown = false
  /// The frame that has come to be another while something was being decoded.
  var outdated: Int?

  init(shape: StoreShape) {
    self.shape = shape
    rendererBytes = shape.rendererBytes
    hot = Array(repeating: nil, count: shape.frameCount)
    warm = Array(repeating: nil, count: shape.frameCount)
    planeSizes = Array(repeating: 0, count: shape.frameCount)
    needs = Array(repeating: 0, count: shape.frameCount)
  }

  /// Bytes of everything held: pictures, indices, canvases, the renderer, and the room of what is being decoded.
  var heldBytes: Int64 {
    Int64(hotCount + (inFlight == nil ? 0 : 1)) * shape.frameBytes + warmBytes + planesInUse
      + checkpointBytes
      + (hasRenderer ? rendererBytes : 0)
  }

  var audience: StoreAudience {
    var audience = failure == nil ? tally.audience : StoreAudience()
    audience.needed = toldNeeded
    return audience
  }
}

/// What a store has done since it was made.
struct StoreTotals: Sendable, Hashable {
  var decodedFrames = 0
  var composedFrames = 0
  var demotions = 0
  var evictions = 0
  var peakBytes: Int64 = 0
  /// Times that a player was asked which picture it misses.
  var askedPlayers = 0
}

/// An entry in the pool's queue.
struct PoolTurn: Sendable, Hashable {
  /// When the picture is needed, in nanoseconds of the players' clock.
  var urgency: Int64
  /// Tells the newest entry of a client from older ones.
  var ticket: Int
}

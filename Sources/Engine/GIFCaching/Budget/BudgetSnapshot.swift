package import GIFDecoding

/// A budget at one moment.
public struct BudgetSnapshot: Sendable, Hashable, CustomStringConvertible {
  /// Bytes that may be held.
  package let limit: Int64
  /// All that is held.
  public let heldBytes: Int64
  /// The part of it that is frames, finished or as palette indices.
  package let frameBytes: Int64
  /// The part of it that is renderers with their canvases, and canvases kept on the way.
  package let rendererBytes: Int64
  /// The part of it that is compressed bytes of images in memory.
  package let compressedBytes: Int64
  /// What the animations that play cannot do without: held even beyond the limit, with all renderers packed
  /// but those at work.
  public let floorBytes: Int64
  /// The most bytes held at any time.
  public let peakBytes: Int64
  /// What is given out because of memory pressure.
  public let pressure: MemoryPressure.Level
  /// How many different animations, or sizes of one, are held.
  public var animationCount: Int { stores.count }
  /// Whether more is held than the limit allows, or would be if every player had a frame to show.
  public var isOverLimit: Bool { max(heldBytes, floorBytes) > limit }

  /// The store of each animation, with what it may hold.
  package let stores: [Entry]
  /// The last 256 decisions, oldest first.
  package let decisions: [BudgetDecision]

  /// A store with the bytes that it may hold.
  package struct Entry: Sendable, Hashable {
    package let grant: Int64
    package let store: StoreSnapshot
  }

  init(_ state: BudgetState, stores: [Entry], heldBytes: Int64, peakBytes: Int64) {
    limit = state.limit
    self.heldBytes = heldBytes
    frameBytes = stores.reduce(0) { $0 + $1.store.frameBytes + $1.store.warmBytes }
    rendererBytes = stores.reduce(0) { $0 + $1.store.rendererBytes + $1.store.checkpointBytes }
    compressedBytes = state.compressedBytes
    floorBytes = state.floorBytes
    self.peakBytes = peakBytes
    pressure = state.pressure
    self.stores = stores
    decisions = state.decisions
  }

  /// One line, for logs.
  public var description: String {
    let excess = isOverLimit ? ", over the limit with the \(floorBytes) that the players need" : ""
    return "\(heldBytes) of \(limit) bytes\(excess): \(frameBytes) in frames, "
      + "\(rendererBytes) in renderers, \(compressedBytes) compressed, "
      + "of \(animationCount) animations; memory pressure \(pressure)"
  }
}

/// What one store holds, and what it has done since it was made.
package struct StoreSnapshot: Sendable, Hashable {
  /// The canvas.
  package let width: Int
  package let height: Int
  /// The size of the finished frames where it differs from the canvas.
  package let size: PixelSize?
  package let frameCount: Int
  package let players: Int
  package let heldBytes: Int64
  package let hotFrames: Int
  /// Bytes of finished frames, the one being decoded included.
  package let frameBytes: Int64
  package let warmFrames: Int
  /// Bytes of palette indices.
  package let warmBytes: Int64
  /// Bytes of the renderer with its canvas; 0 where there is none.
  package let rendererBytes: Int64
  /// Bytes of canvases kept to find the way back.
  package let checkpointBytes: Int64
  package let decodedFrames: Int
  package let composedFrames: Int
  package let demotions: Int
  package let evictions: Int
}

extension StoreSnapshot {
  init<Hot, Warm>(_ state: StoreState<Hot, Warm>, of animation: Animation, size: PixelSize?) {
    let (held, totals) = (state.held, state.held.totals)
    self.init(
      width: animation.width, height: animation.height, size: size, frameCount: state.costs.frameCount,
      players: state.players.count, heldBytes: held.bytes, hotFrames: held.hotCount,
      frameBytes: held.finishedBytes, warmFrames: held.warmCount, warmBytes: held.indexBytes,
      rendererBytes: held.rendererBytes, checkpointBytes: held.canvasBytes,
      decodedFrames: state.turns.decodedFrames, composedFrames: totals.composedFrames,
      demotions: totals.demotions, evictions: totals.evictions)
  }
}

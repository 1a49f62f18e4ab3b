internal import GIFDecoding
internal import GIFTimeline

/// How the bytes that a store was granted are spent.
///
/// A frame has three forms. Hot is the finished frame. Warm are its palette indices, from which it is
/// composed without decoding. Cold are the compressed bytes of the file. The bytes go first to what saves the
/// most time for each:
/// 1. the frames due next,
/// 2. palette indices, which take a quarter of a frame's bytes or less and save the larger part of the work,
/// 3. frames that come round again.
///
/// If the whole loop fits as finished frames, it has no use for palette indices.
struct TierPlan: Sendable, Hashable {
  /// Finished frames held at the most.
  var hotFrames: Int
  /// Bytes of palette indices held at the most.
  var warmBytes: Int64
  /// Bytes of canvases kept for going back.
  var checkpointBytes: Int64
  /// Whether anything may be decoded: only with what the renderer and two frames take.
  var decodes: Bool
  /// Whether the renderer is packed between turns.
  var packs = false

  static let nothing = TierPlan(hotFrames: 0, warmBytes: 0, checkpointBytes: 0, decodes: false)

  init(hotFrames: Int, warmBytes: Int64, checkpointBytes: Int64, decodes: Bool) {
    self.decodes = decodes
    self.hotFrames = hotFrames
    self.warmBytes = warmBytes
    self.checkpointBytes = checkpointBytes
  }

  /// - Parameter packs: whether the grant counts the renderer as it is between turns.
  init(grant: Int64, packs: Bool, demand: BudgetDemand, costs: DecodingCosts, needs: PlayerNeeds) {
    // The renderer may have come to release less than when the budget was asked; it decodes all the same.
    let opened = packs ? max(grant + demand.released, demand.floor) : grant
    self.init(grant: opened, demand: demand, costs: costs, needs: needs)
    self.packs = packs && decodes
  }

  private init(grant: Int64, demand: BudgetDemand, costs: DecodingCosts, needs: PlayerNeeds) {
    guard needs.served > 0 else {
      let kept = costs.frameBytes > 0 ? Int(clamping: max(0, grant) / costs.frameBytes) : costs.frameCount
      self.init(hotFrames: min(costs.frameCount, kept), warmBytes: 0, checkpointBytes: 0, decodes: false)
      return
    }
    guard grant >= demand.floor else {
      self = .nothing
      return
    }
    if grant >= demand.whole {
      self.init(hotFrames: costs.frameCount, warmBytes: 0, checkpointBytes: 0, decodes: true)
      return
    }
    var frameBytes = min(grant, demand.window) - costs.rendererBytes
    var remaining = max(0, grant - demand.window)
    let checkpoints = needs.seeksBack ? min(remaining / 4, 8 * costs.canvasBytes) : 0
    remaining -= checkpoints
    let warm = demand.warm > demand.window ? min(remaining, costs.planeBytes) : 0
    frameBytes += remaining - warm
    let hot = costs.frameBytes > 0 ? Int(clamping: max(0, frameBytes) / costs.frameBytes) : costs.frameCount
    self.init(
      hotFrames: min(hot, costs.frameCount), warmBytes: warm, checkpointBytes: checkpoints, decodes: true)
  }
}

extension BudgetDemand {
  /// What a store has use for.
  init(_ costs: DecodingCosts, _ needs: PlayerNeeds) {
    guard needs.served > 0 else {
      // The frames that were shown last, so that a player that comes back does not flash.
      let shown = Int64(min(costs.frameCount, needs.resting)) * costs.frameBytes
      self.init(
        visibility: .hidden, floor: 0, needed: shown, window: shown, warm: shown,
        whole: needs.resting > 0 ? Int64(costs.frameCount) * costs.frameBytes : 0)
      return
    }
    func bytes(_ count: Int) -> Int64 {
      costs.rendererBytes + Int64(min(costs.frameCount, count)) * costs.frameBytes
    }
    let needed = max(2, needs.neededFrames) + needs.resting
    // Where players are spread out, each group of them reads ahead for itself.
    let window = bytes(needed + max(1, needs.neededFrames / 2) * max(0, needs.readAhead - 1))
    let whole = bytes(costs.frameCount)
    let back = needs.seeksBack ? 8 * costs.canvasBytes : 0
    let warm = window + costs.planeBytes + back
    self.init(
      visibility: needs.visibility, floor: bytes(2), released: costs.releasedBytes,
      packedPixelRate: costs.packedPixelRate,
      needed: bytes(needed), window: window, warm: warm < whole ? warm : window, whole: whole)
  }
}

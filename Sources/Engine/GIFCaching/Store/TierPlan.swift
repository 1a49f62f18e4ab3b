internal import GIFDecoding

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

internal import GIFDecoding
internal import GIFTimeline

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

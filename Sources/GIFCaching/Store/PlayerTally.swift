internal import GIFTimeline

/// Counts the players of a store by what they want. Pure.
///
/// It is kept up to date player by player: asking all of them at each change would cost the square of their number.
struct PlayerTally: Sendable {
  private var hidden = 0
  private var seekingBack = 0
  /// Players for which frames are decoded, by visibility and by how far ahead of each.
  private var visible = 0
  private var near = 0
  private var readAheads: [Int: Int] = [:]

  /// Enters a player as it is now, or takes it out as it was entered.
  mutating func count(_ client: StoreClient, by change: Int) {
    guard client.isServed else {
      if client.isActive { hidden += change }
      return
    }
    if client.visibility == .visible { visible += change } else { near += change }
    if client.seeksBack { seekingBack += change }
    let readAhead = client.readAhead
    let count = readAheads[readAhead, default: 0] + change
    readAheads[readAhead] = count == 0 ? nil : count
  }

  /// All of it but the frames needed.
  var audience: StoreAudience {
    var audience = StoreAudience()
    audience.active = visible + near
    audience.hidden = hidden
    audience.readAhead = readAheads.keys.reduce(audience.readAhead, max)
    audience.seeksBack = seekingBack > 0
    audience.visibility = visible > 0 ? .visible : near > 0 ? .near : .hidden
    return audience
  }
}

/// On the web no player leaves out frames for others: a worker decodes for all of a page.
struct Thinning: Sendable {}

extension PlaybackMachine {
  package var stride: Int { 1 }

  mutating func endFormerStride(at position: Timeline.Position) {}
}

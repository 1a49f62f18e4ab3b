/// The web sheds no load and tells no frame rate.
struct PlayerLoad: Sendable {
  var frameRate: FrameRate? { nil }

  mutating func appear(at now: PlaybackInstant) {}

  mutating func count(_ shown: ShownFrame, stride: Int, awaitedDecoding: Bool, at now: PlaybackInstant) {}

  mutating func take() -> LoadShedder.Sample { LoadShedder.Sample() }
}

/// The samples that change with each frame of a play, kept so that the next play decodes nothing.
struct SampledPlay: Sendable {
  /// The first one is whole.
  private(set) var pictures: [SampledPicture] = []
  /// Samples for which there is room: eight megabytes.
  private var room = 1 << 20

  /// What a picture takes beside its samples, in samples.
  private static let overhead = 16

  /// Keeps the next picture, as long as there is room for all from the first one on.
  mutating func append(_ picture: SampledPicture, step: Int) {
    let size = picture.count + Self.overhead
    guard step == pictures.count, size <= room else { return }
    room -= size
    pictures.append(picture.compacted())
  }
}

/// The samples that change with each frame of a play, kept so that the next play decodes nothing.
struct SampledPlay: Sendable {
  /// Of the pictures one after the other; the first one is whole.
  private var (samples, pixels): ([UInt32], [UInt32]) = ([], [])
  /// Where each picture ends in them.
  private var ends: [Int] = []

  /// The most samples: eight megabytes.
  private static let mostSamples = 1 << 20
  /// What a picture takes beside its samples, in samples.
  private static let overhead = 16

  /// How many pictures there are.
  var count: Int { ends.count }

  /// Keeps the next picture, as long as there is room for all from the first one on.
  mutating func append(_ picture: SampledPicture, step: Int) {
    let size = samples.count + picture.count + Self.overhead * (count + 1)
    guard step == count, size <= Self.mostSamples else { return }
    picture.append(to: &samples, &pixels)
    ends.append(samples.count)
  }

  /// Copies a picture.
  func load(_ step: Int, into picture: inout SampledPicture) {
    let range = (step == 0 ? 0 : ends[step - 1])..<ends[step]
    picture.replace(samples[range], pixels[range])
  }
}

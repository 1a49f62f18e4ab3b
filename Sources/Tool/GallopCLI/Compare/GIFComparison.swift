internal import GIFStage
internal import Gallop

/// What differs between two GIFs as they are shown: canvas, number of frames and plays, delays, pictures.
struct GIFComparison {
  private(set) var lines: [String] = []
  private let first: GIFImage
  private let second: GIFImage
  /// The frames that both have.
  private let count: Int

  init(_ first: GIFImage, _ second: GIFImage) {
    self.first = first
    self.second = second
    count = min(first.frameCount, second.frameCount)
    compare("canvas", first.size, second.size) { "\($0.width) x \($0.height)" }
    compare("frames", first.frameCount, second.frameCount) { "\($0)" }
    compare("plays", first.loopCount, second.loopCount, Self.text)
    compareDelays()
  }

  /// Whether frames can be compared pixel by pixel.
  private var hasOneCanvas: Bool { first.size == second.size }

  private mutating func compare<Value: Equatable>(
    _ title: String, _ one: Value, _ other: Value, _ text: (Value) -> String
  ) {
    if one != other { lines.append("\(title): \(text(one)), \(text(other))") }
  }

  private static func text(_ loopCount: LoopCount) -> String {
    switch loopCount {
    case .forever: "forever"
    case .plays(1): "once"
    case .plays(let count): "\(count) times"
    }
  }

  private mutating func compareDelays() {
    func delays(_ frame: Int) -> (Int, Int) {
      (first.frames[frame].delayMilliseconds(), second.frames[frame].delayMilliseconds())
    }
    let different = (0..<count).filter { delays($0).0 != delays($0).1 }
    guard let frame = different.first else { return }
    let (one, other) = delays(frame)
    lines.append("frame \(FrameText.number(frame)): delay \(one) ms, \(other) ms" + others(different.count))
  }

  /// How many frames differ beside the first that does.
  private func others(_ different: Int) -> String {
    different > 1 ? " (\(different) of \(count) frames differ)" : ""
  }

  /// Decodes the frames that both have, and compares their pictures.
  ///
  /// - Parameters:
  ///   - tolerance: the largest difference of a channel that counts as equal.
  ///   - jobs: the largest number of threads for each GIF.
  ///   - progress: called after each frame, with how many there are; throws to end the comparison.
  /// - Returns: the damage found in each.
  mutating func comparePictures(
    tolerance: Int, jobs: Int, progress: (_ done: Int, _ count: Int) throws -> Void
  ) throws -> (first: [GIFDiagnostic], second: [GIFDiagnostic]) {
    guard hasOneCanvas else { return ([], []) }
    var one = try FramePipeline(first, frames: 0..<count, jobs: jobs)
    var other = try FramePipeline(second, frames: 0..<count, jobs: jobs)
    var found: (frame: Int, difference: PictureDifference)?
    var different = 0
    while let frame = try one.next(), let counterpart = try other.next() {
      let difference = PictureDifference(
        frame.pixels.span, counterpart.pixels.span, width: first.width, tolerance: tolerance)
      if let difference {
        different += 1
        if found == nil { found = (frame.index, difference) }
      }
      try progress(frame.index + 1, count)
    }
    if let (frame, difference) = found {
      let rect = difference.rect
      lines.append(
        "frame \(FrameText.number(frame)): picture differs in \(rect.width) x \(rect.height) pixels at \(rect.x),\(rect.y), "
          + "by \(difference.largest) at the most" + others(different))
    }
    return (one.diagnostics, other.diagnostics)
  }
}

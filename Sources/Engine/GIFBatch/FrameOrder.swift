internal import GIFDecoding

/// The frames that a pipeline delivers, in their order.
enum FrameOrder: Sendable {
  case range(Range<Int>)
  /// In any order, and any frame more than once.
  case list([Int])

  /// A list; one whose frames follow each other is a range, whose steps need no planning.
  init(_ frames: [Int]) {
    if let first = frames.first, zip(frames, frames.dropFirst()).allSatisfy({ $1 == $0 + 1 }) {
      self = .range(first..<first + frames.count)
    } else {
      self = .list(frames)
    }
  }

  var count: Int {
    switch self {
    case .range(let range): range.count
    case .list(let frames): frames.count
    }
  }

  subscript(place: Int) -> Int {
    switch self {
    case .range(let range): range.lowerBound + place
    case .list(let frames): frames[place]
    }
  }

  /// - Throws: ``GIFError/Code/noFrames`` or ``GIFError/Code/noSuchFrame`` for a frame that an image does not
  ///   have.
  func check(in frameCount: Int) throws(GIFError) {
    let missing: Int? =
      switch self {
      case .range(let range):
        range.lowerBound >= 0 && range.upperBound <= frameCount ? nil : range.upperBound - 1
      case .list(let frames): frames.first { !(0..<frameCount).contains($0) }
      }
    if let missing { throw .missingFrame(Int64(missing), of: frameCount) }
  }

  /// The frames to decode, in order, so that each chosen frame can be drawn: those on the way to it, then
  /// itself.
  func steps(with renderer: borrowing FrameRenderer) -> [Int] {
    guard count > 0 else { return [] }
    var steps = renderer.steps(to: self[0])
    switch self {
    case .range(let range): steps += range.dropFirst()
    case .list(let frames):
      for (former, frame) in zip(frames, frames.dropFirst()) {
        steps += renderer.steps(to: frame, after: former)
      }
    }
    return steps
  }
}

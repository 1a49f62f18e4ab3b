internal import Gallop

/// The frames that `play` repeats: one range of numbers counted from 0.
struct PlaybackRange: Equatable {
  private(set) var lower: Int
  /// One past the last; nil for the end.
  private(set) var upper: Int?
  /// As the user wrote it.
  private let text: String

  static let forms = "counted from 0: 3-9 or 3...9 (with 9), 3..<9, 3.. or 7"

  /// - Throws: ``FrameSelectionError`` with the reason.
  init(parsing text: String) throws {
    let ranges = try FrameSelection(parsing: text).ranges
    guard ranges.count == 1, let range = ranges.first, range.step == 1, case .index(let first) = range.first
    else { throw Self.unfit }
    self.text = text
    lower = first
    switch range.end {
    case .none: upper = nil
    case .through(.index(let last)): upper = last + 1
    case .before(.index(let last)): upper = last
    default: throw Self.unfit
    }
  }

  private static let unfit = FrameSelectionError(
    description: "it takes one range of frame numbers without steps, such as 3-9")

  /// The frames of an image.
  func range(in image: GIFImage) throws(FileFailure) -> Range<Int> {
    let upper = upper ?? image.frameCount
    guard lower < upper, upper <= image.frameCount else {
      throw FileFailure(reason: "has \(image.frameCount) frames; frames \(text) are not all there")
    }
    return lower..<upper
  }
}

internal import ArgumentParser
internal import GIFDecoding

/// Frames chosen on the command line: `A..<B`, `A...B`, `A..` (to the end) or a single `A`.
struct FrameSelection: ExpressibleByArgument, Equatable {
  var lower: Int
  /// One past the last; nil for the end.
  var upper: Int?

  init?(argument: String) {
    for (separator, extra) in [("..<", 0), ("...", 1), ("..", 0)] {
      guard let place = argument.firstRange(of: separator) else { continue }
      guard let lower = Self.number(argument[..<place.lowerBound]) else { return nil }
      self.lower = lower
      let rest = argument[place.upperBound...]
      if rest.isEmpty, separator == ".." { return }
      guard let bound = Self.number(rest), bound + extra > lower else { return nil }
      upper = bound + extra
      return
    }
    guard let single = Self.number(argument[...]) else { return nil }
    lower = single
    upper = single + 1
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.count <= 9, let value = Int(text), value >= 0 else { return nil }
    return value
  }

  /// The frames of an image that are meant.
  func range(in image: GIFImage) throws -> Range<Int> {
    let upper = upper ?? image.frameCount
    guard lower < upper, upper <= image.frameCount else {
      throw FileFailure(
        reason: "has \(image.frameCount) frames; frames \(lower)..<\(upper) are not all there")
    }
    return lower..<upper
  }
}

extension GIFImage {
  /// Opens a file for a command: what cannot be used is a failure of that file alone.
  static func opening(_ path: String) throws -> GIFImage {
    do throws(GIFError) {
      return try GIFImage(contentsOf: path)
    } catch {
      throw FileFailure(reason: error.description)
    }
  }
}

package import GIFDecoding
internal import GIFTimeline

/// How a player's GIF is seen, as far as its flashes depend on it.
package struct FlashViewing: Sendable, Hashable {
  /// The part that a verdict holds for at any size and speed.
  package struct Content: Sendable, Hashable {
    /// The frames of a play in their order.
    package var order: [Int]
    package var delays: DelayPolicy
    /// Known frames; more may come while the image loads.
    package var frameCount: Int
    package var isComplete: Bool
    /// What else plays in its field.
    package var sharing: FieldSharing

    package init(
      order: [Int], delays: DelayPolicy, frameCount: Int, isComplete: Bool, sharing: FieldSharing
    ) {
      self.order = order
      self.delays = delays
      self.frameCount = frameCount
      self.isComplete = isComplete
      self.sharing = sharing
    }
  }

  package var content: Content
  /// The size at which it is shown, in CSS pixels.
  package var size: PixelSize
  package var speed: Double
  /// Whether it is judged for a rate that is higher by the margin.
  var hasMargin = false

  package init(content: Content, size: PixelSize, speed: Double) {
    self.content = content
    self.size = size
    self.speed = speed
  }

  /// How much faster frames may follow one another than they should: one may be late, and the next ones not.
  static let margin = 1.05

  /// The greatest rate that is judged: that of players, with the margin.
  package static let mostRate = PlaybackRate.range.upperBound * margin

  /// The same with the margin.
  var withMargin: FlashViewing {
    var viewing = self
    viewing.hasMargin = true
    return viewing
  }

  /// The rate that it is judged for.
  var rate: Double { hasMargin ? speed * Self.margin : speed }

  package var options: FlashOptions {
    var options = FlashOptions(
      size: size, rate: rate, delays: content.delays, frames: content.order,
      isComplete: content.isComplete)
    options.sharing = content.sharing
    // Numbers are those of the rate without the margin.
    options.isVerdictOnly = hasMargin
    options.isAsPlayed = true
    return options
  }

  /// Whether nothing of it can fail, whatever was seen before: it is too small.
  func isTooSmall(_ canvas: PixelSize) -> Bool { content.isComplete && options.isTooSmall(canvas) }

  /// Whether a single frame is played.
  var isStill: Bool { content.isComplete && content.order.count < 2 }
}

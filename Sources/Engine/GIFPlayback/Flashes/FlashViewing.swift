internal import GIFCaching
internal import GIFDecoding
internal import GIFFlashes
internal import GIFTimeline

/// How a player's GIF is seen, as far as its flashes depend on it.
struct FlashViewing: Sendable, Hashable {
  /// The part that a verdict holds for at any size and speed.
  struct Content: Sendable, Hashable {
    /// The frames of a play in their order.
    var order: [Int]
    var delays: DelayPolicy
    /// Known frames; more may come while the image loads.
    var frameCount: Int
    var isComplete: Bool
    /// Whether other GIFs play beside it.
    var sharesField: Bool
  }

  var content: Content
  /// The size at which it is shown, in CSS pixels.
  var size: PixelSize
  var speed: Double

  /// The speed at which it is judged: frames may be late by a margin, and the next ones then follow sooner.
  private static let margin = 1.05

  /// The speed that keeps the margin to the greatest rate that passes.
  static func speed(ofSafeRate rate: Double) -> Double { rate / margin }

  var options: FlashOptions {
    FlashOptions(
      size: size, rate: speed * Self.margin, delays: content.delays, frames: content.order,
      isComplete: content.isComplete, sharesField: content.sharesField)
  }

  /// Whether nothing of it can fail, whatever was seen before: it is too small.
  func isTooSmall(_ animation: Animation) -> Bool { content.isComplete && options.isTooSmall(animation.size) }

  /// Whether a single frame is played.
  var isStill: Bool { content.isComplete && content.order.count < 2 }
}

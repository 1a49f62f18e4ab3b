package import GIFDecoding

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
    /// Whether other GIFs play beside it.
    package var sharesField: Bool

    package init(
      order: [Int], delays: DelayPolicy, frameCount: Int, isComplete: Bool, sharesField: Bool
    ) {
      self.order = order
      self.delays = delays
      self.frameCount = frameCount
      self.isComplete = isComplete
      self.sharesField = sharesField
    }
  }

  package var content: Content
  /// The size at which it is shown, in CSS pixels.
  package var size: PixelSize
  package var speed: Double

  package init(content: Content, size: PixelSize, speed: Double) {
    self.content = content
    self.size = size
    self.speed = speed
  }

  /// The speed at which it is judged: frames may be late by a margin, and the next ones then follow sooner.
  private static let margin = 1.05

  /// The speed that keeps the margin to the greatest rate that passes.
  static func speed(ofSafeRate rate: Double) -> Double { rate / margin }

  package var options: FlashOptions {
    FlashOptions(
      size: size, rate: speed * Self.margin, delays: content.delays, frames: content.order,
      isComplete: content.isComplete, sharesField: content.sharesField)
  }

  /// Whether nothing of it can fail, whatever was seen before: it is too small.
  func isTooSmall(_ canvas: PixelSize) -> Bool { content.isComplete && options.isTooSmall(canvas) }

  /// Whether a single frame is played.
  var isStill: Bool { content.isComplete && content.order.count < 2 }
}

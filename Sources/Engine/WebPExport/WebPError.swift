public import GIFDecoding

/// The reason that an image cannot be written as a WebP.
public struct WebPError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Kinds of reasons.
  public enum Code: String, Sendable, Hashable {
    /// libwebp or libwebpmux is not installed, or too old.
    case noLibrary
    /// The pictures have more than 16,383 pixels a side.
    case tooLarge
    /// The frames play for more than 24 days.
    case tooLong
    case outOfMemory
    case cancelled
    /// libwebp refuses a picture, for a reason of its own.
    case refused
    /// A frame cannot be decoded: see ``WebPError/underlying``.
    case decoding
  }

  public let code: Code
  /// The reason in one sentence without a full stop.
  public let description: String
  /// The error of the decoder; nil for others.
  public let underlying: GIFError?

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
    underlying = nil
  }

  init(_ error: GIFError) {
    code = error.code == .cancelled ? .cancelled : error.code == .outOfMemory ? .outOfMemory : .decoding
    description = error.description
    underlying = error
  }

  static var noMemory: WebPError { WebPError(.outOfMemory, "there is not enough memory for a WebP") }
}

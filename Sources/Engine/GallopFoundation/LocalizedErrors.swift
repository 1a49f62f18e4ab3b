public import Foundation
public import Gallop

// Without these, `localizedDescription` says only that the operation could not be completed.

extension GIFError: LocalizedError {
  /// The error in one sentence.
  public var errorDescription: String? { description }
}

extension GIFLoadingError: LocalizedError {
  /// The error in one sentence, with the path or URL.
  public var errorDescription: String? { description }
}

extension PNGError: LocalizedError {
  /// The error in one sentence.
  public var errorDescription: String? { description }
}

// Descriptions of errors and diagnostics, apart from the values: the decoding core handles no text. The
// portable build leaves this folder out.

internal import CGiflib

extension GIFError: CustomStringConvertible {
  /// One sentence without a full stop: what is wrong, where, and the limit.
  public var description: String {
    var text = reason
    if let value, let limit, code != .noSuchFrame { text += ": \(value), the limit is \(limit)" }
    if let frame { text += " (frame #\(frame))" }
    if let offset { text += " (at byte \(offset))" }
    return text
  }

  private var reason: String {
    switch code {
    case .unreadable:
      "cannot be read" + (value.map { ": " + systemErrorText(Int32(truncatingIfNeeded: $0)) } ?? "")
    case .fileChanged: "has changed since it was opened"
    case .isDirectory: "is a directory"
    case .notAFile: "is neither a file nor a pipe"
    case .noWriter: "is a pipe without a writer" + (limit.map { " after \($0) ms" } ?? "")
    case .notLoaded: "could not be loaded"
    case .emptyFile: "is empty"
    case .notAGIF: "is not a GIF: it does not begin with GIF87a or GIF89a"
    case .truncatedHeader: "is cut off inside the GIF header"
    case .zeroCanvas: "has no canvas: the logical screen has no area and no frame gives it one"
    case .canvasTooLarge: "has too many canvas pixels"
    case .tooManyDecodedBytes: "takes too many bytes decoded"
    case .inputTooLarge: "has too many bytes"
    case .malformedBeforeFirstFrame: "has a malformed block before the first frame"
    case .noFrames: "has no frame to show"
    case .noSuchFrame: "has no frame \(value ?? -1): its \(limit ?? 0) frames count from 0"
    case .cancelled: "was cancelled"
    case .noThread: "gets no thread to play with"
    case .outOfMemory: "gets no memory" + (value.map { " for \($0) bytes" } ?? "")
    }
  }
}

/// The system's words for an `errno`.
private func systemErrorText(_ number: Int32) -> String {
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}

extension GIFDiagnostic: CustomStringConvertible {
  /// The fault and its consequence in one sentence.
  public var message: String {
    switch code {
    case .missingTrailer: "the file ends without a trailer"
    case .truncatedFrame: "the file ends inside this frame; what is there is shown"
    case .truncatedBlock: "the file ends inside a block; the frames so far play"
    case .unknownBlock: "an unknown block ends the animation; what follows is ignored"
    case .malformedGraphicsControl: "a malformed graphics control extension ends the animation"
    case .repeatedGraphicsControl: "several graphics control extensions before one image; the last one counts"
    case .malformedLoopExtension: "a malformed loop extension is ignored"
    case .codeSizeOutOfRange: "the LZW code size is above 8; the frame is blank and the last one"
    case .emptyFrame: "the frame has no area; it takes its time and draws nothing"
    case .frameOutsideCanvas: "the frame reaches beyond the canvas and is clipped"
    case .missingPalette: "the frame has no palette and is drawn black"
    case .canvasGrown: "the first frame reaches beyond the logical screen; the canvas is grown"
    case .noFrames: "there is no frame"
    case .frameLimit: "there are more frames than the limit allows; the rest is ignored"
    case .workLimit: "the frames have more pixels in all than the limit allows; the rest is ignored"
    case .commentLimit: "there are more comment bytes than the limit allows; the rest is ignored"
    case .frameTooLarge: "the frame has more pixels than the limit allows; it is not drawn"
    case .invalidLZW: "the frame holds an invalid LZW code; it is drawn up to there"
    case .notEnoughPixels: "the frame's data ends before the frame is full; what is there is shown"
    case .requiredFrameFailed: "the frame builds on a damaged one and shows nothing"
    case .unreadableFrame: "the frame's bytes cannot be read any more; it shows nothing"
    case .trailingBytes: "bytes follow the trailer; they are ignored"
    }
  }

  /// The frame, the message and the byte offset.
  public var description: String {
    (frame.map { "frame #\($0): " } ?? "") + message + " (at byte \(offset))"
  }
}

extension GIFMetadata {
  /// The comments in file order, as far as the limit of comment bytes allows. Invalid UTF-8 is repaired.
  public var comments: [String] { commentTexts.map { String(decoding: $0, as: UTF8.self) } }

  /// The version in the file's signature: `87a` or `89a`.
  public var version: String { String(decoding: signature.dropFirst(3), as: UTF8.self) }
}

extension ApplicationExtension: CustomStringConvertible {
  /// The identifier and authentication code, such as `NETSCAPE2.0` or `XMP DataXMP`. Invalid UTF-8 is
  /// repaired.
  public var identifier: String { String(decoding: identifierBytes, as: UTF8.self) }

  /// The identifier, the size and the offset.
  public var description: String { "\(identifier), \(byteCount) bytes (at byte \(offset))" }
}

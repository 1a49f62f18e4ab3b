internal import Gallop

/// What became of the frames of an edit, as a line.
struct EditReport {
  let line: String

  init(_ summary: GIFEditor.Summary, inputBytes: Int64) {
    let frames = "\(summary.frameCount) frame\(summary.frameCount == 1 ? "" : "s")"
    line =
      "\(summary.writtenFrames) of \(frames) written anew, \(summary.copiedFrames) copied; "
      + "\(amount(Double(summary.byteCount))) of \(amount(Double(inputBytes)))"
  }
}

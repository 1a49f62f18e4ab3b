import FuzzSupport
import Gallop

@main enum FuzzIndex {
  static func main() { unsafe runFuzzer(fuzzIndex) }
}

/// A file read at once and the same file in pieces chosen by the data: they must agree, and no image on the
/// way may tell more or other frames than the last.
private func fuzzIndex(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start: start, count: count)
  let sizes = input.takeNumbers(4)
  let whole = Facts { () throws(GIFError) in try GIFImage(bytes: input.bytes, limits: .fuzzing) }
  let streamed = Facts { () throws(GIFError) in
    var stream = GIFStream(limits: .fuzzing)
    for piece in input.pieces(sizes) {
      try stream.append(piece)
      guard let image = try stream.image else { continue }
      check(image.frameCount <= max(1, whole.frames.count) || whole.error != nil, "a frame too many")
      guard let first = image.frames.first, !first.isTruncated, whole.error == nil else { continue }
      check(image.frames == Array(whole.frames.prefix(image.frameCount)), "a frame that changes")
    }
    return try stream.finish()
  }
  check(whole == streamed, "at once: \(whole)\nin pieces: \(streamed)")
  return 0
}

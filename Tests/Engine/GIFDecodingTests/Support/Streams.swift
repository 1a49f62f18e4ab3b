import GIFDecoding
import GIFDecodingTestSupport

extension GIFStream {
  /// A stream whose memory comes from the heap.
  init(limits: DecodingLimits = .default) { self.init(limits: limits, reserve: nil) }
}

extension ReadingOutcome {
  /// Reads a file that comes in these pieces.
  init(pieces: [[UInt8]]) {
    self.init { () throws(GIFError) in
      var stream = GIFStream()
      for piece in pieces { try stream.append(piece) }
      return try stream.finish()
    }
  }
}

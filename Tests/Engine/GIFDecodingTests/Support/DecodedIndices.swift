import GIFDecodingTestSupport

@testable import GIFDecoding

extension FrameDecoder {
  /// Decodes a frame and gives its indices in stored order.
  mutating func indices(of frame: FrameInfo, in image: GIFImage) -> (status: FrameStatus, indices: [UInt8]) {
    var decoded = DecodedFrame()
    decode(frame, of: image, into: &decoded)
    return (decoded.outcome.status, copied(decoded.indices))
  }
}

package import GIFDecoding
internal import GIFTestSupport

extension DecodedFrame {
  /// A frame of one row with these indices. The way of indices into a plane is through the decoder.
  package init(decoding indices: [UInt8]) throws(GIFError) {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    writer.image(width: indices.count, height: 1, indices: indices)
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    var decoder = FrameDecoder()
    self.init()
    decoder.decode(image.frames[0], of: image, into: &self)
  }
}

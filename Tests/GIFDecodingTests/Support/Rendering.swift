import GIFTestSupport

@testable import GIFDecoding

/// What a renderer made of frames that were asked for one after another.
struct Rendering: Equatable {
  var statuses: [FrameStatus] = []
  var pictures: [[UInt32]] = []
  var changedRects: [PixelRect] = []
  /// The damage that the renderer noted on its way.
  var damage: [GIFDiagnostic] = []
}

extension GIFImage {
  /// Renders the frames in an order, or all of them in the file's.
  func rendering(order: [Int]? = nil, format: PixelFormat = .rgba) throws(GIFError) -> Rendering {
    var renderer = try FrameRenderer(self, format: format)
    var result = Rendering()
    for index in order ?? Array(0..<frameCount) {
      let frame = try renderer.frame(at: index)
      result.statuses.append(frame.status)
      result.pictures.append(frame.pixels.words)
      result.changedRects.append(frame.changedRect)
    }
    result.damage = renderer.diagnostics
    return result
  }

  /// Every frame in order as text.
  func letters() throws(GIFError) -> [String] {
    let width = width
    return try rendering().pictures.map { Letters.text($0, width: width) }
  }

  /// The kinds of oddities that the index found.
  var oddities: [GIFDiagnostic.Code] { diagnostics.map(\.code) }
}

/// The error that opening ends in, or nil.
func openingError(_ bytes: [UInt8], limits: DecodingLimits = .default) -> GIFError? {
  do throws(GIFError) {
    _ = try GIFImage(bytes: bytes, limits: limits)
    return nil
  } catch {
    return error
  }
}

extension FrameDecoder {
  /// Decodes a frame and gives its indices in stored order.
  mutating func indices(of frame: FrameInfo, in image: GIFImage) -> (status: FrameStatus, indices: [UInt8]) {
    var decoded = DecodedFrame()
    decode(frame, of: image, into: &decoded)
    return (decoded.status, copied(decoded.plane.indices))
  }
}

/// A span's elements.
func copied(_ span: Span<UInt8>) -> [UInt8] {
  span.indices.map { span[$0] }
}

/// The first seeds whose random GIF is small enough for a test that decodes it very often.
func smallRandomGIFs(_ count: Int, from first: UInt64, bytesUpTo most: Int) -> [(
  seed: UInt64, gif: RandomGIF
)] {
  var found: [(seed: UInt64, gif: RandomGIF)] = []
  var seed = first
  while found.count < count {
    let gif = RandomGIF.make(seed: seed)
    let area = gif.animation.canvasWidth * gif.animation.canvasHeight
    if gif.bytes.count <= most, area <= 1200, gif.animation.frames.count > 1 { found.append((seed, gif)) }
    seed += 1
  }
  return found
}

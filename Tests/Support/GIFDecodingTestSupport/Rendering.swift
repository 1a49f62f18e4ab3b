package import GIFDecoding
package import GIFTestSupport

/// What a renderer made of frames that were asked for one after another.
package struct Rendering: Equatable {
  package var statuses: [FrameStatus] = []
  package var pictures: [[UInt32]] = []
  package var changedRects: [PixelRect] = []
  /// The damage that the renderer noted on its way.
  package var damage: [GIFDiagnostic] = []
}

extension GIFImage {
  /// Renders the frames in an order, or all of them in the file's.
  package func rendering(
    order: [Int]? = nil, format: PixelFormat = .rgba, size: PixelSize? = nil
  ) throws(GIFError) -> Rendering {
    var renderer = try FrameRenderer(self, format: format, size: size)
    var result = Rendering()
    for index in order ?? Array(0..<frameCount) {
      let frame = try renderer.frame(at: index)
      result.statuses.append(frame.status)
      result.pictures.append(copied(frame.pixels.span))
      result.changedRects.append(frame.changedRect)
    }
    result.damage = renderer.diagnostics
    return result
  }

  /// Every frame in order as text.
  package func letters() throws(GIFError) -> [String] {
    let width = width
    return try rendering().pictures.map { Letters.text($0, width: width) }
  }

  /// The kinds of oddities that the index found.
  package var oddities: [GIFDiagnostic.Code] { diagnostics.map(\.code) }
}

/// The error that opening ends in, or nil.
package func openingError(_ bytes: [UInt8], limits: DecodingLimits = .default) -> GIFError? {
  do throws(GIFError) {
    _ = try GIFImage(bytes: bytes, limits: limits)
    return nil
  } catch {
    return error
  }
}

/// A span's elements. Inlined, as a generic call for each of millions of pixels takes ten times as long.
@inlinable
package func copied<Element>(_ span: Span<Element>) -> [Element] {
  span.indices.map { span[$0] }
}

/// The first seeds whose random GIF is small enough for a test that decodes it very often.
package func smallRandomGIFs(_ count: Int, from first: UInt64, bytesUpTo most: Int) -> [(
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

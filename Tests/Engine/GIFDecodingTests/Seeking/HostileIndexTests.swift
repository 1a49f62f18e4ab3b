import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Files made to cost more than they have bytes. Work is counted, never time.
@Suite struct HostileIndexTests {
  /// So many frames of one pixel behind a full first one, each with the same control and rectangle.
  private func manyFrames(_ count: Int, control: [UInt8], descriptor: [UInt8]) -> [UInt8] {
    var writer = GIFWriter(width: 3, height: 3, palette: [0, 0xFFFFFF])
    writer.image(width: 3, height: 3, indices: [UInt8](repeating: 1, count: 9))
    // Clear, one literal, end: 3 bits each.
    let frame = control + descriptor + [2, 2, 0x4C, 0x01, 0]
    writer.raw((0..<count).flatMap { _ in frame })
    writer.trailer()
    return writer.bytes
  }

  private static let pixel: [UInt8] = [0x2C, 1, 0, 1, 0, 1, 0, 1, 0, 0]

  /// 20,000 frames that restore what was before them: each requires the first, and costs one decoding from
  /// there.
  @Test func restoringFramesRequireTheFirst() throws {
    let image = try GIFImage(
      bytes: manyFrames(20_000, control: [0x21, 0xF9, 4, 3 << 2 | 1, 0, 0, 0, 0], descriptor: Self.pixel))
    #expect(image.frameCount == 20_001)
    let allRequireTheFirst = image.frames.dropFirst().allSatisfy { $0.requiredFrame == 0 }
    #expect(allRequireTheFirst)
    var renderer = try FrameRenderer(image, checkpoints: .none)
    #expect(try renderer.cost(of: 20_000) == 2)
    // What the last one restores is what any other one needs.
    #expect(try renderer.cost(of: 10_000) == 1)
    #expect(try renderer.cost(of: 0) == 1)
  }

  /// A chain of 20,000 frames, each on the one before: a jump goes through it once, and not once a step.
  @Test func longChain() throws {
    let image = try GIFImage(
      bytes: manyFrames(20_000, control: [0x21, 0xF9, 4, 1 << 2 | 1, 0, 0, 0, 0], descriptor: Self.pixel))
    let isChain = image.frames.dropFirst().allSatisfy { $0.requiredFrame == $0.index - 1 }
    #expect(isChain)
    var renderer = try FrameRenderer(image)
    #expect(try renderer.cost(of: 0) == 1)
    #expect(try renderer.cost(of: 20_000) == 20_000)
    #expect(try renderer.cost(of: 123) <= 32)
  }

  /// The same chain, and then frames that cover it and so look back along it: the look is bounded, and what
  /// is behind the bound is taken for required, which costs decodings and no pixel.
  @Test func theLookBackIsBounded() throws {
    let chain = 9000
    var frames = (0..<chain).map { index in
      Self.frame(
        index, rect: PixelRect(x: 0, y: 0, width: index == 0 ? 3 : 1, height: 1),
        required: index == 0 ? nil : index - 1)
    }
    let dependency = FrameDependency(rect: PixelRect(x: 0, y: 0, width: 2, height: 1), isOpaque: true)
    let canvas = PixelRect(x: 0, y: 0, width: 3, height: 1)
    let required = try #require(
      dependency.requiredFrame(onto: frames[chain - 1], earlier: frames, canvas: canvas))
    #expect(required == chain - 1 - 4096)
    // A chain within the bound is looked through to its end.
    frames.removeLast(chain - 4000)
    #expect(dependency.requiredFrame(onto: frames[3999], earlier: frames, canvas: canvas) == 0)
  }

  private static func frame(_ index: Int, rect: PixelRect, required: Int?) -> FrameInfo {
    FrameInfo(
      index: index, rect: rect, delayCentiseconds: 0, storedDisposal: 1, transparentIndex: nil,
      isInterlaced: false, requiredFrame: required, localPalette: nil, codeSize: 2, offset: 0, data: 0..<0,
      isTruncated: false)
  }

  /// Opaque frames over one another: each looks back no further than the last that covers as much.
  @Test func coveringFramesShortenTheWay() throws {
    let image = try GIFImage(bytes: manyFrames(5000, control: [], descriptor: Self.pixel))
    let allRequireTheFirst = image.frames.dropFirst().allSatisfy { $0.requiredFrame == 0 }
    #expect(allRequireTheFirst)
  }

  /// A stream of the same bytes, one by one, looks at each length byte once: fed in any way, the index is the
  /// same.
  @Test func streamOfManyFrames() throws {
    let bytes = manyFrames(3000, control: [0x21, 0xF9, 4, 3 << 2 | 1, 0, 0, 0, 0], descriptor: Self.pixel)
    var stream = GIFStream()
    for piece in Split.even(bytes, size: 13) { try stream.append(piece) }
    let image = try stream.finish()
    #expect(image.frameCount == 3001)
    #expect(image.frames == (try GIFImage(bytes: bytes)).frames)
  }

  /// More frames than the limit are left out, before they cost anything.
  @Test func frameLimit() throws {
    let bytes = manyFrames(5000, control: [], descriptor: Self.pixel)
    let image = try GIFImage(bytes: bytes, limits: DecodingLimits(frameCount: 100))
    #expect(image.frameCount == 100)
    #expect(image.diagnostics.contains { $0.code == .frameLimit })
    #expect(image.diagnostics.count < 4)
    #expect(!image.metadata.isComplete)
  }

  /// A frame that claims many pixels and brings few bytes is decoded as far as its bytes can go.
  @Test func claimedPixels() throws {
    var writer = GIFWriter(width: 3, height: 3, palette: [0, 0xFFFFFF])
    writer.image(
      width: 5000, height: 5000, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 1, 5]))
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes, limits: DecodingLimits(canvasPixels: 25_000_000))
    let check = image.checkFrames()
    #expect(check.statuses == [.failed])
    #expect(check.diagnostics.map(\.code) == [.notEnoughPixels])
  }
}

import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The four statuses of a frame, what a renderer says along with them, and that order does not matter.
@Suite struct FrameStatusTests {
  /// Complete, failed, two blank, complete, truncated: all that can be.
  private static let file: [UInt8] = {
    var gif = GIFWriter(width: 3, height: 1, palette: Letters.palette)
    gif.frame("RRR")
    gif.image(width: 2, height: 1, codes: .exactly([1], ending: LZWCodeStream.invalid))
    gif.frame("W", x: 2)
    gif.frame(".", transparent: 3)
    gif.frame("BBB")
    gif.image(x: 1, width: 2, height: 1, codes: .exactly([1]), hasTerminator: false)
    return gif.bytes
  }()

  private static let statuses: [FrameStatus] = [.complete, .failed, .blank, .blank, .complete, .truncated]
  private static let pictures = ["RRR", "GRR", "...", "...", "BBB", "BGB"]

  @Test func inOrder() throws {
    let image = try GIFImage(bytes: Self.file)
    #expect(try image.letters() == Self.pictures)
    #expect(try image.rendering().statuses == Self.statuses)
    #expect(image.checkFrames().statuses == Self.statuses)
  }

  // All 720 orders of six frames.
  @Test func everyOrder() throws {
    let image = try GIFImage(bytes: Self.file)
    let expected = try image.rendering()
    for order in Self.permutations(Array(0..<6)) {
      let rendering = try image.rendering(order: order)
      if rendering.statuses != order.map({ Self.statuses[$0] })
        || rendering.pictures != order.map({ expected.pictures[$0] })
        || Set(rendering.damage) != Set(expected.damage)
      {
        Issue.record("order \(order)")
      }
    }
  }

  private static func permutations(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var rest = items
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  // Each damaged frame is told once, with its place, however often it is rendered.
  @Test func damageIsToldOnce() throws {
    let image = try GIFImage(bytes: Self.file)
    let once = try image.rendering().damage
    #expect(
      once == [
        GIFDiagnostic(.invalidLZW, frame: 1, offset: image.frames[1].data.lowerBound),
        GIFDiagnostic(.requiredFrameFailed, frame: 2, offset: image.frames[2].offset),
        GIFDiagnostic(.requiredFrameFailed, frame: 3, offset: image.frames[3].offset),
      ])
    let order = Array(0..<6) + Array(0..<6) + [1, 1, 2, 2, 3]
    #expect(try image.rendering(order: order).damage == once)
    #expect(image.checkFrames().diagnostics == once)
  }

  // Under the resilient policy frames that build on a damaged one are composed over what there is of it.
  @Test func resilient() throws {
    var image = try GIFImage(bytes: Self.file)
    image.damagePolicy = .resilient
    #expect(try image.letters() == ["RRR", "GRR", "GRW", "GRW", "BBB", "BGB"])
    let statuses: [FrameStatus] = [.complete, .failed, .complete, .complete, .complete, .truncated]
    #expect(try image.rendering().statuses == statuses)
    let check = image.checkFrames()
    #expect(check.statuses == statuses)
    #expect(check.diagnostics.map(\.code) == [.invalidLZW])
    let expected = try image.rendering().pictures
    for order in Self.permutations(Array(0..<6)) where order[0] > 2 {
      let found = try image.rendering(order: order).pictures
      if found != order.map({ expected[$0] }) { Issue.record("order \(order)") }
    }
  }

  // A blank frame leaves the renderer's canvas as it was; the picture that can be kept is empty.
  @Test func blankLeavesTheCanvas() throws {
    let image = try GIFImage(bytes: Self.file)
    var renderer = try FrameRenderer(image)
    #expect(try renderer.render(1) == .failed)
    let before = (0..<3).map { renderer.canvasPixels[$0] }
    #expect(try renderer.render(2) == .blank)
    #expect((0..<3).map { renderer.canvasPixels[$0] } == before)
    #expect(try renderer.frame(at: 2).pixels.words == [0, 0, 0])
    #expect(try renderer.frame(at: 4).status == .complete)
  }

  // Rendering in place and the picture that can be kept agree; a kept one does not change later.
  @Test func keptPicturesStay() throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: 12).bytes)
    var renderer = try FrameRenderer(image)
    var kept: [Frame] = []
    for index in 0..<image.frameCount {
      let frame = try renderer.frame(at: index)
      #expect(frame.index == index)
      #expect(frame.pixels.words == (0..<renderer.canvasPixels.count).map { renderer.canvasPixels[$0] })
      kept.append(frame)
    }
    #expect(try kept.map(\.pixels.words) == image.rendering().pictures)
  }

  // A frame that does not exist is an error that changes nothing.
  @Test(arguments: [-1, 6, Int.max, Int.min]) func noSuchFrame(index: Int) throws {
    var renderer = try FrameRenderer(try GIFImage(bytes: Self.file))
    try renderer.render(0)
    #expect(throws: GIFError(.noSuchFrame, value: Int64(index), limit: 6)) { try renderer.frame(at: index) }
    #expect(try renderer.frame(at: 4).status == .complete)
    #expect(renderer.diagnostics.isEmpty)
  }

  // The changed rectangle by hand: the frame itself and what its predecessor's disposal brought back.
  @Test func changedRect() throws {
    var gif = GIFWriter(width: 4, height: 1, palette: Letters.palette)
    gif.frame("RRRR")
    gif.frame("G", x: 1)
    gif.frame("B", x: 2, disposal: 3)
    gif.frame("GG", x: 3)
    gif.frame("W")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    func columns(_ from: Int, _ to: Int) -> PixelRect {
      PixelRect(x: from, y: 0, width: to - from, height: 1)
    }
    let expected = [columns(0, 4), columns(1, 2), columns(2, 3), columns(2, 4), columns(0, 1)]
    #expect((0..<5).map(image.animation.changedRect) == expected)
    #expect(try image.rendering().changedRects == expected)
    #expect([-1, 5].map(image.animation.changedRect) == [columns(0, 4), columns(0, 4)])
  }

  // Behind a damaged frame, and where it is not known whether the frame before is damaged, anything may have
  // changed.
  @Test func changedRectNextToDamage() throws {
    var gif = GIFWriter(width: 4, height: 1, palette: Letters.palette)
    gif.frame("RRRR")
    gif.image(width: 2, height: 1, codes: .exactly([1], ending: LZWCodeStream.invalid))
    gif.frame(".", transparent: 3)
    gif.frame("WW")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    let whole = PixelRect(x: 0, y: 0, width: 4, height: 1)
    let rendering = try image.rendering()
    #expect(rendering.statuses == [.complete, .failed, .blank, .complete])
    #expect(rendering.changedRects == [whole, whole, whole, whole])
    #expect(try image.rendering(order: [3]).changedRects == [whole], "frame 2 is blank, frame 3 is not")
  }
}

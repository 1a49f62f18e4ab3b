import GIFDecoding
import GIFTestSupport
import Testing

import struct GIFWriting.FramePixels

@testable import GIFEditing

/// Decisions without a pixel.
@Suite("What is copied and how a frame is disposed of")
struct DecisionTests {
  private static let canvas = PixelRect(x: 0, y: 0, width: 4, height: 4)

  /// The rule for one image of frames with these disposals: the first fills the canvas, the others have a
  /// corner and a transparent index.
  private static func rule(_ disposals: [Int]) throws -> CopyRule {
    var writer = GIFWriter(width: 4, height: 4, palette: [0, 0xFFFFFF])
    for (place, disposal) in disposals.enumerated() {
      writer.graphicsControl(disposal: disposal, delay: 5, transparent: place == 0 ? nil : 0)
      let side = place == 0 ? 4 : 2
      writer.image(width: side, height: side, indices: [UInt8](repeating: 1, count: side * side))
    }
    writer.trailer()
    let frames = try GIFImage(bytes: writer.bytes).frames
    return CopyRule(
      images: [
        CopyRule.Image(
          frames: frames, canvas: canvas, isWhole: frames.map { canvas.contains($0.rect) },
          hasGlobalPalette: true)
      ])
  }

  @Test("A frame is copied on the canvas that its image has there, and on no other")
  func copies() throws {
    let rule = try Self.rule([1, 1, 1])
    #expect(rule.copies(image: 0, frame: 1, on: .before(image: 0, frame: 1)))
    #expect(!rule.copies(image: 0, frame: 1, on: .before(image: 0, frame: 2)))
    #expect(!rule.copies(image: 0, frame: 1, on: .before(image: 1, frame: 1)))
    #expect(!rule.copies(image: 0, frame: 1, on: .cleared))
    #expect(!rule.copies(image: 0, frame: 1, on: .other))
  }

  @Test("A frame that covers the canvas is copied anywhere, a key frame on an empty one")
  func covering() throws {
    let rule = try Self.rule([2, 1])
    for state in [OutputState.cleared, .other, .before(image: 0, frame: 1)] {
      #expect(rule.copies(image: 0, frame: 0, on: state))
    }
    #expect(rule.copies(image: 0, frame: 1, on: .cleared))
    #expect(!rule.copies(image: 0, frame: 1, on: .other))
  }

  @Test("After its own disposal the canvas is as in the image; a frame that restores leaves it as it was")
  func states() throws {
    let rule = try Self.rule([1, 2, 3])
    func after(_ frame: Int, _ disposal: Disposal, from state: OutputState) -> OutputState {
      rule.state(
        afterImage: 0, frame: frame, disposal: disposal, rect: rule.images[0].frames[frame].rect, from: state)
    }
    #expect(after(0, .keep, from: .cleared) == .before(image: 0, frame: 1))
    #expect(after(1, .background, from: .other) == .before(image: 0, frame: 2))
    #expect(after(2, .previous, from: .before(image: 0, frame: 2)) == .before(image: 0, frame: 3))
    #expect(after(2, .previous, from: .other) == .other)
    #expect(after(1, .keep, from: .cleared) == .other)
    #expect(after(0, .background, from: .cleared) == .other)
  }

  private static func outcome(
    _ disposal: Disposal, isPossible: Bool = true, copiesNext: Bool = false, area: Int64 = 10,
    pixels: Int64 = 9
  ) -> DisposalOutcome {
    DisposalOutcome(
      disposal: disposal, rect: canvas, isPossible: isPossible, copiesNext: copiesNext, nextArea: area,
      nextPixels: pixels)
  }

  @Test("The best disposal lets the next frame be copied, or else changes the least")
  func disposal() {
    let keep = Self.outcome(.keep)
    let clear = Self.outcome(.background, area: 4)
    let restore = Self.outcome(.previous, copiesNext: true, area: 16)
    #expect(DisposalOutcome.ranked([keep, clear, restore]).first == restore)
    #expect(DisposalOutcome.ranked([keep, clear]).first == clear)
    #expect(DisposalOutcome.ranked([keep, Self.outcome(.previous)]).first == keep)
    #expect(DisposalOutcome.ranked([Self.outcome(.keep, isPossible: false), clear]).first == clear)
    #expect(DisposalOutcome.ranked([Self.outcome(.keep, isPossible: false)]).isEmpty)
    // Where only bytes count, a large rectangle of few pixels is better, and a copy no use in itself.
    let few = Self.outcome(.keep, area: 20, pixels: 2)
    #expect(DisposalOutcome.ranked([restore, clear, few], countsPixels: true).first == few)
  }
}

@Suite("Frames that are written anew")
struct SeamFrameTests {
  private static let (red, green, blue): (UInt32, UInt32, UInt32) = (0xFF00_00FF, 0xFF00_FF00, 0xFFFF_0000)

  /// The frame that turns one row of pixels into another.
  private func seam(_ before: [UInt32], _ target: [UInt32], global: [UInt32]?) -> SeamFrame? {
    let row = PixelRect(x: 0, y: 0, width: target.count, height: 1)
    return SeamFrame(from: before.span, to: target.span, rect: row, width: target.count, global: global)
  }

  @Test("The global palette serves where it has the colours, with a spare index for what stays")
  func global() throws {
    let frame = try #require(
      seam(
        [Self.red, 0, 0, Self.red], [Self.red, Self.green, 0, Self.red],
        global: [Self.blue, Self.green, Self.red, Self.red]))
    #expect(frame.palette == nil)
    #expect(frame.transparentIndex == 0)
    #expect(frame.pixels.indices == [0, 1, 0, 0])
    #expect(frame.pixels.alternatives == [2, 1, 0, 2])
  }

  @Test("A palette of its own has the colours that change and an index for what stays")
  func local() throws {
    let frame = try #require(
      seam([0, 0, 0, Self.red], [Self.blue, Self.green, 0, Self.red], global: [Self.red, Self.red]))
    #expect(frame.palette == [0, 0, 255, 0, 255, 0, 0, 0, 0, 0, 0, 0])
    #expect(frame.transparentIndex == 2)
    #expect(frame.codeSize == 2)
  }

  @Test("256 colours need no index for what stays if all of it can be drawn")
  func full() throws {
    let colors = (0..<256).map { 0xFF00_0000 | UInt32($0) }
    let nothing = [UInt32](repeating: 0, count: 256)
    let drawn = try #require(seam(nothing + [colors[0]], colors + [colors[0]], global: nil))
    #expect(drawn.transparentIndex == nil && drawn.palette?.count == 768)
    #expect(seam(nothing + [Self.blue], colors + [Self.blue], global: nil) == nil)
  }

  @Test("What differs, and what becomes transparent")
  func difference() throws {
    let size = try #require(PixelSize(width: 2, height: 2))
    let before = [Self.red, Self.red, 0, Self.red]
    let target = [Self.red, Self.blue, 0, 0]
    let found = PictureChange(from: before.span, to: target.span, size: size)
    #expect(found.bounds == PixelRect(x: 1, y: 0, width: 1, height: 2))
    #expect(found.erased == PixelRect(x: 1, y: 1, width: 1, height: 1))
    let none = PictureChange(from: before.span, to: before.span, size: size)
    #expect(none.bounds.isEmpty && none.erased.isEmpty)
  }
}

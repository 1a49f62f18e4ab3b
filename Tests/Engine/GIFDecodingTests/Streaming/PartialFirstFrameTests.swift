import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// The first frame is seen while it loads, as if the file ended where the bytes end.
@Suite struct PartialFirstFrameTests {
  /// How the first frame of a test is written.
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var transparent: UInt8?
    var interlaced = false
    var palette: [RGB]?
    var x = 0

    var testDescription: String { name }

    static let all = [
      Form(name: "opaque"),
      Form(name: "transparent", transparent: 1),
      Form(name: "interlaced", interlaced: true),
      Form(name: "interlaced and transparent", transparent: 2, interlaced: true),
      Form(name: "with its own palette", palette: [0x112233, 0x445566, 0x778899, 0xAABBCC]),
      Form(name: "beyond the screen", x: 5),
    ]
  }

  private func file(_ form: Form) -> GIFWriter {
    var generator = SeededGenerator(seed: 5)
    var writer = GIFWriter(width: 6, height: 9, palette: [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00])
    writer.graphicsControl(disposal: 1, delay: 7, transparent: form.transparent)
    var coding = GIFWriter.ImageCoding()
    coding.subBlockSize = 5
    writer.image(
      x: form.x, width: 6, height: 9,
      indices: (0..<54).map { _ in .random(in: 0...3, using: &generator) }, palette: form.palette,
      interlaced: form.interlaced, coding: coding)
    writer.mark("second")
    writer.graphicsControl(disposal: 1, transparent: 3)
    writer.image(width: 2, height: 2, indices: [0, 1, 2, 3])
    writer.trailer()
    return writer
  }

  /// After every byte the picture is that of the file cut off there, and its status says so.
  @Test(arguments: Form.all)
  func partialPictureIsThatOfTheCutFile(_ form: Form) throws {
    let writer = file(form)
    let end = try #require(writer.offset(of: "second"))
    var stream = GIFStream()
    var different: Set<[UInt32]> = []
    for (position, byte) in writer.bytes(upTo: end).enumerated() {
      try stream.append([byte])
      guard let image = try stream.image, image.frameCount == 1 else { continue }
      let cut = try GIFImage(bytes: writer.bytes(upTo: position + 1))
      #expect(image.frames == cut.frames, "after \(position + 1) bytes")
      let show = try ReadingOutcome.Show(image)
      #expect(show == (try ReadingOutcome.Show(cut)), "after \(position + 1) bytes")
      different.insert(show.pictures[0])
    }
    // It grew: a picture for nearly every byte of codes.
    #expect(different.count > 8)
  }

  /// Only the first frame is shown in part: later ones wait for their last byte.
  @Test(arguments: Form.all)
  func laterFramesWait(_ form: Form) throws {
    let writer = file(form)
    let second = try #require(writer.offset(of: "second"))
    let terminator = try #require(writer.ranges(of: .imageTerminator).last).upperBound
    var stream = GIFStream()
    try stream.append(writer.bytes(upTo: second))
    for position in second..<terminator - 1 {
      try stream.append([writer.bytes[position]])
      #expect(try stream.image?.frameCount == 1)
    }
    try stream.append([writer.bytes[terminator - 1]])
    #expect(try stream.image?.frameCount == 2)
  }

  /// A first frame whose data is damaged is shown up to the fault while it loads, and then for good.
  @Test func damagedFirstFrame() throws {
    var codes = LZWCodeStream(minimumCodeSize: 2, codes: [4, 0, 1, 2, 3])
    codes.append(4095)
    codes.append(0)
    var writer = GIFWriter(width: 4, height: 4, palette: [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00])
    writer.image(width: 4, height: 4, codes: codes, subBlockSize: 1)
    writer.trailer()
    var stream = GIFStream()
    var statuses: [FrameStatus] = []
    for byte in writer.bytes {
      try stream.append([byte])
      guard let image = try stream.image, image.frameCount == 1 else { continue }
      let status = try ReadingOutcome.Show(image).statuses[0]
      if statuses.last != status { statuses.append(status) }
    }
    #expect(statuses == [.truncated, .failed])
  }

  /// A frame may have all its pixels before its terminator: it is complete to see, and not yet to build on.
  @Test func fullBeforeItsEnd() throws {
    var writer = GIFWriter(width: 2, height: 2, palette: [0xFF0000, 0x00FF00])
    writer.image(width: 2, height: 2, indices: [0, 1, 1, 0])
    let terminator = try #require(writer.ranges(of: .imageTerminator).first).lowerBound
    var stream = GIFStream()
    try stream.append(writer.bytes(upTo: terminator))
    let image = try #require(try stream.image)
    #expect(image.frames[0].isTruncated)
    #expect(try ReadingOutcome.Show(image).statuses == [.complete])
    try stream.append([0])
    #expect(try stream.image?.frames[0].isTruncated == false)
  }
}

import Testing

@testable import TerminalDisplay

@Suite struct TerminalRendererTests {
  static let red: UInt32 = 0xFF00_00FF
  static let area = TerminalArea(column: 3, row: 2, columns: 4, rows: 2)

  /// A square picture of one colour and the place where the tests draw it: 4x2 cells at column 3, row 2.
  private func placement(_ graphics: TerminalGraphics, side: Int = 32) throws -> TerminalPlacement {
    .fit(try PictureSize(width: side, height: side), into: Self.area, cell: .assumed, graphics: graphics)
  }

  private func render(
    _ capabilities: TerminalCapabilities, pixel: UInt32 = red, background: TerminalRGB = .black
  ) throws -> String {
    let renderer = TerminalRenderer(capabilities: capabilities, background: background)
    let pixels = [UInt32](repeating: pixel, count: 32 * 32)
    return text(try renderer.render(pixels, at: placement(capabilities.graphics)))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: TerminalGraphics.allCases)
  func everyFrameIsOneUpdateAtItsPlace(_ graphics: TerminalGraphics) throws {
    let frame = try render(TerminalCapabilities(graphics: graphics))
    #expect(frame.hasPrefix("\u{1B}[?2026h\u{1B}[3;4H"))
    #expect(frame.hasSuffix("\u{1B}[?2026l"))
    #expect(!frame.utf8.contains(UInt8(ascii: "\n")))
  }

  @Test func symbolsNameTheColour() throws {
    #expect(try render(TerminalCapabilities(graphics: .symbols)).contains("38;2;255;0;0"))
    #expect(
      try render(TerminalCapabilities(graphics: .symbols, colors: .palette256)).contains("8;5;196"))
    let basic = try render(TerminalCapabilities(graphics: .symbols, colors: .ansi16))
    #expect(basic.contains("91") || basic.contains("101"))
    #expect(!basic.contains("8;5;") && !basic.contains("8;2;"))
  }

  @Test func symbolsPutEveryRowIntoItsPlace() throws {
    let frame = try render(TerminalCapabilities(graphics: .symbols))
    #expect(frame.contains("\u{1B}[3;4H") && frame.contains("\u{1B}[4;4H"))
    #expect(!frame.contains("\u{1B}[5;4H"))
    #expect(frame.hasSuffix("\u{1B}[0m\u{1B}[?2026l"))
  }

  /// What remains of a frame when its control sequences are taken out.
  private func visible(_ frame: String) -> String {
    var result = ""
    var isControl = false
    for scalar in frame.unicodeScalars {
      if scalar == "\u{1B}" {
        isControl = true
      } else if isControl {
        isControl = !(scalar.properties.isAlphabetic)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  @Test func transparencyShowsTheTerminal() throws {
    let frame = try render(TerminalCapabilities(graphics: .symbols), pixel: 0x00FF_FFFF)
    #expect(visible(frame) == String(repeating: " ", count: 8))
    #expect(!frame.contains("48;2") && !frame.contains("\u{1B}[7m"))
  }

  @Test func glyphsAreLimited() throws {
    let renderer = TerminalRenderer(
      capabilities: TerminalCapabilities(graphics: .symbols, glyphs: .ascii))
    let pixels = (0..<(32 * 32)).map { UInt32($0 * 7919) | 0xFF00_0000 }
    let frame = text(try renderer.render(pixels, at: placement(.symbols)))
    #expect(frame.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func protocolsBeginAsTheyShould() throws {
    let kitty = try render(TerminalCapabilities(graphics: .kitty))
    #expect(kitty.contains("\u{1B}_Ga=T,f=32,s=32,v=32,c=4,r=2,i="))
    // 32 rows of pixels are five bands of six and a rest.
    #expect(try render(TerminalCapabilities(graphics: .sixel)).contains("\u{1B}P0;1;0q\"1;1;32;30#"))
    #expect(
      try render(TerminalCapabilities(graphics: .iterm2)).contains(
        "\u{1B}]1337;File=inline=1;width=4;height=2"))
  }

  @Test func sixelsAreBlended() throws {
    // Half-transparent red over blue; sixel counts colours in percent.
    let blue = TerminalRGB(red: 0, green: 0, blue: 255)
    let frame = try render(TerminalCapabilities(graphics: .sixel), pixel: 0x8000_00FF, background: blue)
    #expect(frame.contains(";2;50;0;49") || frame.contains(";2;50;0;50"))
  }

  @Test func kittyReplacesItsImages() throws {
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .kitty))
    let pixels = [UInt32](repeating: Self.red, count: 32 * 32)
    let place = try placement(.kitty)
    let frames = try (0..<4).map { _ in text(try renderer.render(pixels, at: place)) }
    let drawn = frames.map { number(after: ",i=", in: $0) }
    let deleted = frames.map { number(after: "a=d,d=I,i=", in: $0) }
    #expect(Set(drawn).count == 2 && drawn[0] == drawn[2] && drawn[1] == drawn[3])
    #expect(deleted == [nil, drawn[0], drawn[1], drawn[0]])
    #expect(frames.allSatisfy { $0.contains("C=1,q=2") })

    let end = text(renderer.erase())
    #expect(number(after: "a=d,d=I,i=", in: end) == drawn[3])
    #expect(renderer.erase() == [])
    #expect(number(after: "a=d,d=I,i=", in: text(try renderer.render(pixels, at: place))) == nil)
    #expect(text(renderer.clearScreen()).contains("a=d,d=I"))
  }

  private func number(after marker: String, in frame: String) -> Int? {
    // Without Foundation: the text after the last marker.
    var rest = Substring(frame)
    var found: Int?
    while let first = rest.first {
      if rest.hasPrefix(marker) {
        found = found ?? Int(rest.dropFirst(marker.count).prefix { $0.isNumber })
      }
      _ = first
      rest = rest.dropFirst()
    }
    return found
  }

  @Test func renderersDoNotShareImages() throws {
    let pixels = [UInt32](repeating: Self.red, count: 32 * 32)
    let numbers = try (0..<2).map { _ in
      let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .kitty))
      return number(after: ",i=", in: text(try renderer.render(pixels, at: placement(.kitty))))
    }
    #expect(numbers[0] != nil && numbers[0] != numbers[1])
  }

  @Test func aMovedPictureLeavesNothingBehind() throws {
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols))
    let pixels = [UInt32](repeating: Self.red, count: 32 * 32)
    let erasure = "\u{1B}[0m\u{1B}[3;4H\u{1B}[4X\u{1B}[4;4H\u{1B}[4X"
    #expect(!text(try renderer.render(pixels, at: placement(.symbols))).contains(erasure))
    #expect(!text(try renderer.render(pixels, at: placement(.symbols))).contains(erasure))
    let elsewhere = TerminalPlacement.fit(
      try PictureSize(width: 32, height: 32), into: TerminalArea(column: 0, row: 0, columns: 2, rows: 1),
      cell: .assumed, graphics: .symbols)
    #expect(text(try renderer.render(pixels, at: elsewhere)).contains(erasure))
    #expect(text(renderer.erase()).contains("\u{1B}[1;1H\u{1B}[2X"))
  }

  @Test func theNumberOfPixelsMustBeRight() throws {
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols))
    for count in [0, 32 * 32 - 1, 32 * 32 + 1] {
      let error = #expect(throws: TerminalError.self) {
        try renderer.render([UInt32](repeating: 0, count: count), at: placement(.symbols))
      }
      #expect(error?.code == .invalidPicture)
    }
    #expect(renderer.erase() == [])
  }

  @Test func blendingIsExact() {
    let grey = TerminalRGB(red: 10, green: 100, blue: 200)
    #expect(PictureComposer.blend(0x00FF_FFFF, over: grey) == 0xFFC8_640A)
    #expect(PictureComposer.blend(0xFF12_3456, over: grey) == 0xFF12_3456)
    let white = TerminalRGB(red: 255, green: 255, blue: 255)
    #expect(PictureComposer.blend(0x8000_0000, over: white) == 0xFF7F_7F7F)
  }

  @Test func marginsAreTransparentAndEven() throws {
    var composer = PictureComposer(background: nil)
    let source = try PictureSize(width: 2, height: 1)
    let padded = try PictureSize(width: 5, height: 3)
    let pixels: [UInt32] = [1, 2]
    for _ in 0..<2 {
      #expect(
        composer.compose(pixels.span, from: source, to: padded)
          == [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0])
    }
    #expect(!composer.isNeeded(from: source, to: source))
    #expect(composer.isNeeded(from: source, to: padded))
  }
}

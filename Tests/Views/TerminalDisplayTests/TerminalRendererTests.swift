import GIFDecoding
import GIFStage
import Testing

@testable import TerminalDisplay

@Suite struct TerminalRendererTests {
  static let red: UInt32 = 0xFF00_00FF
  static let area = TerminalArea(column: 3, row: 2, columns: 4, rows: 2)

  /// A square picture of one colour and the place where the tests draw it: 4x2 cells at column 3, row 2.
  private func placement(_ graphics: TerminalGraphics, side: Int = 32) throws -> TerminalPlacement {
    .place(PixelSize(clampingWidth: side, height: side), into: Self.area, cell: .assumed, graphics: graphics)
  }

  private func render(
    _ capabilities: TerminalCapabilities, pixel: UInt32 = red, background: Color = .black
  ) throws -> String {
    let renderer = TerminalRenderer(capabilities: capabilities, background: background)
    return try draw(renderer, [UInt32](repeating: pixel, count: 32 * 32))
  }

  /// What a terminal gets for a picture on an empty screen.
  private func draw(_ renderer: TerminalRenderer, _ pixels: [UInt32]) throws -> String {
    var grid = CellGrid(.assumed)
    let bytes = try renderer.draw(
      pixels.span, at: placement(renderer.capabilities.graphics), on: &grid)
    return text(bytes + grid.update(from: nil))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: TerminalGraphics.allCases)
  func everyFrameIsAtItsPlace(_ graphics: TerminalGraphics) throws {
    let frame = try render(TerminalCapabilities(graphics: graphics))
    #expect(frame.hasPrefix("\u{1B}[3;4H"))
    #expect(!frame.utf8.contains(UInt8(ascii: "\n")))
  }

  @Test(arguments: TerminalGraphics.allCases)
  func picturesTakeTheirCellsAndNoOthers(_ graphics: TerminalGraphics) throws {
    var grid = CellGrid(.assumed)
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: graphics))
    let pixels = [UInt32](repeating: Self.red, count: 32 * 32)
    _ = try renderer.draw(pixels.span, at: placement(graphics), on: &grid)
    for row in 0..<24 {
      for column in 0..<80 {
        let isInside = (3..<7).contains(column) && (2..<4).contains(row)
        #expect((grid[column, row] == .blank) == !isInside)
        if isInside { #expect((grid[column, row].content == .pixels) == graphics.isPixelExact) }
      }
    }
  }

  @Test func picturesBeyondTheScreenAreCutOff() throws {
    var grid = CellGrid(TerminalSize(columns: 5, rows: 3))
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols))
    let pixels = [UInt32](repeating: Self.red, count: 32 * 32)
    _ = try renderer.draw(pixels.span, at: placement(.symbols), on: &grid)
    #expect(grid.cells.count { $0 != .blank } == 2)
  }

  @Test func symbolsEncodeTheColour() throws {
    #expect(try render(TerminalCapabilities(graphics: .symbols)).contains("48;2;255;0;0"))
    #expect(
      try render(TerminalCapabilities(graphics: .symbols, colors: .palette256)).contains("8;5;196"))
    let basic = try render(TerminalCapabilities(graphics: .symbols, colors: .ansi16))
    #expect(basic.contains("91") || basic.contains("101"))
    #expect(!basic.contains("8;5;") && !basic.contains("8;2;"))
  }

  @Test func symbolsUseOnlyTheColoursThereAre() throws {
    // Red, and a grey that eight colours do not have.
    for pixel in [Self.red, 0xFF80_8080] {
      let few = try renderLimited(.ansi8, pixel)
      #expect(few.contains("\u{1B}[4") || few.contains("\u{1B}[3"))
      for code in ["8;5;", "8;2;", "[9", ";9", "[10"] {
        #expect(!few.contains(code), "\(few.debugDescription)")
      }
    }
    // Half of a picture is white.
    let pixels = (0..<32 * 32).map { $0 % 32 < 16 ? UInt32(0xFFFF_FFFF) : 0xFF00_0000 }
    let renderer = TerminalRenderer(
      capabilities: TerminalCapabilities(graphics: .symbols, colors: .monochrome))
    var grid = CellGrid(.assumed)
    _ = try renderer.draw(pixels.span, at: placement(.symbols), on: &grid)
    let bytes = text(grid.update(from: nil, colors: .monochrome))
    #expect(!bytes.isEmpty && !bytes.contains("m"), "\(bytes.debugDescription)")
  }

  private func renderLimited(_ colors: TerminalColors, _ pixel: UInt32) throws -> String {
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols, colors: colors))
    var grid = CellGrid(.assumed)
    let pixels = [UInt32](repeating: pixel, count: 32 * 32)
    _ = try renderer.draw(pixels.span, at: placement(.symbols), on: &grid)
    return text(grid.update(from: nil, colors: colors))
  }

  @Test func symbolsPositionEveryRow() throws {
    let frame = try render(TerminalCapabilities(graphics: .symbols))
    #expect(frame.contains("\u{1B}[3;4H") && frame.contains("\u{1B}[4;4H"))
    #expect(!frame.contains("\u{1B}[5;4H"))
    #expect(frame.hasSuffix("\u{1B}[0m"))
  }

  @Test func transparencyShowsTheTerminal() throws {
    let frame = try render(TerminalCapabilities(graphics: .symbols), pixel: 0x00FF_FFFF)
    // An empty screen shows it already.
    #expect(frame.isEmpty)
  }

  @Test func glyphsAreLimited() throws {
    let renderer = TerminalRenderer(
      capabilities: TerminalCapabilities(graphics: .symbols, glyphs: .ascii))
    let pixels = (0..<(32 * 32)).map { UInt32($0 * 7919) | 0xFF00_0000 }
    let frame = try draw(renderer, pixels)
    #expect(frame.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func protocolsStartWithTheirSequences() throws {
    let kitty = try render(TerminalCapabilities(graphics: .kitty))
    #expect(kitty.contains("\u{1B}_Ga=T,f=100,c=4,r=2,i="))
    // 32 rows of pixels are five bands of six and a rest.
    #expect(try render(TerminalCapabilities(graphics: .sixel)).contains("\u{1B}P0;1;0q\"1;1;32;30#"))
    #expect(
      try render(TerminalCapabilities(graphics: .iterm2)).contains(
        "\u{1B}]1337;File=inline=1;width=4;height=2"))
  }

  @Test func sixelsAreBlended() throws {
    // Half-transparent red over blue; sixel counts colours in percent.
    let blue = Color(red: 0, green: 0, blue: 255)
    let frame = try render(TerminalCapabilities(graphics: .sixel), pixel: 0x8000_00FF, background: blue)
    #expect(frame.contains(";2;50;0;49") || frame.contains(";2;50;0;50"))
  }

  @Test func kittyReplacesItsImages() throws {
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .kitty))
    let pixels = [UInt32](repeating: Self.red, count: 32 * 32)
    let frames = try (0..<4).map { _ in try draw(renderer, pixels) }
    let drawn = frames.map { number(after: ",i=", in: $0) }
    let deleted = frames.map { number(after: "a=d,d=I,i=", in: $0) }
    #expect(Set(drawn).count == 2 && drawn[0] == drawn[2] && drawn[1] == drawn[3])
    #expect(deleted == [nil, drawn[0], drawn[1], drawn[0]])
    #expect(frames.allSatisfy { $0.contains("C=1,q=2") })

    let end = text(renderer.removeImage())
    #expect(number(after: "a=d,d=I,i=", in: end) == drawn[3])
    #expect(renderer.removeImage() == [])
    #expect(number(after: "a=d,d=I,i=", in: try draw(renderer, pixels)) == nil)
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
      return number(after: ",i=", in: try draw(renderer, pixels))
    }
    #expect(numbers[0] != nil && numbers[0] != numbers[1])
  }

  /// Left half red, right half blue: so that a cut is visible.
  private func drawHalves(_ mode: ResizeMode, in area: TerminalArea) throws -> CellGrid {
    let blue: UInt32 = 0xFFFF_0000
    let pixels = (0..<64 * 32).map { $0 % 64 < 32 ? Self.red : blue }
    let place = TerminalPlacement.place(
      PixelSize(clampingWidth: 64, height: 32), into: area, cell: .assumed, graphics: .symbols, mode: mode)
    var grid = CellGrid(.assumed)
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols))
    _ = try renderer.draw(pixels.span, at: place, on: &grid)
    return grid
  }

  @Test func coverCutsBothSidesOff() throws {
    // 4x2 cells are 32x32 pixels, of which the picture's middle half fills all.
    let grid = try drawHalves(.cover, in: Self.area)
    for row in 2..<4 {
      let colors = (3..<7).map { grid[$0, row].style.background }
      let (red, blue) = (CellColor(code: 0xFF0000), CellColor(code: 0x0000FF))
      #expect(colors == [red, red, blue, blue])
    }
    #expect(grid.cells.count { $0 != .blank } == 8)
  }

  @Test func stretchFillsAndContainKeepsTheShape() throws {
    #expect(try drawHalves(.stretch, in: Self.area).cells.count { $0 != .blank } == 8)
    #expect(try drawHalves(.contain, in: Self.area).cells.count { $0 != .blank } == 4)
  }

  @Test func inkThatIsTheTerminalsGroundIsInverse() throws {
    // The upper half transparent, the lower one red, or the other way round: either is one cell.
    for isUpper in [false, true] {
      let pixels = (0..<16 * 16).map { ($0 < 128) == isUpper ? Self.red : UInt32(0) }
      var grid = CellGrid(.assumed)
      let place = TerminalPlacement.place(
        PixelSize(clampingWidth: 16, height: 16),
        into: TerminalArea(column: 0, row: 0, columns: 2, rows: 1), cell: .assumed, graphics: .symbols)
      let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols))
      _ = try renderer.draw(pixels.span, at: place, on: &grid)
      let style = grid[0, 0].style
      #expect(style.background == .standard && style.foreground == CellColor(code: 0xFF0000))
      let shown = grid[0, 0].content
      let isTopInked = shown == .character("▀")
      #expect(isTopInked != style.isInverse || !isUpper)
      #expect(isTopInked || shown == .character("▄"))
    }
  }

  /// Half of each pixel of a picture is red, on a light terminal.
  @Test func transparencyIsComposedOverTheTerminalsOwnBackground() throws {
    let light = Color(0xFDF6E3)
    func style(_ pixel: UInt32, _ background: Color?, _ colors: TerminalColors = .trueColor) throws
      -> CellStyle
    {
      var grid = CellGrid(.assumed)
      let capabilities = TerminalCapabilities(graphics: .symbols, colors: colors)
      let renderer = TerminalRenderer(capabilities: capabilities, background: background)
      let pixels = [UInt32](repeating: pixel, count: 32 * 32)
      _ = try renderer.draw(pixels.span, at: placement(.symbols), on: &grid)
      return grid[4, 2].style
    }
    let halfRed: UInt32 = 0x8000_00FF
    #expect(try style(halfRed, light).background == CellColor(code: 0xFE7B71))
    #expect(try style(halfRed, .black).background == CellColor(code: 0x800000))
    // What is fully transparent is the terminal's own, and so is an equal colour of the picture.
    #expect(try style(0x00FF_FFFF, light) == CellStyle())
    #expect(try style(0xFFE3_F6FD, light) == CellStyle())
    #expect(try style(0xFFE3_F6FD, nil).background == CellColor(code: 0xFDF6E3))
    // With few colours the exact one is not available.
    #expect(try style(0x00FF_FFFF, light, .palette256) == CellStyle())
  }

  @Test(arguments: [
    (TerminalGlyphs.sextants, 0x1FB00...0x1FB3B), (.braille, 0x2800...0x28FF),
  ])
  func moreCharactersShowMoreDetail(_ glyphs: TerminalGlyphs, _ wanted: ClosedRange<Int>) throws {
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols, glyphs: glyphs))
    // The middle third of each cell of 16 rows.
    let pixels = (0..<32 * 32).map { (5..<11).contains($0 / 32 % 16) ? UInt32(0xFFFF_FFFF) : 0xFF00_0000 }
    let text = try draw(renderer, pixels)
    #expect(text.unicodeScalars.contains { wanted.contains(Int($0.value)) }, "\(text.debugDescription)")
  }

  @Test func manyCellsAreDrawnWithFewerSymbols() {
    let capabilities = TerminalCapabilities(graphics: .symbols)
    #expect(capabilities.limited(toCells: 3000) == capabilities)
    #expect(capabilities.limited(toCells: 3001).glyphs == .halfBlocks)
    let ascii = TerminalCapabilities(graphics: .symbols, glyphs: .ascii)
    #expect(ascii.limited(toCells: 10_000) == ascii)
  }

  @Test func theNumberOfPixelsMustBeRight() throws {
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: .symbols))
    for count in [0, 32 * 32 - 1, 32 * 32 + 1] {
      var grid = CellGrid(.assumed)
      let error = #expect(throws: TerminalError.self) {
        try renderer.draw([UInt32](repeating: 0, count: count).span, at: placement(.symbols), on: &grid)
      }
      #expect(error?.code == .invalidPicture)
    }
  }

  @Test func blendingIsExact() {
    func blended(_ pixel: UInt32, over background: Color) -> [UInt32] {
      let size = PixelSize(clampingWidth: 1, height: 1)
      var composer = PictureComposer(background: background)
      return composer.compose([pixel].span, part: PixelRect(size), of: size, to: size)
    }
    let grey = Color(red: 10, green: 100, blue: 200)
    #expect(blended(0x00FF_FFFF, over: grey) == [0xFFC8_640A])
    #expect(blended(0xFF12_3456, over: grey) == [0xFF12_3456])
    #expect(blended(0x00FF_FFFF, over: grey.withAlpha(0)) == [0xFFC8_640A])
    let white = Color(red: 255, green: 255, blue: 255)
    #expect(blended(0x8000_0000, over: white) == [0xFF7F_7F7F])
  }

  @Test func marginsAreTransparentAndEven() throws {
    var composer = PictureComposer(background: nil)
    let source = PixelSize(clampingWidth: 2, height: 1)
    let whole = PixelRect(source)
    let padded = PixelSize(clampingWidth: 5, height: 3)
    let pixels: [UInt32] = [1, 2]
    for _ in 0..<2 {
      #expect(
        composer.compose(pixels.span, part: whole, of: source, to: padded)
          == [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0])
    }
    #expect(!composer.isNeeded(part: whole, of: source, to: source))
    #expect(composer.isNeeded(part: whole, of: source, to: padded))
  }

  @Test func partsAreTakenFromTheirPlace() throws {
    var composer = PictureComposer(background: nil)
    let picture = PixelSize(clampingWidth: 4, height: 3)
    let part = PixelRect(x: 1, y: 1, width: 2, height: 2)
    let size = PixelSize(clampingWidth: 2, height: 2)
    let pixels = (0..<12).map(UInt32.init)
    #expect(composer.isNeeded(part: part, of: picture, to: size))
    #expect(composer.compose(pixels.span, part: part, of: picture, to: size) == [5, 6, 9, 10])
    let padded = PixelSize(clampingWidth: 3, height: 2)
    #expect(composer.compose(pixels.span, part: part, of: picture, to: padded) == [5, 6, 0, 9, 10, 0])
  }
}

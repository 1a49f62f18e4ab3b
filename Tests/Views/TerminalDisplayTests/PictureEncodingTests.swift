import GIFDecoding
import GIFStage
import Testing

@testable import TerminalDisplay

@Suite("Pictures as terminals get them")
struct PictureEncodingTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(clampingWidth: width, height: height)
  }

  /// Opaque colours whose channels survive sixel's percents: 0, 20 %, 40 % and so on.
  private func color(_ number: Int) -> UInt32 {
    func channel(_ step: Int) -> UInt32 { UInt32(step % 6 * 51) }
    return channel(number) | channel(number / 6) << 8 | channel(number / 36) << 16 | 0xFF00_0000
  }

  /// A picture that has this many colours.
  private func pixels(_ width: Int, _ height: Int, colors: Int) -> [UInt32] {
    (0..<width * height).map { color($0 * 7 % colors) }
  }

  /// What a terminal gets for a picture in an area of its own size.
  private func draw(
    _ pixels: [UInt32], _ size: PixelSize, _ graphics: TerminalGraphics,
    cell: TerminalCell = TerminalCell(width: 8, height: 12), columns: Int, rows: Int
  ) throws -> [UInt8] {
    let area = TerminalArea(column: 0, row: 0, columns: columns, rows: rows)
    let place = TerminalPlacement.place(size, into: area, cell: cell, graphics: graphics)
    let renderer = TerminalRenderer(capabilities: TerminalCapabilities(graphics: graphics))
    var grid = CellGrid(TerminalSize(columns: columns, rows: rows))
    return try renderer.draw(pixels.span, at: place, on: &grid)
  }

  private func kittyFile(_ bytes: [UInt8]) throws -> [UInt8] {
    let commands = PictureReading.parts(of: bytes, from: "\u{1B}_G", to: "\u{1B}\\")
    let payloads = try commands.map { command in
      let semicolon = try #require(command.firstIndex(of: UInt8(ascii: ";")))
      return command[(semicolon + 1)...]
    }
    #expect(payloads.allSatisfy { $0.count <= 4096 })
    #expect(payloads.dropLast().allSatisfy { $0.count % 4 == 0 })
    return try PictureReading.bytes(ofBase64: payloads.joined())
  }

  // MARK: Palettes

  @Test("Up to 256 colours are numbered in the order of their first pixels; all that is transparent is one")
  func indices() {
    var indexer = PictureIndexer()
    func take(_ pixels: [UInt32]) -> Bool { indexer.take(pixels.span) }
    let isTaken = take([color(3), color(3), 0x00FF_FFFF, color(1), 0x0000_1234, color(3)])
    #expect(isTaken && indexer.palette == [color(3), 0, color(1)])
    #expect(indexer.indices == [0, 0, 1, 2, 1, 0])
    let all = (0..<256).map { UInt32($0) * 0x0101 | 0xFF00_0000 }
    let areAllTaken = take(all)
    #expect(areAllTaken && indexer.palette == all)
    let isOneMoreTaken = take(all + [0xFFFF_0000])
    #expect(!isOneMoreTaken)
    let isEmptyTaken = take([0, 0, 0])
    #expect(isEmptyTaken && indexer.palette == [0])
  }

  // MARK: Files

  @Test(
    "Few colours are PNG files with a palette, in as few bits as they need",
    arguments: [
      (1, 1), (2, 2), (3, 2), (4, 4), (15, 4), (16, 8), (216, 8),
    ])
  func palettes(colors: Int, bits: Int) throws {
    // A width that fills no whole byte.
    let pixels = pixels(37, 29, colors: colors)
    let file = try kittyFile(draw(pixels, size(37, 29), .kitty, columns: 80, rows: 24))
    let picture = try PictureReading.png(file)
    #expect(picture.bits == bits && picture.type == 3)
    // The margin, which fills whole cells, is transparent: one more colour.
    try checkMargin(picture, around: pixels, width: 37, height: 29)
  }

  /// Whether a picture has `pixels` in its middle, and transparency around them.
  private func checkMargin(
    _ picture: PictureReading.Picture, around pixels: [UInt32], width: Int, height: Int
  ) throws {
    try #require(picture.width >= width && picture.height >= height)
    let (left, top) = ((picture.width - width) / 2, (picture.height - height) / 2)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let isInside = (left..<left + width).contains(x) && (top..<top + height).contains(y)
        let expected = isInside ? pixels[(y - top) * width + x - left] : 0
        if picture.pixels[y * picture.width + x] != expected {
          Issue.record("\(picture.pixels[y * picture.width + x]) at \(x), \(y) instead of \(expected)")
          return
        }
      }
    }
  }

  @Test("Translucent pixels stay so in kitty, which mixes by itself")
  func alpha() throws {
    let colors: [UInt32] = [0, 0x7F33_6699, 0xFE33_6699]
    let pixels = (0..<16 * 12).map { colors[$0 % 3] }
    let file = try kittyFile(draw(pixels, size(16, 12), .kitty, columns: 2, rows: 1))
    #expect(try PictureReading.png(file).pixels == pixels)
  }

  @Test("Many colours are a PNG file without a palette, with alpha only where it is needed")
  func manyColors() throws {
    for alpha in [0xFF00_0000, 0x8000_0000] as [UInt32] {
      let pixels = (0..<64 * 48).map { UInt32($0 * 977) & 0xFF_FFFF | alpha }
      let file = try kittyFile(draw(pixels, size(64, 48), .kitty, columns: 8, rows: 4))
      let picture = try PictureReading.png(file)
      #expect(picture.type == (alpha == 0xFF00_0000 ? 2 : 6) && picture.pixels == pixels)
    }
  }

  @Test("iTerm2 gets the same file in one sequence")
  func iterm2() throws {
    let pixels = pixels(16, 12, colors: 9)
    let bytes = try draw(pixels, size(16, 12), .iterm2, columns: 2, rows: 1)
    let payload = try #require(
      PictureReading.parts(of: bytes, from: "height=1;preserveAspectRatio=0:", to: "\u{7}").first)
    #expect(try PictureReading.png(PictureReading.bytes(ofBase64: payload)).pixels == pixels)
  }

  @Test("A picture is sent at its own size up to twice the terminal's pixels, and reduced beyond")
  func sizes() throws {
    // 10 x 10 cells have 80 x 120 pixels.
    for (width, height, expected) in [(30, 45, 30), (160, 240, 160), (162, 243, 80), (1600, 2400, 80)] {
      let file = try kittyFile(
        draw(pixels(width, height, colors: 5), size(width, height), .kitty, columns: 10, rows: 10))
      let picture = try PictureReading.png(file)
      #expect(picture.width == expected && picture.height == expected * 3 / 2)
    }
  }

  @Test("A reduced pixel is the mean of those it stands for, weighted by alpha")
  func means() {
    let pixels: [UInt32] = [0xFF00_0000, 0xFF00_0064, 0xFF00_00C8, 0x0000_00FF, 0xFF00_0064, 0x0000_00FF]
    func reduce(_ width: Int, _ height: Int, to target: PixelSize) -> [UInt32] {
      PictureReducer.reduce(pixels.span, of: size(width, height), to: target)
    }
    #expect(reduce(6, 1, to: size(3, 1)) == [0xFF00_0032, 0x8000_00C8, 0x8000_0064])
    #expect(
      reduce(6, 1, to: size(6, 1)) == [0xFF00_0000, 0xFF00_0064, 0xFF00_00C8, 0, 0xFF00_0064, 0])
    #expect(reduce(2, 3, to: size(2, 1)) == [0xFF00_0064, 0x5500_0064])
  }

  @Test("A picture of few colours has a fraction of its raw bytes")
  func compression() throws {
    let pixels = (0..<480 * 270).map { color($0 % 480 / 60) }
    let bytes = try draw(pixels, size(480, 270), .kitty, columns: 60, rows: 23)
    #expect(bytes.count < 480 * 270 * 4 / 100)
  }

  @Test("Text has the letters and the padding of RFC 4648")
  func base64() {
    for (plain, text) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ] {
      #expect(String(decoding: InlineImage.base64(Array(plain.utf8)), as: UTF8.self) == text)
    }
    #expect(String(decoding: InlineImage.base64([0xFB, 0xFF, 0xBE]), as: UTF8.self) == "+/++")
  }

  // MARK: Sixels

  @Test("Sixels have the GIF's own colours, its pixels repeated where it is enlarged", arguments: [1, 2, 3])
  func sixels(scale: Int) throws {
    for colors in [1, 2, 200] {
      let pixels = pixels(24, 24, colors: colors)
      let bytes = try draw(pixels, size(24, 24), .sixel, columns: 3 * scale, rows: 2 * scale)
      let picture = try PictureReading.sixels(bytes)
      #expect(picture.width == 24 * scale && picture.height == 24 * scale)
      let expected = (0..<picture.width * picture.height).map { place in
        pixels[place / picture.width / scale * 24 + place % picture.width / scale]
      }
      #expect(picture.pixels == expected)
    }
  }

  @Test("The margin that fills the cells stays as it is")
  func sixelMargin() throws {
    let pixels = pixels(24, 20, colors: 7)
    let picture = try PictureReading.sixels(draw(pixels, size(24, 20), .sixel, columns: 3, rows: 2))
    #expect(picture.width == 24 && picture.height == 24)
    let margin = [UInt32](repeating: 0, count: 2 * 24)
    #expect(picture.pixels == margin + pixels + margin)
  }

  @Test("256 colours fit; more, and reduced pictures, have those that fit best")
  func registers() throws {
    func registers(_ bytes: [UInt8]) -> Int { PictureReading.parts(of: bytes, from: ";2;", to: ";").count }
    let all = (0..<24 * 24).map { UInt32($0 % 256) * 0x0001_0001 | 0xFF00_0000 }
    #expect(registers(try draw(all, size(24, 24), .sixel, columns: 3, rows: 2)) == 256)
    let many = (0..<24 * 24).map { UInt32($0 * 1021) | 0xFF00_0000 }
    let bytes = try draw(many, size(24, 24), .sixel, columns: 3, rows: 2)
    #expect((1...256).contains(registers(bytes)))
    #expect(try PictureReading.sixels(bytes).width == 24)
    let reduced = try draw(pixels(48, 48, colors: 9), size(48, 48), .sixel, columns: 3, rows: 2)
    #expect(try PictureReading.sixels(reduced).width == 24)
  }
}

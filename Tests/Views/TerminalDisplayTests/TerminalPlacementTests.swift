import GIFDecoding
import GIFStage
import Testing

@testable import TerminalDisplay

@Suite struct TerminalPlacementTests {
  static let screen = TerminalArea(column: 0, row: 0, columns: 80, rows: 24)

  private func fit(
    _ width: Int, _ height: Int, in area: TerminalArea = screen, cell: TerminalCell = .assumed,
    _ graphics: TerminalGraphics = .symbols, scale: Int? = nil
  ) throws -> TerminalPlacement {
    .place(
      PixelSize(clampingWidth: width, height: height), into: area, cell: cell, graphics: graphics,
      maximumScale: scale)
  }

  @Test func wideAndTallPictures() throws {
    // 80x24 cells of 8x16 are 640x384 pixels.
    #expect(
      try fit(400, 300).area == TerminalArea(column: 8, row: 0, columns: 64, rows: 24))
    #expect(
      try fit(1000, 100).area == TerminalArea(column: 0, row: 10, columns: 80, rows: 4))
    #expect(try fit(100, 1000).area == TerminalArea(column: 37, row: 0, columns: 5, rows: 24))
  }

  @Test func thePlacementIsInItsArea() throws {
    let area = TerminalArea(column: 10, row: 5, columns: 20, rows: 10)
    #expect(try fit(100, 100, in: area).area == area)
    #expect(
      try fit(400, 100, in: area).area == TerminalArea(column: 10, row: 8, columns: 20, rows: 3))
  }

  @Test func extremeShapesKeepOneCell() throws {
    #expect(try fit(65535, 1).area == TerminalArea(column: 0, row: 11, columns: 80, rows: 1))
    #expect(try fit(1, 65535).area == TerminalArea(column: 39, row: 0, columns: 1, rows: 24))
    #expect(try fit(65535, 1, .kitty).drawnHeight == 1)
  }

  @Test func smallPicturesAreEnlargedByProtocol() throws {
    #expect(try fit(10, 10).area == TerminalArea(column: 16, row: 0, columns: 48, rows: 24))
    let kitty = try fit(10, 10, .kitty)
    #expect(kitty.drawnWidth == 30 && kitty.drawnHeight == 30)
    #expect(kitty.area == TerminalArea(column: 38, row: 11, columns: 4, rows: 2))
    #expect(try fit(10, 10, scale: 1).area == TerminalArea(column: 39, row: 11, columns: 1, rows: 1))
    let unscaled = try fit(10, 10, .kitty, scale: 0)
    #expect(unscaled.drawnWidth == 10 && unscaled.drawnHeight == 10)
  }

  @Test func marginsFillTheOutermostCells() throws {
    // 24x24 drawn three times as large is 72x72, in 9x5 cells of 72x80.
    let placement = try fit(24, 24, .iterm2)
    #expect(placement.area.columns == 9)
    #expect(placement.area.rows == 5)
    #expect(placement.padded == PixelSize(clampingWidth: 24, height: 27))
    #expect(placement.imageSize == PixelSize(clampingWidth: 72, height: 80))
  }

  @Test func sixelsKeepTheirShapeDespiteTheirBands() throws {
    // 16 pixels do not fit into the two full bands of one row.
    let small = try fit(16, 16, .sixel, scale: 1)
    #expect(small.area.columns == 2 && small.area.rows == 2)
    #expect(small.padded == PixelSize(clampingWidth: 16, height: 30))
    // 24 rows have 384 pixels, 64 full bands; 23 rows have 368, of which 366 are in full bands.
    #expect(try fit(1000, 1000, .sixel).drawnHeight == 384)
    let area = TerminalSize.assumed.area(for: .sixel)
    #expect(try fit(1000, 1000, in: area, .sixel).drawnHeight == 366)
  }

  /// What must hold for every fit.
  @Test(arguments: TerminalGraphics.allCases) func invariants(_ graphics: TerminalGraphics) throws {
    let cells = [
      TerminalCell.assumed, TerminalCell(width: 10, height: 21), TerminalCell(width: 256, height: 256),
      TerminalCell(width: 1, height: 1),
    ]
    let sides = [1, 2, 7, 16, 100, 640, 131_070]
    for cell in cells {
      for (columns, rows) in [(1, 1), (80, 24), (3, 200), (65535, 65535)] {
        let area = TerminalArea(column: 2, row: 1, columns: columns, rows: rows)
        for width in sides {
          for height in sides {
            let placement = try fit(width, height, in: area, cell: cell, graphics)
            let result = placement.area
            #expect(result.columns >= 1 && result.rows >= 1)
            #expect(result.column >= area.column && result.row >= area.row)
            #expect(result.column + result.columns <= area.column + area.columns)
            #expect(result.row + result.rows <= area.row + area.rows)
            let cell = placement.cell
            #expect(placement.drawnWidth <= columns * cell.width)
            #expect(placement.drawnHeight <= rows * cell.height)
            // The shape is kept to within a pixel: w/h = W/H, multiplied out.
            let difference = placement.drawnWidth * height - placement.drawnHeight * width
            #expect(abs(difference) <= max(width, height))
            if graphics.isPixelExact {
              #expect(placement.drawnHeight <= placement.imageHeight)
              #expect(placement.drawnWidth <= width * 3 && placement.drawnHeight <= height * 3)
              #expect(result.columns * cell.width - placement.drawnWidth < cell.width)
              #expect(placement.imageHeight - placement.drawnHeight < cell.height + 6)
              #expect(placement.imageSize.width == min(131_070, result.columns * cell.width))
            }
          }
        }
      }
    }
  }

  /// Stretching and covering fill the area whatever the shapes are, and cover cuts one side only, evenly.
  @Test(arguments: TerminalGraphics.allCases) func fillingInvariants(_ graphics: TerminalGraphics) throws {
    for (columns, rows) in [(1, 1), (80, 24), (3, 200), (65535, 65535)] {
      let area = TerminalArea(column: 2, row: 1, columns: columns, rows: rows)
      for width in [1, 2, 7, 100, 131_070] {
        for height in [1, 2, 7, 100, 131_070] {
          let picture = PixelSize(clampingWidth: width, height: height)
          for mode in [ResizeMode.stretch, .cover] {
            let place = TerminalPlacement.place(
              picture, into: area, cell: .assumed, graphics: graphics, mode: mode)
            #expect(place.area == area)
            #expect(place.drawnWidth == columns * 8 && place.drawnHeight == place.imageHeight)
            let part = place.part
            #expect(part.x >= 0 && part.x + part.width <= width)
            #expect(part.y >= 0 && part.y + part.height <= height)
            #expect(part.width == width || part.height == height)
            #expect((width - part.width) / 2 == part.x && (height - part.height) / 2 == part.y)
            if mode == .stretch { #expect(part == PixelRect(picture)) }
          }
        }
      }
    }
  }

  @Test func coverKeepsTheShape() throws {
    // 640x384 pixels of screen show 5:3 of a picture.
    let wide = TerminalPlacement.place(
      PixelSize(clampingWidth: 1000, height: 300), into: Self.screen, cell: .assumed, graphics: .symbols,
      mode: .cover)
    #expect(wide.part == PixelRect(x: 250, y: 0, width: 500, height: 300))
    let tall = TerminalPlacement.place(
      PixelSize(clampingWidth: 500, height: 1000), into: Self.screen, cell: .assumed, graphics: .symbols,
      mode: .cover)
    #expect(tall.part == PixelRect(x: 0, y: 350, width: 500, height: 300))
  }

  @Test func areasStayInRange() {
    let area = TerminalArea(column: -1, row: -1, columns: 0, rows: Int.max)
    #expect(area == TerminalArea(column: 0, row: 0, columns: 1, rows: 65535))
    #expect(Self.screen.leaving(rows: 100).rows == 1)
    #expect(Self.screen.leaving(rows: -1) == Self.screen)
  }

  @Test func invalidSizesAreReplaced() {
    #expect(TerminalSize(columns: 0, rows: 0) == .assumed)
    #expect(TerminalSize.assumed.cell == .assumed)
    #expect(
      TerminalSize(columns: 100, rows: 50, pixelWidth: 1000, pixelHeight: 1050).cell
        == TerminalCell(width: 10, height: 21))
    // Pixels that are cells in truth, only one side, and an absurd shape.
    #expect(TerminalSize(columns: 100, rows: 50, pixelWidth: 100, pixelHeight: 50).cell == .assumed)
    #expect(TerminalSize(columns: 100, rows: 50, pixelWidth: 1000, pixelHeight: 0).cell == .assumed)
    #expect(TerminalSize(columns: 100, rows: 50, pixelWidth: 300, pixelHeight: 1000).cell == .assumed)
    #expect(TerminalSize.query(-1) == .assumed)
  }

  @Test func hugeTerminalsAreDrawnInPart() {
    #expect(TerminalSize.assumed.drawable == .assumed)
    let huge = TerminalSize(columns: 65535, rows: 60000, pixelWidth: 65535, pixelHeight: 60000).drawable
    #expect(huge.columns == 800 && huge.rows == 300)
    let wide = TerminalSize(columns: 2048, rows: 20, pixelWidth: 20480, pixelHeight: 400)
    #expect(wide.drawable.cell == wide.cell && wide.drawable.rows == 20)
  }

  @Test func picturesThatScrollLeaveTheLastRow() {
    let size = TerminalSize.assumed
    #expect(size.area(for: .symbols).rows == 24)
    #expect(size.area(for: .kitty).rows == 24)
    #expect(size.area(for: .sixel).rows == 23)
    #expect(size.area(for: .iterm2).rows == 23)
  }
}

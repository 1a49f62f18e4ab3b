import GIFDecoding
import Testing

@testable import GIFStage

@Suite("GridLayout: the largest tiles")
struct GridColumnsTests {
  private func layout(_ count: Int, width: Int = 1280, height: Int = 756) -> GridLayout {
    GridLayout(
      itemCount: count, width: width, height: height, columns: .largest(width: 180), spacing: 10, padding: 12,
      captionHeight: 20)
  }

  @Test(
    "The columns are those with the largest pictures", arguments: [(2, 2), (3, 2), (4, 2), (9, 3), (24, 6)])
  func columns(count: Int, columns: Int) {
    #expect(layout(count).columns == columns)
  }

  @Test("Two items in a tall window stand above each other")
  func tall() {
    #expect(layout(2, width: 500, height: 900).columns == 1)
  }

  @Test("Items that fit fill the window without scrolling", arguments: [1, 2, 3, 9, 24])
  func filled(count: Int) {
    let layout = layout(count)
    #expect(layout.contentHeight <= 756 && layout.contentHeight > 756 - 10)
    #expect(layout.rect(of: 0).x <= 12 + layout.columns)
  }

  @Test("No other number of columns gives larger pictures")
  func largest() {
    for count in 1...24 {
      let best = layout(count)
      func size(_ columns: Int) -> Int {
        let rows = (count + columns - 1) / columns
        let width = (1256 - (columns - 1) * 10) / columns
        let height = (732 - (rows - 1) * 10) / rows - 20
        return min(width, height * 3 / 2)
      }
      let largest = (1...count).map(size).max() ?? 0
      #expect(size(best.columns) == largest, "\(count) items")
    }
  }

  @Test("Too many items for the window scroll, in as many columns as fit")
  func scrolled() {
    let fitting = GridLayout(
      itemCount: 500, width: 1280, columns: .fitting(width: 180), spacing: 10, padding: 12, captionHeight: 20)
    #expect(layout(500).columns == fitting.columns && layout(500).contentHeight == fitting.contentHeight)
  }
}

@Suite("PlayerScene: the size of a window")
struct WindowSizeTests {
  private func size(_ width: Int, _ height: Int) throws -> [Int] {
    let picture = try #require(PixelSize(width: width, height: height))
    let size = PlayerScene.windowSize(for: picture, screen: PixelSize(width: 1440, height: 900))
    return [size.width, size.height - ControlBar.height]
  }

  @Test("A GIF has its own size")
  func own() throws { #expect(try size(640, 360) == [640, 360]) }

  @Test("A small GIF is enlarged by a whole factor")
  func small() throws {
    #expect(try size(160, 120) == [320, 240])
    #expect(try size(50, 50) == [320, 250])
  }

  @Test("A large GIF shrinks to the screen in proportion")
  func large() throws {
    #expect(try size(2880, 1000) == [1440, 500])
    #expect(try size(2000, 4000) == [428, 856])
  }

  @Test("Extreme shapes leave room for the bar")
  func extremes() throws {
    #expect(try size(1, 4000) == [320, 856])
    #expect(try size(65_535, 1) == [1440, 120])
  }
}

import GIFPlayback
import GIFTimeline
import TerminalDisplay
import Testing

@testable import GallopCLI

@Suite("Rows of the terminal")
struct TerminalLayoutTests {
  private func layout(_ rows: Int, overlay: Bool = false) -> TerminalLayout {
    TerminalLayout(TerminalSize(columns: 80, rows: rows), showsOverlay: overlay)
  }

  @Test("The bar and the status line take the last rows where there is room")
  func lines() {
    #expect(layout(24).pictures == TerminalArea(column: 0, row: 0, columns: 80, rows: 22))
    #expect(layout(24).bar == 22 && layout(24).status == 23)
    #expect(layout(3).pictures.rows == 2 && layout(3).bar == 2 && layout(3).status == nil)
    #expect(layout(1).pictures.rows == 1 && layout(1).bar == nil && layout(1).status == nil)
  }

  @Test("The overlay leaves the pictures some rows")
  func overlay() {
    #expect(layout(24, overlay: true).overlay == 16..<22)
    #expect(layout(24, overlay: true).pictures.rows == 16)
    #expect(layout(8, overlay: true).overlay == 3..<6)
    #expect(layout(5, overlay: true).overlay.isEmpty)
    #expect(layout(24).overlay.isEmpty)
  }

  @Test("Every row is for one thing, whatever the size", arguments: [true, false])
  func everyRow(overlay: Bool) {
    for rows in Array(1...40) + [65535] {
      let layout = layout(rows, overlay: overlay)
      let used =
        layout.pictures.rows + layout.overlay.count + [layout.bar, layout.status].count { $0 != nil }
      #expect(used == rows)
      #expect(layout.pictures.rows >= 1)
      #expect(layout.overlay.lowerBound == layout.pictures.rows)
    }
  }
}

@Suite("Tiles of a wall")
struct WallLayoutTests {
  private func wall(_ count: Int, _ columns: Int, _ rows: Int, in wished: Int? = nil) -> WallLayout {
    let area = TerminalArea(column: 0, row: 0, columns: columns, rows: rows)
    return WallLayout(itemCount: count, area: area, columns: wished)
  }

  @Test("Columns are chosen for the largest pictures")
  func columns() {
    #expect(wall(1, 80, 22).columns == 1)
    #expect(wall(2, 80, 22).columns == 2)
    #expect(wall(4, 80, 22).columns == 2)
    #expect(wall(3, 200, 20).columns == 3)
    #expect(wall(3, 30, 60).columns == 1)
  }

  @Test("A wall that fits is seen whole")
  func whole() {
    let layout = wall(10, 100, 28)
    #expect(layout.items(from: 0) == 0..<10)
    #expect(layout.visibleRows == layout.rowCount)
  }

  @Test("A wall that does not fit scrolls by whole rows")
  func scrolling() {
    let layout = wall(24, 80, 22, in: 3)
    #expect(layout.rowCount == 8)
    #expect(layout.visibleRows == 2)
    #expect(layout.items(from: 0) == 0..<6)
    #expect(layout.items(from: 1) == 3..<9)
    #expect(layout.items(from: 100) == 18..<24)
    #expect(layout.items(from: -100) == 0..<6)
    #expect(layout.clamped(.max) == 6 && layout.clamped(.min) == 0)
    #expect(layout.tile(of: 2, from: 1) == nil)
    #expect(layout.tile(of: 3, from: 1)?.row == 0)
  }

  @Test("Items are brought into sight with the least movement")
  func showing() {
    let layout = wall(24, 80, 22, in: 3)
    #expect(layout.firstRow(showing: 4, from: 0) == 0)
    #expect(layout.firstRow(showing: 6, from: 0) == 1)
    #expect(layout.firstRow(showing: 23, from: 0) == 6)
    #expect(layout.firstRow(showing: 0, from: 6) == 0)
    #expect(layout.firstRow(showing: 10, from: 6) == 3)
    #expect(layout.firstRow(showing: .max, from: 0) == 6)
    #expect(layout.firstRow(showing: .min, from: 0) == 0)
  }

  @Test("Columns that are asked for are had, as far as there are cells and items")
  func wished() {
    #expect(wall(24, 80, 22, in: 6).columns == 6)
    #expect(wall(3, 80, 22, in: 1000).columns == 3)
    #expect(wall(2000, 10, 22, in: 1000).columns == 10)
    #expect(wall(24, 80, 22, in: 0).columns == 1)
  }

  @Test("The last row may have fewer items")
  func lastRow() {
    let layout = wall(7, 80, 40, in: 3)
    #expect(layout.rowCount == 3)
    #expect(layout.items(from: 0) == 0..<7)
    #expect(layout.item(atColumn: 0, row: 38, from: 0) == 6)
    #expect(layout.item(atColumn: 79, row: 38, from: 0) == nil)
  }

  @Test("Tiles lie within the area and apart, and each is found where it is, whatever the sizes")
  func tiles() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 9), (5, 3), (13, 7), (80, 22), (211, 57)] {
      for count in [1, 2, 3, 7, 24, 100] {
        for wished in [nil, 1, 4, 50] {
          let layout = wall(count, columns, rows, in: wished)
          check(layout, columns: columns, rows: rows)
        }
      }
    }
  }

  private func check(_ layout: WallLayout, columns: Int, rows: Int) {
    var taken: Set<[Int]> = []
    for first in 0..<layout.rowCount {
      taken = []
      let items = layout.items(from: first)
      #expect(!items.isEmpty)
      for item in items {
        guard let tile = layout.tile(of: item, from: first),
          let picture = layout.picture(of: item, from: first)
        else {
          Issue.record("item \(item) is in sight and has no place")
          continue
        }
        #expect(tile.column + tile.columns <= columns && tile.row + tile.rows <= rows)
        #expect(picture.rows >= 1 && picture.columns == tile.columns)
        #expect(picture.rows == tile.rows - (layout.hasCaptions ? 1 : 0))
        #expect(layout.item(atColumn: tile.column, row: tile.row, from: first) == item)
        for row in tile.row..<tile.row + tile.rows {
          for column in [tile.column, tile.column + tile.columns - 1] where tile.columns > 1 {
            #expect(taken.insert([column, row]).inserted)
          }
        }
      }
      #expect(layout.item(atColumn: columns, row: 0, from: first) == nil)
      #expect(layout.item(atColumn: -1, row: 0, from: first) == nil)
    }
  }
}

@Suite("When the terminal is drawn")
struct DrawGateTests {
  private func at(_ milliseconds: Int) -> PlaybackInstant {
    PlaybackInstant(nanoseconds: 0) + .milliseconds(milliseconds)
  }

  @Test("The first drawing is due at once, and then nothing is")
  func first() {
    var gate = DrawGate()
    #expect(gate.decision(at: at(0), isIdle: true) == .draw)
    gate.noteDraw(at: at(0), isChanged: false)
    #expect(gate.decision(at: at(1000), isIdle: true) == .wait(until: nil))
  }

  @Test("While the terminal is busy nothing is drawn, and afterwards once, however much has happened")
  func busy() {
    var gate = DrawGate()
    gate.noteDraw(at: at(0), isChanged: false)
    for moment in 20..<60 {
      gate.request()
      #expect(gate.decision(at: at(moment), isIdle: false) == .wait(until: nil))
    }
    #expect(gate.decision(at: at(60), isIdle: true) == .draw)
    gate.noteDraw(at: at(60), isChanged: false)
    #expect(gate.decision(at: at(90), isIdle: true) == .wait(until: nil))
  }

  @Test("Drawings keep their distance")
  func pace() {
    var gate = DrawGate()
    gate.noteDraw(at: at(100), isChanged: true)
    gate.request()
    #expect(gate.decision(at: at(104), isIdle: true) == .wait(until: at(115)))
    #expect(gate.decision(at: at(115), isIdle: true) == .draw)
  }

  @Test("What has changed is looked at once more")
  func afterglow() {
    var gate = DrawGate()
    gate.noteDraw(at: at(0), isChanged: true)
    #expect(gate.decision(at: at(1), isIdle: true) == .wait(until: at(300)))
    #expect(gate.decision(at: at(300), isIdle: true) == .draw)
    gate.noteDraw(at: at(300), isChanged: false)
    #expect(gate.decision(at: at(301), isIdle: true) == .wait(until: nil))
  }

  @Test("A look that is asked for earlier counts")
  func earlier() {
    var gate = DrawGate()
    gate.noteDraw(at: at(0), isChanged: true)
    gate.request(by: at(100))
    gate.request(by: at(200))
    #expect(gate.decision(at: at(50), isIdle: true) == .wait(until: at(100)))
    #expect(gate.decision(at: at(100), isIdle: true) == .draw)
  }
}

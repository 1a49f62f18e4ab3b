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

  @Test("The bar and the status line take the last rows if there is room")
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
  private func wall(_ count: Int, _ columns: Int, _ rows: Int, in preferred: Int? = nil) -> WallLayout {
    let area = TerminalArea(column: 0, row: 0, columns: columns, rows: rows)
    return WallLayout(itemCount: count, area: area, columns: preferred)
  }

  @Test("Columns are chosen for the largest pictures")
  func columns() {
    #expect(wall(1, 80, 22).columns == 1)
    #expect(wall(2, 80, 22).columns == 2)
    #expect(wall(4, 80, 22).columns == 2)
    #expect(wall(3, 200, 20).columns == 3)
    #expect(wall(3, 30, 60).columns == 1)
  }

  @Test("A wall that fits is shown whole")
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

  @Test("Items become visible with the least movement")
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

  @Test("Given columns are used, limited by cells and items")
  func preferred() {
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

  @Test("Tiles lie within the area without overlap and are found by cell, for any size")
  func tiles() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 9), (5, 3), (13, 7), (80, 22), (211, 57)] {
      for count in [1, 2, 3, 7, 24, 100] {
        for preferred in [nil, 1, 4, 50] {
          let layout = wall(count, columns, rows, in: preferred)
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

@Suite("DrawSchedule")
struct DrawGateTests {
  private func at(_ milliseconds: Int) -> PlaybackInstant {
    PlaybackInstant(nanoseconds: 0) + .milliseconds(milliseconds)
  }

  @Test("The first drawing is due at once, and then none")
  func first() {
    var schedule = DrawSchedule()
    #expect(schedule.decision(at: at(0), isIdle: true) == .draw)
    schedule.noteDraw(at: at(0), isChanged: false)
    #expect(schedule.decision(at: at(1000), isIdle: true) == .wait(until: nil))
  }

  @Test("A busy terminal is not drawn, and afterwards drawn once for all requests")
  func busy() {
    var schedule = DrawSchedule()
    schedule.noteDraw(at: at(0), isChanged: false)
    for moment in 20..<60 {
      schedule.request()
      #expect(schedule.decision(at: at(moment), isIdle: false) == .wait(until: nil))
    }
    #expect(schedule.decision(at: at(60), isIdle: true) == .draw)
    schedule.noteDraw(at: at(60), isChanged: false)
    #expect(schedule.decision(at: at(90), isIdle: true) == .wait(until: nil))
  }

  @Test("Drawings keep their interval")
  func pace() {
    var schedule = DrawSchedule()
    schedule.noteDraw(at: at(100), isChanged: true)
    schedule.request()
    #expect(schedule.decision(at: at(104), isIdle: true) == .wait(until: at(115)))
    #expect(schedule.decision(at: at(115), isIdle: true) == .draw)
  }

  @Test("A change is followed by one more drawing")
  func settleDelay() {
    var schedule = DrawSchedule()
    schedule.noteDraw(at: at(0), isChanged: true)
    #expect(schedule.decision(at: at(1), isIdle: true) == .wait(until: at(300)))
    #expect(schedule.decision(at: at(300), isIdle: true) == .draw)
    schedule.noteDraw(at: at(300), isChanged: false)
    #expect(schedule.decision(at: at(301), isIdle: true) == .wait(until: nil))
  }

  @Test("The earliest requested instant counts")
  func earlier() {
    var schedule = DrawSchedule()
    schedule.noteDraw(at: at(0), isChanged: true)
    schedule.request(by: at(100))
    schedule.request(by: at(200))
    #expect(schedule.decision(at: at(50), isIdle: true) == .wait(until: at(100)))
    #expect(schedule.decision(at: at(100), isIdle: true) == .draw)
  }
}

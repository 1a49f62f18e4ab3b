import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

@Suite("GridLayout: where items are")
struct GridLayoutTests {
  /// Many layouts and windows, compared with a test of every item.
  @Test("The visible items are those whose cells intersect the window, row by row")
  func windows() {
    for (count, width, columns, spacing, padding) in [
      (0, 100, 3, 5, 5), (1, 100, 3, 5, 5), (10, 100, 3, 5, 7), (23, 64, 4, 0, 0), (9, 5, 9, 2, 1),
      (40, 300, 1, 9, 30),
    ] {
      let layout = GridLayout(
        itemCount: count, width: width, columns: .count(columns), spacing: spacing, padding: padding,
        captionHeight: 3)
      let bottom = (0..<count).map { layout.rect(of: $0).maxY }.max() ?? padding
      #expect(layout.contentHeight == bottom + padding)
      for offset in -20..<layout.contentHeight + 20 {
        for height in [1, 13, 50] {
          let seen = (0..<count).filter {
            let rect = layout.rect(of: $0)
            return rect.maxY > offset && rect.y < offset + height
          }
          let items = layout.items(from: offset, height: height)
          let isSame = seen.first == items.first && seen.count == items.count
          #expect(isSame, "\(count) items, \(offset) + \(height): \(items), not \(seen)")
        }
      }
    }
  }

  @Test("Cells lie within the width without overlap, and are found by points")
  func cells() {
    for width in [40, 77, 500] {
      let layout = GridLayout(itemCount: 11, width: width, columns: .count(4), spacing: 3, padding: 5)
      for item in 0..<11 {
        let rect = layout.rect(of: item)
        #expect(rect.x >= 5 && rect.maxX <= width - 5)
        #expect(layout.item(atX: rect.x, y: rect.y) == item)
        #expect(layout.item(atX: rect.maxX - 1, y: rect.maxY - 1) == item)
        #expect(layout.item(atX: rect.maxX, y: rect.y) == nil)
        for other in 0..<item { #expect(rect.intersection(layout.rect(of: other)).isEmpty) }
      }
      #expect(layout.item(atX: 0, y: 0) == nil && layout.item(atX: -9, y: 6) == nil)
    }
  }

  @Test("As many columns as fit")
  func fitting() {
    func columns(_ width: Int) -> Int {
      GridLayout(itemCount: 9, width: width, columns: .fitting(width: 100), spacing: 10, padding: 5).columns
    }
    #expect(
      columns(1) == 1 && columns(110) == 1 && columns(219) == 1 && columns(220) == 2 && columns(330) == 3)
  }

  @Test("Scrolling to an item shows all of it at its position, within the content")
  func scrolling() {
    let layout = GridLayout(itemCount: 100, width: 100, columns: .count(3), spacing: 4, padding: 6)
    for item in [-5, 0, 1, 50, 98, 99, 4000] {
      let rect = layout.rect(of: min(99, max(0, item)))
      for position in [GridLayout.ScrollPosition.top, .center, .bottom, .nearest] {
        for start in [0, 300, layout.contentHeight] {
          let offset = layout.offset(showing: item, at: position, from: start, height: 90)
          #expect(offset >= 0 && offset <= layout.contentHeight - 90)
          #expect(rect.y >= offset && rect.maxY <= offset + 90)
          if position == .nearest {
            let again = layout.offset(showing: item, at: .nearest, from: offset, height: 90)
            #expect(again == offset)
          }
        }
      }
    }
    #expect(layout.offset(showing: 50, at: .top, from: 0, height: 90) == layout.rect(of: 50).y - 6)
  }

  @Test("Absurd sizes overflow nothing")
  func limits() {
    let layout = GridLayout(
      itemCount: .max, width: .max, columns: .count(.max), spacing: .max, padding: .max, aspect: (1, .max),
      captionHeight: .max)
    _ = layout.rect(of: layout.itemCount - 1)
    _ = layout.items(from: layout.clamped(.max, height: 0), height: 1 << 20)
    #expect(
      GridLayout(itemCount: -3, width: -1, columns: .count(0), spacing: -1, padding: -1).contentHeight == 0)
    #expect(layout.widened(0..<0, rows: 3).isEmpty)
    #expect(layout.widened(7..<9, rows: .max) == 0..<layout.itemCount)
    #expect(layout.widened(.min..<(.max), rows: .min) == 0..<layout.itemCount)
  }
}

@Suite("GridView: a grid of a thousand")
struct GridViewTests {
  private static func properties(_ count: Int) -> GridProperties {
    var properties = GridProperties()
    properties.items = (0..<count).map { GridItem(id: $0, source: "\($0 % 7)", caption: "item \($0)") }
    properties.columns = .count(4)
    properties.image.fade = .zero
    return properties
  }

  private func wall(_ count: Int, rig: StageRig) throws -> GridView {
    for source in 0..<7 {
      rig.loader["\(source)"] = try TestImage.flat(frames: 5 + source, width: 30, height: 20)
    }
    let grid = GridView(Self.properties(count), services: rig.services)
    rig.show(grid, width: 400, height: 300)
    return grid
  }

  /// The state of each visible or near item.
  private func states(_ grid: GridView) -> [Int: PlaybackState] {
    Dictionary(
      uniqueKeysWithValues: grid.imageViews.compactMap { entry in
        entry.view.player.map { (entry.item, $0.state) }
      })
  }

  @Test(
    "Scrolled to item 500 of 1,000: it is in sight, those in sight play, one row each side stands, no others are"
  )
  func thousand() throws {
    let rig = StageRig()
    let grid = try wall(1000, rig: rig)
    #expect(grid.visibleItems.lowerBound == 0)
    let log = ViewLog(grid)
    grid.scrollToItem(500)
    rig.run(.milliseconds(50))
    #expect(grid.visibleItems.contains(500))
    #expect(log.take().filter { !$0.hasPrefix("loaded") } == ["scrolled \(grid.visibleItems)"])
    let states = states(grid)
    let visible = grid.visibleItems
    #expect(Set(states.keys) == Set(visible.lowerBound - 4..<visible.upperBound + 4))
    for (item, state) in states {
      // A cell may show its caption only.
      let picture = grid.gridLayout.rect(of: item).offset(x: 0, y: -grid.scrollOffset)
      let isShown = picture.maxY - CaptionCell.captionHeight > 0 && picture.y < 300
      #expect(state == (isShown ? .playing : .paused), "\(item)")
      #expect(visible.contains(item) || !isShown)
    }
    // Only visible and near items were loaded.
    #expect(rig.loader.sources.count < 60)
    let before = lookups(grid)
    rig.run(.seconds(3))
    for (item, count) in lookups(grid) where !visible.contains(item) { #expect(count == before[item]) }
  }

  /// The pictures that each item's own player has asked for; what is decoded, items of the same content
  /// share.
  private func lookups(_ grid: GridView) -> [Int: Int] {
    Dictionary(
      uniqueKeysWithValues: grid.imageViews.map { entry in
        let statistics = entry.view.player?.cacheStatistics
        return (entry.item, (statistics?.hits ?? 0) + (statistics?.misses ?? 0))
      })
  }

  @Test("Cells are reused: scrolling through all items creates only as many as fit")
  func cells() throws {
    let rig = StageRig()
    let grid = try wall(1000, rig: rig)
    var views: Set<View.ID> = []
    for item in stride(from: 0, to: 1000, by: 10) {
      grid.scrollToItem(item, at: .top)
      rig.settle()
      for entry in grid.imageViews {
        views.insert(entry.view.id)
        #expect(entry.view.properties.source == "\(entry.item % 7)")
      }
    }
    #expect(views.count <= 28)
    #expect(grid.children.count <= 29)
  }

  @Test("An item that becomes visible again resumes, and a paused one stays paused")
  func returning() throws {
    let rig = StageRig()
    let grid = try wall(200, rig: rig)
    rig.run(.milliseconds(230))
    grid.imageView(of: 1)?.perform(.pause)
    grid.setRange(1..<3, ofItem: 2)
    rig.run(.milliseconds(20))
    let (first, second) = (grid.imageView(of: 0)?.shown?.index, grid.imageView(of: 1)?.shown?.index)
    grid.scrollToItem(150, at: .top)
    rig.run(.seconds(2))
    #expect(grid.imageView(of: 0) == nil)
    grid.scrollToItem(0, at: .top)
    rig.settle()
    #expect(grid.imageView(of: 0)?.shown?.index == first)
    #expect(grid.imageView(of: 1)?.shown?.index == second)
    #expect(grid.imageView(of: 1)?.isPlaying == false && grid.imageView(of: 0)?.isPlaying == true)
    #expect(grid.imageView(of: 2)?.properties.range == 1..<3)
  }

  @Test("A reused cell shows the placeholder, not its former item")
  func nothingOld() throws {
    let rig = StageRig(isImmediate: false)
    let grid = GridView(Self.properties(100), services: rig.services)
    rig.show(grid, width: 400, height: 300)
    for source in 0..<7 { rig.loader.complete("\(source)", with: .success(try TestImage.flat(frames: 3))) }
    rig.run(.milliseconds(50))
    rig.draw()
    grid.scrollToItem(60, at: .top)
    rig.settle()
    rig.draw()
    let surface = try #require(rig.stage?.surface)
    let colors = Set(
      (0..<surface.width * surface.height).map { surface[$0 % surface.width, $0 / surface.width] })
    #expect((0..<3).allSatisfy { !colors.contains(TestImage.pixel($0)) })
  }

  @Test("Properties and commands for all items apply to visible and hidden ones")
  func everybody() throws {
    let rig = StageRig()
    let grid = try wall(200, rig: rig)
    grid.properties.image.rate = 3
    grid.perform(.pause)
    rig.settle()
    #expect(grid.imageViews.allSatisfy { $0.view.properties.rate == 3 && !$0.view.isPlaying })
    grid.scrollToItem(100)
    rig.settle()
    #expect(grid.imageViews.allSatisfy { $0.view.properties.rate == 3 && !$0.view.isPlaying })
    grid.perform(.play)
    grid.scrollToItem(0)
    rig.settle()
    #expect(grid.imageViews.allSatisfy { $0.view.isPlaying })
  }

  @Test("Removed and moved items are shown at once; an empty grid is valid")
  func items() throws {
    let rig = StageRig()
    let grid = try wall(50, rig: rig)
    grid.scrollToItem(49)
    grid.properties.items.removeFirst(45)
    rig.settle()
    #expect(grid.visibleItems == 0..<5 && grid.scrollOffset == 0)
    #expect(grid.imageView(of: 0)?.properties.source == "\(45 % 7)")
    grid.properties.items = []
    rig.settle()
    rig.draw()
    #expect(grid.visibleItems.isEmpty && grid.imageViews.isEmpty)
    grid.scrollToItem(3)
    grid.scroll(by: .min)
    grid.scroll(by: .max)
    rig.run(.seconds(1))
  }

  @Test("The wheel scrolls smoothly, and within the content")
  func wheel() throws {
    let rig = StageRig()
    let grid = try wall(200, rig: rig)
    rig.stage?.wheel(120, x: 50, y: 50)
    var offsets = [grid.scrollOffset]
    for _ in 0..<20 {
      rig.time.advance(by: .milliseconds(16))
      rig.stage?.tick()
      offsets.append(grid.scrollOffset)
    }
    #expect(
      offsets.first == 0 && offsets.last == 120 && offsets == offsets.sorted() && Set(offsets).count > 5)
    rig.stage?.wheel(-100_000, x: 50, y: 50)
    rig.run(.seconds(1))
    #expect(grid.scrollOffset == 0)
    rig.stage?.wheel(1 << 40, x: 50, y: 50)
    rig.run(.seconds(1))
    #expect(grid.scrollOffset == grid.gridLayout.contentHeight - 300)
  }

  @Test(
    "As many rows near sight as there are numbers: every item has its cell; no length overflows at any scale")
  func absurd() throws {
    let rig = StageRig()
    let grid = try wall(50, rig: rig)
    grid.properties.nearRows = .max
    #expect(grid.imageViews.map(\.item) == Array(0..<50))
    for length in [Int.min, .max] {
      grid.properties.columns = .fitting(width: length)
      grid.properties.spacing = length
      grid.properties.padding = length
      rig.stage?.resize(width: 400, height: 300, scale: length < 0 ? 4 : 3)
      rig.settle()
    }
  }

  @Test("A range of the grid applies to items without their own range")
  func ranges() throws {
    let rig = StageRig()
    let grid = try wall(50, rig: rig)
    grid.setRange(nil, ofItem: 0)
    grid.setRange(2..<4, ofItem: 1)
    grid.properties.image.range = 1..<3
    #expect(grid.imageViews.prefix(4).map(\.view.properties.range) == [nil, 2..<4, 1..<3, 1..<3])
    #expect((0..<3).map { grid.range(ofItem: $0) } == [nil, 2..<4, 1..<3])
  }

  @Test("Events of items carry the item's number; a tap on a caption counts as one on the image")
  func events() throws {
    let rig = StageRig()
    let grid = try wall(20, rig: rig)
    var heard: [String] = []
    grid.onItemEvent = { heard.append("\($0) \(ViewLog.word($1.kind))") }
    let cell = grid.gridLayout.rect(of: 5)
    rig.stage?.pointer(PointerEvent(.began, x: cell.x + 3, y: cell.y + 3))
    rig.stage?.pointer(PointerEvent(.ended, x: cell.x + 3, y: cell.y + 3))
    #expect(heard == ["5 tap", "5 pause"])
    let view = try #require(grid.imageView(of: 5))
    #expect(grid.item(of: view) == 5 && grid.item(of: grid) == nil)
    heard = []
    rig.stage?.pointer(PointerEvent(.began, x: cell.x + 3, y: cell.maxY - 3))
    rig.stage?.pointer(PointerEvent(.ended, x: cell.x + 3, y: cell.maxY - 3))
    #expect(heard == ["5 tap", "5 play"])
  }
}

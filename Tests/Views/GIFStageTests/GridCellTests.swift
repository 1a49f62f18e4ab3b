import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

/// A row with a square image and a name beside it.
private final class RowCell: GridCell {
  private(set) var shown: [String?] = []
  let holder = View()

  override init(services: StageServices) {
    super.init(services: services)
    // The image need not be a child of the cell itself.
    add(holder)
    holder.add(imageView)
  }

  override func itemChanged() {
    shown.append(item.map { $0.caption + (isSelected ? "*" : "") })
    super.itemChanged()
  }

  override func layout() {
    holder.frame = PixelRect(0, 0, frame.height, frame.height)
    imageView.frame = holder.bounds
  }

  override func draw(on surface: inout Surface) { surface.fill(bounds, Color(0x123456)) }
}

@Suite("GridView: cells of the user's own")
struct GridCellTests {
  private let rig = StageRig()
  private let grid: GridView
  private var made = 0

  init() throws {
    rig.loader["a"] = try TestImage.flat(frames: 4)
    var properties = GridProperties()
    properties.items = (0..<100).map { GridItem(id: $0, source: "a", caption: "\($0)") }
    properties.columns = .count(1)
    properties.cellHeight = 40
    (properties.spacing, properties.padding) = (2, 0)
    properties.image.fade = .zero
    grid = GridView(properties, services: rig.services) { RowCell(services: $0) }
    rig.show(grid, width: 120, height: 200)
  }

  @Test("A cell has the grid's height, plays its image where it puts it, and draws what else it likes")
  func drawn() throws {
    let cell = try #require(grid.cell(of: 0) as? RowCell)
    #expect(cell.frame == PixelRect(0, 0, 120, 40) && cell.imageView.frame == PixelRect(0, 0, 40, 40))
    #expect(grid.cell(of: 1)?.frame.y == 42 && grid.cell(of: 99) == nil)
    #expect(cell.item?.caption == "0" && cell.imageView.player?.state == .playing)
    rig.draw()
    #expect(rig.stage?.surface[100, 20] == Color(0x123456).word)
    #expect(rig.stage?.surface[20, 20] == TestImage.pixel(0))
  }

  @Test(
    "Cells are reused: each is told of its next item and of none in between, and no more are made than fit")
  func reused() throws {
    let first = try #require(grid.cell(of: 0) as? RowCell)
    var cells: Set<View.ID> = []
    for item in stride(from: 0, to: 100, by: 3) {
      grid.scrollToItem(item, at: .top)
      rig.settle()
      for entry in grid.imageViews {
        let cell = try #require(grid.cell(of: entry.item))
        cells.insert(cell.id)
        #expect(cell.item?.id == entry.item && grid.item(of: entry.view) == entry.item)
      }
    }
    #expect(cells.count <= 9)
    #expect(first.shown.count > 2 && zip(first.shown, first.shown.dropFirst()).allSatisfy { $0 != $1 })
    #expect(first.shown.contains(nil))
  }

  @Test("A cell learns of its selection; its events carry its item, wherever the image is in it")
  func events() throws {
    var heard: [Int] = []
    grid.onItemEvent = { item, event in if case .tapped = event.kind { heard.append(item) } }
    for phase in [PointerEvent.Phase.began, .ended] {
      rig.stage?.pointer(PointerEvent(phase, x: 5, y: 42 * 2 + 5))
    }
    #expect(heard == [2])
    grid.selectedItem = 1
    grid.selectedItem = 2
    #expect((grid.cell(of: 1) as? RowCell)?.shown.suffix(2) == ["1*", "1"])
    #expect((grid.cell(of: 2) as? RowCell)?.shown.last == "2*")
    #expect(grid.item(of: grid) == nil)
  }

  @Test("Another height of cells takes effect at once; absurd ones are bounded")
  func heights() {
    grid.properties.cellHeight = 90
    #expect(grid.cell(of: 1)?.frame.y == 92)
    for height in [Int.min, 0, .max] {
      grid.properties.cellHeight = height
      rig.settle()
      #expect(grid.gridLayout.cellHeight >= 1)
    }
  }
}

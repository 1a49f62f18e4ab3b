import GIFDecoding
import Testing

@testable import GallopCLI

@Suite("Contact sheet layout")
struct SheetLayoutTests {
  private func makeLayout(
    _ canvas: (Int, Int), _ count: Int, size: PixelSize? = nil, caption: Int = 60, title: Int = 100
  ) -> SheetLayout? {
    SheetLayout(
      canvas: PixelSize(clampingWidth: canvas.0, height: canvas.1), count: count, size: size,
      captionWidth: caption, titleWidth: title)
  }

  @Test(
    "Thumbnails fit 160 x 120, keep their proportions and are never enlarged",
    arguments: [
      ((480, 270), (160, 90)), ((270, 480), (68, 120)), ((160, 120), (160, 120)), ((40, 30), (40, 30)),
      ((1, 1), (1, 1)), ((65535, 1), (160, 1)), ((1, 65535), (1, 120)),
    ])
  func thumbnails(canvas: (Int, Int), expected: (Int, Int)) throws {
    let layout = try #require(makeLayout(canvas, 10))
    #expect((layout.thumbnail.width, layout.thumbnail.height) == expected)
  }

  @Test(
    "All parts lie on the sheet and do not overlap",
    arguments: [1, 2, 3, 5, 12, 100, 360, 5000], [(2, 2), (480, 270), (30, 400), (3000, 10)])
  func places(count: Int, canvas: (Int, Int)) throws {
    let layout = try #require(makeLayout(canvas, count))
    let sheet = PixelRect(x: 0, y: 0, width: layout.width, height: layout.height)
    let title = PixelRect(x: 0, y: 0, width: layout.width, height: 12 + 18)
    var all: [PixelRect] = [title]
    for position in 0..<count {
      let (picture, caption) = (layout.picture(position), layout.caption(position))
      #expect(sheet.contains(picture) && sheet.contains(caption))
      #expect(picture.maxY < caption.y)
      #expect(caption.width >= 60)
      // What could overlap lies near: the cells of the row above and the one before.
      for other in all.suffix(2 * (layout.columns + 1)) {
        #expect(picture.intersection(other).isEmpty && caption.intersection(other).isEmpty)
      }
      all += [picture, caption]
    }
  }

  @Test("Many frames get smaller thumbnails, and the sheet stays within its limit")
  func many() throws {
    var last = (160, 120)
    for count in [100, 1000, 3000, 5000, 8000, 12_000] {
      let layout = try #require(makeLayout((640, 480), count))
      #expect(layout.thumbnail.width <= last.0 && layout.thumbnail.height <= last.1)
      #expect(Int64(layout.width) * Int64(layout.height) <= SheetLayout.areaLimit)
      #expect(layout.width <= 16_384 && layout.height <= 16_384)
      last = (layout.thumbnail.width, layout.thumbnail.height)
    }
    #expect(last < (64, 48))
  }

  @Test("Too many frames have no layout")
  func tooMany() {
    #expect(makeLayout((640, 480), 131_072) == nil)
    #expect(makeLayout((640, 480), 1000, size: PixelSize(width: 640, height: 480)) == nil)
    #expect(makeLayout((10, 10), 1, size: PixelSize(width: 65_535, height: 10)) == nil)
    #expect(makeLayout((10, 10), 1, size: PixelSize(width: 10, height: 65_535)) == nil)
  }

  @Test("A given size is used unchanged")
  func givenSize() throws {
    let layout = try #require(makeLayout((100, 100), 4, size: PixelSize(width: 300, height: 20)))
    #expect(layout.thumbnail == PixelSize(width: 300, height: 20))
  }

  @Test("The title makes a narrow sheet wider, up to 640 pixels")
  func title() throws {
    #expect(try #require(makeLayout((10, 10), 1, title: 500)).width == 524)
    #expect(try #require(makeLayout((10, 10), 1, title: 5000)).width == 664)
  }

  @Test("Without frames there is a sheet with a title")
  func empty() throws {
    let layout = try #require(makeLayout((10, 10), 0))
    #expect(layout.width > 0 && layout.height > 0)
  }
}

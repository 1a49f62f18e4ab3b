import GIFDecoding
import Testing

@testable import GIFStage

@Suite("ResizeMode: the rectangle of a picture")
struct ResizeModeTests {
  static let sides = [1, 2, 3, 5, 7, 16, 31, 100, 640]

  @Test("Stretch fills the view exactly, whatever the picture")
  func stretch() throws {
    for width in Self.sides {
      for height in Self.sides {
        let picture = try #require(PixelSize(width: height, height: width))
        #expect(
          ResizeMode.stretch.place(picture, inWidth: width, height: height) == PixelRect(0, 0, width, height))
      }
    }
  }

  /// All pairs of sizes: 6,561 cases each, against what the words mean.
  @Test("Contain shows the whole picture, cover fills the view, both in proportion and centred")
  func proportions() throws {
    for (width, height) in Self.sides.flatMap({ width in Self.sides.map { (width, $0) } }) {
      let picture = try #require(PixelSize(width: width, height: height))
      for (viewWidth, viewHeight) in Self.sides.flatMap({ width in Self.sides.map { (width, $0) } }) {
        let contain = ResizeMode.contain.place(picture, inWidth: viewWidth, height: viewHeight)
        let cover = ResizeMode.cover.place(picture, inWidth: viewWidth, height: viewHeight)
        let view = PixelRect(0, 0, viewWidth, viewHeight)
        let isContained = view.contains(contain)
        let isCovered = cover.contains(view)
        #expect(isContained && isCovered, "\(width) x \(height) in \(viewWidth) x \(viewHeight)")
        // One side is the view's.
        let touches = contain.width == viewWidth || contain.height == viewHeight
        let touchesToo = cover.width == viewWidth || cover.height == viewHeight
        #expect(touches && touchesToo, "\(width) x \(height) in \(viewWidth) x \(viewHeight)")
        for place in [contain, cover] {
          // One side decides, and the other one is right to half a pixel, or the least there is.
          let byWidth = Double(height * viewWidth) / Double(width) - Double(place.height)
          let byHeight = Double(width * viewHeight) / Double(height) - Double(place.width)
          let isRightByWidth = place.width == viewWidth && (abs(byWidth) <= 0.5 || place.height == 1)
          let isRightByHeight = place.height == viewHeight && (abs(byHeight) <= 0.5 || place.width == 1)
          let isRight = isRightByWidth || isRightByHeight
          let isCentered =
            abs(2 * place.x + place.width - viewWidth) <= 1
            && abs(2 * place.y + place.height - viewHeight) <= 1
          #expect(isRight && isCentered, "\(width) x \(height) in \(viewWidth) x \(viewHeight): \(place)")
        }
      }
    }
  }

  @Test("An empty view gives an empty rectangle; the largest sizes do not overflow")
  func limits() throws {
    let picture = try #require(PixelSize(width: 65_535, height: 1))
    for mode in ResizeMode.allCases {
      #expect(mode.place(picture, inWidth: 0, height: 10).isEmpty)
      #expect(mode.place(picture, inWidth: -5, height: 10).isEmpty)
      #expect(!mode.place(picture, inWidth: .max, height: .max).isEmpty)
    }
  }

  @Test("The modes form a cycle")
  func next() {
    #expect(ResizeMode.stretch.next == .contain)
    #expect(ResizeMode.contain.next == .cover)
    #expect(ResizeMode.cover.next == .stretch)
  }
}

@Suite("Parts and decode sizes of pictures")
struct PictureLayoutTests {
  /// Every destination pixel that looks at a changed source pixel, by either sampling, lies in the returned
  /// part.
  @Test("The part of a view that shows a part of a picture holds every pixel that depends on it")
  func shown() throws {
    let picture = try #require(PixelSize(width: 7, height: 5))
    for (width, height) in [(7, 5), (14, 10), (3, 2), (20, 3), (1, 1), (9, 11)] {
      let place = PixelRect(4, -3, width, height)
      for x in 0..<7 {
        for y in 0..<5 {
          let shown = PictureLayout.shown(PixelRect(x, y, 1, 1), of: picture, in: place)
          for column in 0..<width where Self.touches(column, width, x, 7) {
            for row in 0..<height where Self.touches(row, height, y, 5) {
              #expect(shown.contains(x: place.x + column, y: place.y + row))
            }
          }
        }
      }
    }
  }

  /// Whether a destination position of `length` covers any of a source position of `source`.
  static func touches(_ position: Int, _ length: Int, _ wanted: Int, _ source: Int) -> Bool {
    let start = Double(position) * Double(source) / Double(length)
    let end = Double(position + 1) * Double(source) / Double(length)
    return start < Double(wanted + 1) - 1e-9 && end > Double(wanted) + 1e-9
  }

  @Test("A part outside of the picture is empty")
  func outside() throws {
    let picture = try #require(PixelSize(width: 7, height: 5))
    let place = PixelRect(0, 0, 70, 50)
    #expect(PictureLayout.shown(PixelRect(7, 0, 3, 3), of: picture, in: place).isEmpty)
    #expect(PictureLayout.shown(.empty, of: picture, in: place).isEmpty)
    #expect(PictureLayout.shown(PixelRect(-9, -9, .max / 2, .max / 2), of: picture, in: place) == place)
  }

  @Test("Pictures are decoded smaller if both sides shrink, and never larger")
  func decodeSize() throws {
    let picture = try #require(PixelSize(width: 40, height: 20))
    func size(_ width: Int, _ height: Int) -> PixelSize? {
      PictureLayout.decodeSize(of: picture, shownIn: PixelRect(0, 0, width, height))
    }
    #expect(size(40, 20) == nil)
    #expect(size(20, 10) == PixelSize(width: 20, height: 10))
    #expect(size(40, 10) == PixelSize(width: 40, height: 10))
    #expect(size(41, 10) == nil)
    #expect(size(80, 40) == nil)
    #expect(size(0, 0) == nil)
  }
}

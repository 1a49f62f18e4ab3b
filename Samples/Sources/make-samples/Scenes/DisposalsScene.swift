import GIFWriting
import Gallop

/// Shapes that bear the number of their disposal, drawn over a chequered floor and partly outside of the
/// canvas.
enum DisposalsScene {
  private static let size = (width: 240, height: 160)
  private static let transparent: UInt8 = 0
  /// Each at its number, of which the first says nothing.
  private static let disposals: [Disposal?] = [nil, .keep, .background, .previous]
  private static let colors: [UInt32] = [
    0x000000, 0xE9E4D4, 0xD3CBB3, 0x2D3142, 0xE4572E, 0x17BEBB, 0xFFC914, 0x76B041,
  ]

  static func make() throws -> [UInt8] {
    var writer = try GIFWriter(
      width: size.width, height: size.height, palette: GIFPalette(colors.map { GIFColor($0) }),
      loopCount: .forever,
      comment: "Each shape shows its disposal: 0 unspecified, 1 keep, 2 background, 3 previous.")
    var floor = floor.frame(delay: 60)
    floor.disposal = .keep
    try writer.append(floor)
    // The last column and the last row of places reach over the canvas's edges.
    let places = [
      (12, 12), (70, 20), (128, 10), (190, 24), (30, 60), (88, 66), (150, 58), (204, 84), (10, 104),
      (70, 112),
      (134, 120), (196, 124),
    ]
    for (index, place) in places.enumerated() {
      let number = UInt8(index % 4)
      let shape = shape(kind: index / 4, number: number)
      try writer.append(
        GIFFrame(
          left: place.0, top: place.1, width: shape.width, height: shape.height, pixels: shape.pixels,
          transparentIndex: transparent, disposal: disposals[index % 4], delay: 50))
    }
    // An all but empty frame shows for a while what the disposals have left.
    try writer.append(
      GIFFrame(width: 1, height: 1, pixels: [transparent], transparentIndex: transparent, delay: 120))
    return writer.finish()
  }

  private static var floor: IndexedImage {
    var image = IndexedImage(width: size.width, height: size.height)
    for row in 0..<size.height {
      for column in 0..<size.width {
        image.pixels[row * size.width + column] = (row / 10 + column / 10) % 2 == 0 ? 1 : 2
      }
    }
    return image
  }

  private static func shape(kind: Int, number: UInt8) -> IndexedImage {
    let side = 54.0
    let center = Point(side / 2, side / 2)
    let outline = { (radius: Double) -> Path in
      var path = Path()
      switch kind {
      case 0: path.add(circleAt: center, radius: radius)
      case 1:
        let corner = radius * 0.88
        path.add(polygon: [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { center + Point($0, $1) * corner })
      default:
        path.add(polygon: (0..<4).map { center + Point(length: radius, direction: Double($0) / 2 * .pi) })
      }
      return path
    }
    var image = IndexedImage(width: Int(side), height: Int(side), index: transparent)
    image.fill(outline(26), 3)
    image.fill(outline(22), 4 + number)
    image.fill(Numerals.path(Int(number), center: center, height: 21, pen: 4), 3)
    return image
  }
}

import GIFWriting
import Gallop

/// The picture of the whole: a horse that gallops through the evening, two strides in a loop.
enum GallopScene {
  static let width = 480
  static let height = 270
  static let frameCount = 30
  private static let strides = 2
  private static let scale = Landscape.travel / Double(strides) / HorseGait.strideLength

  private static let farLegs = RGB(0x3A1733)
  private static let coat = RGB(0x22102A)
  private static let light = RGB(0xFFB45E)

  /// Writes the sample.
  static func make() throws -> [UInt8] {
    let frames = render()
    // The first, third, ... of the frames have all the colours that the others have.
    let sources = frames.enumerated().compactMap { $0 % 3 == 0 ? $1 : nil }
    let colors = MedianCut.palette(of: sources, count: 127)
    var matcher = ColorMatcher(colors)
    let images = frames.map { Dither.ordered($0, matcher: &matcher, strength: 0.028) }
    return try Animation.changes(
      of: images, colors: colors, delay: { _ in 3 }, loopCount: .forever,
      comment: "A horse at a gallop. Made by Gallop.")
  }

  /// Paints the frames in full colours.
  static func render() -> [Bitmap] {
    let landscape = Landscape(width: width, height: height)
    let backdrop = landscape.backdrop()
    let meadow = Meadow(width: width, seed: 11)
    let place = { (point: Point) in point * scale + Point(232, 229) }
    let dust = DustTrail(strides: strides, seed: 5, place: place)
    return (0..<frameCount).map { index in
      let time = Double(index) / Double(frameCount)
      var image = backdrop
      landscape.paintGround(on: &image, time: time)
      meadow.paint(on: &image, time: time, beforeHorse: false)
      paintHorse(on: &image, pose: HorsePose(phase: fraction(time * Double(strides))), place: place)
      dust.paint(on: &image, time: time)
      meadow.paint(on: &image, time: time, beforeHorse: true)
      return image
    }
  }

  private static func paintHorse(on image: inout Bitmap, pose: HorsePose, place: (Point) -> Point) {
    let figure = HorseFigure(pose: pose)
    let hair = HorseHair(pose: pose)
    func mask(_ path: Path) -> Mask { Mask(path.mapped(place), width: width, height: height) }

    image.addShadow(under: pose, place: place)
    var far = figure.leg(.farHind)
    far.add(figure.leg(.farFore))
    image.fill(mask(far), farLegs)
    image.fill(mask(hair.tail), coat)

    var near = figure.body
    near.add(figure.leg(.nearHind))
    near.add(figure.leg(.nearFore))
    let body = mask(near)
    image.fill(body, coat)
    // Two seams of light, a wide faint one and a narrow bright one, where the body turns towards the sun.
    image.fill(body.subtracting(body.blurred(radius: 3), shiftedBy: -4, 5), light, opacity: 0.3)
    image.fill(body.subtracting(body, shiftedBy: -1, 1), light, opacity: 0.85)

    // The mane has the colour of the coat, so that only its free ends stand out and not its roots on the
    // neck.
    image.fill(mask(hair.mane), coat)
    var crest = hair.mane
    crest.add(hair.tail)
    let strands = mask(crest)
    image.fill(strands.subtracting(strands, shiftedBy: 0, 1), light, opacity: 0.5)
  }
}

extension Bitmap {
  /// Darkens the ground under the horse: the lower it is, the more.
  fileprivate mutating func addShadow(under pose: HorsePose, place: (Point) -> Point) {
    let trunk = pose.body(HorseAnatomy.center)
    var path = Path()
    path.add(ellipseAt: place(Point(trunk.x, 1)), radii: Point(92 - (trunk.y + 78) * -2, 5))
    let shadow = Mask(path, width: width, height: height).blurred(radius: 2)
    fill(shadow, RGB(0x1A0A1C), opacity: 0.6)
  }
}

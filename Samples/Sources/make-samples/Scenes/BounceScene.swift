import GIFWriting
import Gallop
import Glibc

/// A ball that bounces three times, once for each time the file says it is to be played.
enum BounceScene {
  private static let size = (width: 140, height: 140)
  private static let frames = 18

  static func make() throws -> [UInt8] {
    let images = (0..<frames).map { picture(at: Double($0) / Double(frames)) }
    let colors = MedianCut.palette(of: images, count: 31)
    var matcher = ColorMatcher(colors)
    return try Animation.changes(
      of: images.map { Dither.ordered($0, matcher: &matcher, strength: 0.02) }, colors: colors,
      delay: { _ in 5 }, loopCount: .plays(3), comment: "Plays three times.")
  }

  private static func picture(at time: Double) -> Bitmap {
    var image = Bitmap(width: size.width, height: size.height, color: RGB(0xF2E9DC))
    let fall = 2 * time - 1
    let height = 72 * fall * fall
    // Near the ground the ball is pressed flat.
    let squash = 0.22 * (1 - smoothstep(0, 9, height))
    let radii = Point(20 * (1 + squash), 20 * (1 - squash))
    var ground = Path()
    ground.add(polygon: [Point(0, 118), Point(140, 118), Point(140, 140), Point(0, 140)])
    image.fill(ground, RGB(0x595758))
    var shadow = Path()
    shadow.add(ellipseAt: Point(70, 120), radii: Point(24 - height * 0.14, 3.5))
    image.fill(shadow, RGB(0x2B2A2B), opacity: Float(0.9 - height / 130))

    let center = Point(70, 118 - radii.y - height)
    var ball = Path()
    ball.add(ellipseAt: center, radii: radii)
    image.fill(ball, RGB(0x5FAD56))
    // The stripe makes a whole turn in a bounce, so that the end meets the start.
    let turn = 2 * .pi * time
    var stripe = Path()
    stripe.add(ellipseAt: center, radii: radii * Point(1, 0.26), turned: turn)
    image.fill(stripe, RGB(0xF2C14E))
    image.addPuff(at: center - radii * 0.35, radius: 11, color: RGB(0xFFFFFF), opacity: 0.7)
    return image
  }
}

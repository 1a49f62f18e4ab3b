import GIFDecoding
import GIFTestSupport

/// A random GIF whose verdict follows from how it was made.
struct KnownFlashes {
  /// What was varied around a limit.
  var kind: String
  var bytes: [UInt8]
  var shown: PixelSize
  var rate = 1.0
  /// Whether general flashes fail; nil where that was not varied.
  var failsGeneral: Bool?
  /// Whether red flashes fail; nil where that was not varied.
  var failsRed: Bool?
}

extension KnownFlashes {
  /// One of each kind in turn.
  static func make(_ number: Int, using generator: inout SeededGenerator) -> KnownFlashes {
    let makers = [
      blinking, greys, area, twoParts, ramp, red, redRamp, transparency, restored, checkerboard, noise,
      corners, unbalanced,
    ]
    return makers[number % makers.count](&generator)
  }

  private static let (black, white): (RGB, RGB) = (0x000000, 0xFFFFFF)

  /// Whether seven of the times, in a loop, lie within a second of the viewer.
  private static func isSevenInASecond(_ times: [Int], loop: Int, rate: Double) -> Bool {
    let many = (0..<40).flatMap { play in times.map { $0 + play * loop } }
    return many.indices.dropLast(6).contains { Double(many[$0 + 6] - many[$0]) < 1000 * rate }
  }

  private static func shown(_ sample: FlashSample, scale: Int) -> PixelSize {
    PixelSize(width: sample.width * scale, height: sample.height * scale) ?? PixelSize(width: 1, height: 1)!
  }

  private static func randomRate(_ generator: inout SeededGenerator) -> Double {
    [0.5, 1, 1, 1.5, 2].randomElement(using: &generator) ?? 1
  }

  /// Whether states of these colours, in a loop, change more than allowed.
  private static func isFailing(_ lights: [Bool], delays: [Int], rate: Double) -> Bool {
    var (times, time) = ([Int](), 0)
    for (place, light) in lights.enumerated() {
      if light != lights[(place + lights.count - 1) % lights.count] { times.append(time) }
      time += delays[place] * 10
    }
    return !times.isEmpty && isSevenInASecond(times, loop: time, rate: rate)
  }

  /// Black and white with uneven delays; the seam may or may not be a change.
  private static func blinking(_ generator: inout SeededGenerator) -> KnownFlashes {
    var sample = FlashSample(width: 30, height: 20, palette: [black, white])
    let count = Int.random(in: 2...12, using: &generator)
    let mean = Int.random(in: 10...24, using: &generator)
    // Now and then a light frame is dark, too.
    let lights = (0..<count).map { $0 % 2 == 1 && Int.random(in: 0..<6, using: &generator) > 0 }
    let delays = (0..<count).map { _ in max(2, mean + Int.random(in: -8...8, using: &generator)) }
    for (light, delay) in zip(lights, delays) { sample.fill(light ? 1 : 0, delay: delay) }
    let rate = randomRate(&generator)
    return KnownFlashes(
      kind: "rate", bytes: sample.bytes, shown: shown(sample, scale: 12), rate: rate,
      failsGeneral: isFailing(lights, delays: delays, rate: rate))
  }

  private static func luminance(_ value: Int) -> Double { PlainFlashJudge.lights[value] }

  /// Two greys around a difference of a tenth, or around 0.8.
  private static func greys(_ generator: inout SeededGenerator) -> KnownFlashes {
    let dark =
      Bool.random(using: &generator)
      ? Int.random(in: 0...200, using: &generator) : Int.random(in: 226...236, using: &generator)
    let light = (dark...255).first { luminance($0) - luminance(dark) >= 0.1 } ?? 255
    let second = min(255, max(dark, light + Int.random(in: -2...2, using: &generator)))
    let grays = [dark, second].map { RGB(red: UInt8($0), green: UInt8($0), blue: UInt8($0)) }
    var sample = FlashSample(width: 30, height: 20, palette: grays)
    for place in 0..<4 { sample.fill(UInt8(place % 2), delay: 6) }
    return KnownFlashes(
      kind: "greys \(dark) \(second)", bytes: sample.bytes, shown: shown(sample, scale: 12),
      failsGeneral: luminance(second) - luminance(dark) >= 0.1 && luminance(dark) < 0.8)
  }

  /// A part around a quarter of a field, at five CSS pixels a pixel.
  private static func area(_ generator: inout SeededGenerator) -> KnownFlashes {
    var sample = FlashSample(width: 80, height: 60, palette: [black, white])
    let width = Int.random(in: 18...69, using: &generator)
    let height = min(52, max(1, 873 / width + Int.random(in: -1...1, using: &generator)))
    let rect = PixelRect(
      x: Int.random(in: 0...80 - width, using: &generator),
      y: Int.random(in: 0...60 - height, using: &generator),
      width: width, height: height)
    for place in 0..<2 { sample.add(0, [(rect, UInt8(place))], delay: 5) }
    return KnownFlashes(
      kind: "area \(width) x \(height)", bytes: sample.bytes, shown: shown(sample, scale: 5),
      failsGeneral: Double(width * height * 25) > 341 * 256 / 4.0)
  }

  /// Two parts side by side that blink against each other, in one field or not.
  private static func twoParts(_ generator: inout SeededGenerator) -> KnownFlashes {
    var sample = FlashSample(width: 120, height: 60, palette: [black, white])
    let height = Int.random(in: 30...52, using: &generator)
    let widths = (0..<2).map { _ in Int.random(in: 8...18, using: &generator) }
    let gap = Int.random(in: 20...70, using: &generator)
    let second = widths[0] + gap
    let parts = [
      PixelRect(x: 0, y: 3, width: widths[0], height: height),
      PixelRect(x: second, y: 3, width: min(widths[1], 120 - second), height: height),
    ]
    for place in 0..<2 { sample.add(0, [(parts[0], UInt8(place)), (parts[1], UInt8(1 - place))], delay: 5) }
    // A field of 341 CSS pixels touches 69 columns.
    let most =
      (0...120 - 69).map { left in
        (left..<left + 69).count { column in
          parts.contains { column >= $0.x && column < $0.x + $0.width }
        }
      }.max() ?? 0
    return KnownFlashes(
      kind: "parts \(parts)", bytes: sample.bytes, shown: shown(sample, scale: 5),
      failsGeneral: Double(most * height * 25) > 341 * 256 / 4.0)
  }

  /// From black to white and back in small steps: two changes a round.
  private static func ramp(_ generator: inout SeededGenerator) -> KnownFlashes {
    let steps = Int.random(in: 3...12, using: &generator)
    var sample = FlashSample(
      width: 30, height: 20,
      palette: (0...steps).map { step in
        let value = UInt8(255 * step / steps)
        return RGB(red: value, green: value, blue: value)
      })
    let total = fill(&sample, steps: steps, &generator)
    let rate = randomRate(&generator)
    return KnownFlashes(
      kind: "ramp", bytes: sample.bytes, shown: shown(sample, scale: 12), rate: rate,
      failsGeneral: Double(3 * total) < 1000 * rate)
  }

  /// Adds a frame of each colour from the first to the last one and back; returns milliseconds of a round.
  private static func fill(_ sample: inout FlashSample, steps: Int, _ generator: inout SeededGenerator) -> Int
  {
    var total = 0
    for step in Array(0...steps) + (1..<steps).reversed() {
      let delay = Int.random(in: 2...6, using: &generator)
      sample.fill(UInt8(step), delay: delay)
      total += delay * 10
    }
    return total
  }

  /// A colour around the limit of a saturated red, and another one.
  private static func red(_ generator: inout SeededGenerator) -> KnownFlashes {
    let first = RGB(
      red: 255, green: UInt8.random(in: 120...150, using: &generator),
      blue: Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...60, using: &generator))
    let second = RGB(UInt32.random(in: 0...0xFF_FFFF, using: &generator))
    var sample = FlashSample(width: 30, height: 20, palette: [first, second])
    for place in 0..<2 { sample.fill(UInt8(place), delay: 5) }
    let (a, b) = (Hue(first), Hue(second))
    return KnownFlashes(
      kind: "red \(first) \(second)", bytes: sample.bytes, shown: shown(sample, scale: 12),
      failsRed: (a.isRed || b.isRed) && a.distance(to: b) > 0.2)
  }

  /// From a colour around the limit of a saturated red to another one and back, in small steps of light.
  private static func redRamp(_ generator: inout SeededGenerator) -> KnownFlashes {
    let first = RGB(red: 255, green: UInt8.random(in: 0...150, using: &generator), blue: 0)
    var second = first
    // The colours in between are rounded, so hues whose distance is all but 0.2 are left out.
    repeat {
      second = RGB(UInt32.random(in: 0...0xFF_FFFF, using: &generator))
    } while abs(Hue(first).distance(to: Hue(second)) - 0.2) < 0.01
    let steps = Int.random(in: 2...6, using: &generator)
    var sample = FlashSample(
      width: 30, height: 20,
      palette: (0...steps).map { mixed(first, second, part: Double($0) / Double(steps)) })
    let total = fill(&sample, steps: steps, &generator)
    let rate = randomRate(&generator)
    let (a, b) = (Hue(first), Hue(second))
    return KnownFlashes(
      kind: "ramp from \(first) to \(second)", bytes: sample.bytes, shown: shown(sample, scale: 12),
      rate: rate,
      failsRed: (a.isRed || b.isRed) && a.distance(to: b) > 0.2 && Double(3 * total) < 1000 * rate)
  }

  /// The light of two colours mixed; its hue lies between theirs.
  private static func mixed(_ first: RGB, _ second: RGB, part: Double) -> RGB {
    func mixed(_ first: UInt8, _ second: UInt8) -> UInt8 {
      let lights = PlainFlashJudge.lights
      let light = lights[Int(first)] * (1 - part) + lights[Int(second)] * part
      return UInt8(lights.indices.min { abs(lights[$0] - light) < abs(lights[$1] - light) } ?? 0)
    }
    return RGB(
      red: mixed(first.red, second.red), green: mixed(first.green, second.green),
      blue: mixed(first.blue, second.blue))
  }

  /// Black or white, and nothing, which shows the other one on some page.
  private static func transparency(_ generator: inout SeededGenerator) -> KnownFlashes {
    let color = Bool.random(using: &generator) ? black : white
    var writer = GIFWriter(width: 30, height: 20, palette: [color, 0x808080])
    writer.loop(0)
    let delays = (0..<4).map { _ in Int.random(in: 10...24, using: &generator) }
    for (place, delay) in delays.enumerated() {
      writer.graphicsControl(disposal: 2, delay: delay, transparent: 1)
      writer.image(width: 30, height: 20, indices: Array(repeating: UInt8(place % 2), count: 600))
    }
    writer.trailer()
    let rate = randomRate(&generator)
    return KnownFlashes(
      kind: "transparency", bytes: writer.bytes, shown: PixelSize(width: 360, height: 240)!, rate: rate,
      failsGeneral: isFailing([false, true, false, true], delays: delays, rate: rate))
  }

  /// Black, over which white appears and is taken away again.
  private static func restored(_ generator: inout SeededGenerator) -> KnownFlashes {
    var writer = GIFWriter(width: 30, height: 20, palette: [black, white])
    writer.loop(0)
    let delays = (0..<6).map { _ in Int.random(in: 8...24, using: &generator) }
    for (place, delay) in delays.enumerated() {
      // Of the dark frames only the first draws more than a pixel.
      let side = place == 0 || place % 2 == 1 ? (30, 20) : (1, 1)
      writer.graphicsControl(disposal: place % 2 == 1 ? 3 : 1, delay: delay)
      writer.image(
        width: side.0, height: side.1, indices: Array(repeating: UInt8(place % 2), count: side.0 * side.1))
    }
    writer.trailer()
    let rate = randomRate(&generator)
    return KnownFlashes(
      kind: "restored", bytes: writer.bytes, shown: PixelSize(width: 360, height: 240)!, rate: rate,
      failsGeneral: isFailing((0..<6).map { $0 % 2 == 1 }, delays: delays, rate: rate))
  }

  private static func checkerboard(_ generator: inout SeededGenerator) -> KnownFlashes {
    var sample = FlashSample(width: 96, height: 64, palette: [black, white])
    let (square, scale) = (
      Int.random(in: 1...3, using: &generator), Int.random(in: 2...4, using: &generator)
    )
    for place in 0..<2 {
      sample.frames.append(
        ((0..<96 * 64).map { UInt8(($0 % 96 / square + $0 / 96 / square + place) % 2) }, 5))
    }
    return KnownFlashes(
      kind: "squares of \(square) at \(scale)", bytes: sample.bytes, shown: shown(sample, scale: scale),
      failsGeneral: square * scale > 3)
  }

  /// Squares of a pixel that change by different amounts: together they are no pattern where their mean
  /// changes by more than a tenth.
  private static func unbalanced(_ generator: inout SeededGenerator) -> KnownFlashes {
    // The luminances of 186 and 203 are 0.106 apart, those of 0 and 91 are 0.105.
    let other = [91, 130, 200, 255].randomElement(using: &generator) ?? 255
    let grays = [0, other, 203, 186].map { RGB(red: UInt8($0), green: UInt8($0), blue: UInt8($0)) }
    var sample = FlashSample(width: 96, height: 64, palette: grays)
    for place in 0..<2 {
      sample.frames.append(((0..<96 * 64).map { UInt8(($0 % 96 + $0 / 96) % 2 * 2 + place) }, 5))
    }
    let change = luminance(other) - luminance(203) + luminance(186)
    return KnownFlashes(
      kind: "squares of 0 and \(other), 203 and 186", bytes: sample.bytes, shown: shown(sample, scale: 3),
      failsGeneral: change / 2 >= 0.1)
  }

  /// Blinking corners, which lie in one field where the picture is small, and pass each for itself where it
  /// is large.
  private static func corners(_ generator: inout SeededGenerator) -> KnownFlashes {
    var sample = FlashSample(width: 102, height: 76, palette: [black, white])
    let parts = [(0, 0), (68, 0), (0, 51), (68, 51)].map { PixelRect(x: $0, y: $1, width: 34, height: 25) }
    for place in 0..<2 { sample.add(0, parts.map { ($0, UInt8(place)) }, delay: 5) }
    let scale = Int.random(in: 1...6, using: &generator)
    // A field touches so many columns and rows.
    let (columns, rows) = ((341 + scale - 1) / scale, (256 + scale - 1) / scale)
    func most(_ count: Int, _ side: Int, of whole: Int) -> Int {
      (0...max(0, whole - count)).map { start in
        (start..<min(whole, start + count)).count { $0 < side || $0 >= whole - side }
      }.max() ?? 0
    }
    let area = most(columns, 34, of: 102) * most(rows, 25, of: 76) * scale * scale
    return KnownFlashes(
      kind: "corners at \(scale)", bytes: sample.bytes, shown: shown(sample, scale: scale),
      failsGeneral: Double(area) > 341 * 256 / 4.0)
  }

  /// Noise has runs of four thirds of a pixel on the average.
  private static func noise(_ generator: inout SeededGenerator) -> KnownFlashes {
    var sample = FlashSample(width: 96, height: 64, palette: [black, white])
    let scale = Bool.random(using: &generator) ? 2 : 4
    for _ in 0..<25 {
      sample.frames.append(((0..<96 * 64).map { _ in UInt8.random(in: 0...1, using: &generator) }, 4))
    }
    return KnownFlashes(
      kind: "noise at \(scale)", bytes: sample.bytes, shown: shown(sample, scale: scale),
      failsGeneral: scale == 4)
  }
}

/// The hue of a colour, from the definition.
private struct Hue {
  let (u, v): (Double, Double)
  let isRed: Bool

  init(_ color: RGB) {
    var (r, g, b) = (
      PlainFlashJudge.lights[Int(color.red)], PlainFlashJudge.lights[Int(color.green)],
      PlainFlashJudge.lights[Int(color.blue)]
    )
    isRed = r > 0 && r >= 0.8 * (r + g + b)
    if r + g + b == 0 { (r, g, b) = (1, 1, 1) }
    let sum = 0.4124 * r + 0.3576 * g + 0.1805 * b
    let luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
    let rest = 0.0193 * r + 0.1192 * g + 0.9505 * b
    u = 4 * sum / (sum + 15 * luminance + 3 * rest)
    v = 9 * luminance / (sum + 15 * luminance + 3 * rest)
  }

  func distance(to other: Hue) -> Double {
    ((u - other.u) * (u - other.u) + (v - other.v) * (v - other.v)).squareRoot()
  }
}

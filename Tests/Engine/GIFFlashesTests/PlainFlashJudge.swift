import GIFDecoding
import GIFTestSupport

/// A second implementation of the rule, written from its text: slow, plain, with floating point numbers.
struct PlainFlashJudge {
  var (width, height): (Int, Int)
  /// The pictures of one play, red in the lowest byte; what is transparent is 0.
  var pictures: [[UInt32]]
  var delays: [Int]
  var shown: PixelSize
  var rate = 1.0

  enum Change { case none, rising, falling }

  /// For each backdrop, white or black, and each appearance of a frame the changes of all pixels that count.
  struct Changes {
    var general: [[[Change]]]
    var red: [[[Change]]]
  }

  /// The most changes within a second that more than the permitted area has: general ones, red ones.
  ///
  /// Below 7 it passes, and the number is 0.
  ///
  /// - Parameter changes: those of the same pictures and rate at another size, to spare finding them again.
  func worst(of changes: Changes? = nil) -> (general: Int, red: Int) {
    let changes = changes ?? self.changes
    return (changes.general.map { worst(of: $0) }.max() ?? 0, changes.red.map { worst(of: $0) }.max() ?? 0)
  }

  var changes: Changes {
    Changes(
      general: changesOverEach { luminanceChanges($0.map(luminance)) }, red: changesOverEach(redChanges))
  }

  // MARK: - The timeline

  private var appearances: [(frame: Int, time: Int)] {
    let total = delays.reduce(0, +)
    var (result, time, frame) = ([(Int, Int)](), 0, 0)
    while Double(time) < Double(2 * total) + 1000 * rate {
      result.append((frame, time))
      time += delays[frame]
      frame = (frame + 1) % delays.count
    }
    return result.map { (frame: $0.0, time: $0.1) }
  }

  /// A finder of changes in what is seen one after the other: linear light.
  private typealias Finder = ([Light]) -> [Change]

  private func changesOverEach(_ find: Finder) -> [[[Change]]] {
    let white = changes(find, over: 0xFFFF_FFFF)
    guard pictures.contains(where: { $0.contains(0) }) else { return [white] }
    return [white, changes(find, over: 0xFF00_0000)]
  }

  /// For each appearance the changes of all pixels, without those of fine patterns.
  private func changes(_ find: Finder, over backdrop: UInt32) -> [[Change]] {
    let order = appearances
    let lights = pictures.map { $0.map { light($0 == 0 ? backdrop : $0) } }
    var result = [[Change]](repeating: Array(repeating: .none, count: width * height), count: order.count)
    for pixel in 0..<width * height {
      let found = find(order.map { lights[$0.frame][pixel] })
      for (place, change) in found.enumerated() { result[place][pixel] = change }
    }
    return withoutFinePatterns(result, order.map { lights[$0.frame] }, find)
  }

  // MARK: - Changes of one pixel

  private func luminance(_ light: Light) -> Double { 0.2126 * light.r + 0.7152 * light.g + 0.0722 * light.b }

  private static func light(_ value: UInt32) -> Double {
    let x = Double(value & 0xFF) / 255
    // Sixteen halvings of the interval find the fifth root to nine digits and more.
    if x <= 0.04045 { return x / 12.92 }
    let base = (x + 0.055) / 1.055
    var (low, high) = (0.0, 1.0)
    for _ in 0..<52 {
      let middle = (low + high) / 2
      if middle * middle * middle * middle * middle < base * base { low = middle } else { high = middle }
    }
    return base * base * low
  }

  /// The light of each value of a channel, 0 to 1.
  static let lights = (0..<256).map { light(UInt32($0)) }

  private typealias Light = (r: Double, g: Double, b: Double)

  private func light(_ pixel: UInt32) -> Light {
    (
      Self.lights[Int(pixel & 0xFF)], Self.lights[Int(pixel >> 8 & 0xFF)],
      Self.lights[Int(pixel >> 16 & 0xFF)]
    )
  }

  /// A change counts at the first picture that is a tenth away from an extreme; then that leg goes on to its
  /// own extreme.
  private func luminanceChanges(_ values: [Double]) -> [Change] {
    var result = [Change](repeating: .none, count: values.count)
    var rises: Bool?
    // Where the present leg began, and its end so far. Before the first leg: lowest and highest.
    var (start, end) = (values[0], values[0])
    var (lowest, highest) = (values[0], values[0])
    for (place, value) in values.enumerated().dropFirst() {
      guard let isRising = rises else {
        lowest = min(lowest, value)
        highest = max(highest, value)
        if highest - lowest >= 0.1 {
          rises = value == highest
          (start, end) = value == highest ? (lowest, value) : (highest, value)
          if min(start, end) < 0.8 { result[place] = value == highest ? .rising : .falling }
        }
        continue
      }
      let reversal = isRising ? end - value : value - end
      if reversal >= 0.1 {
        rises = !isRising
        (start, end) = (end, value)
        if min(start, end) < 0.8 { result[place] = isRising ? .falling : .rising }
      } else if reversal < 0 {
        let counted = min(start, end) < 0.8
        end = value
        if !counted, min(start, end) < 0.8 { result[place] = isRising ? .rising : .falling }
      }
    }
    return result
  }

  private func redChanges(_ pixels: [Light]) -> [Change] {
    func isRed(_ light: Light) -> Bool {
      let (r, g, b) = light
      return r > 0 && r / (r + g + b) >= 0.8 - 1e-9
    }
    func hue(_ light: Light) -> (u: Double, v: Double) {
      var (r, g, b) = light
      if r + g + b == 0 { (r, g, b) = (1, 1, 1) }
      let x = 0.4124 * r + 0.3576 * g + 0.1805 * b
      let y = 0.2126 * r + 0.7152 * g + 0.0722 * b
      let z = 0.0193 * r + 0.1192 * g + 0.9505 * b
      return (4 * x / (x + 15 * y + 3 * z), 9 * y / (x + 15 * y + 3 * z))
    }
    func distance(_ a: (u: Double, v: Double), _ b: (u: Double, v: Double)) -> Double {
      ((a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v)).squareRoot()
    }
    let pureRed = hue((1, 0, 0))
    var result = [Change](repeating: .none, count: pixels.count)
    // A leg is red or not; its extreme is the reddest hue, or the one farthest from red.
    var isRedLeg = isRed(pixels[0])
    var extreme = hue(pixels[0])
    for (place, pixel) in pixels.enumerated().dropFirst() {
      let next = hue(pixel)
      if isRed(pixel) == isRedLeg {
        let (new, old) = (distance(next, pureRed), distance(extreme, pureRed))
        if isRedLeg ? new < old : new > old { extreme = next }
        continue
      }
      let before = pixels[place - 1]
      let isFarFromBefore = isRed(before) == isRedLeg && distance(next, hue(before)) > 0.2
      guard isFarFromBefore || distance(next, extreme) > 0.2 else { continue }
      result[place] = isRedLeg ? .falling : .rising
      (isRedLeg, extreme) = (!isRedLeg, next)
    }
    return result
  }

  // MARK: - Fine patterns

  /// A fine pattern looks like its mean colour: its changes wait for one of that.
  private func withoutFinePatterns(_ changes: [[Change]], _ lights: [[Light]], _ find: Finder) -> [[Change]] {
    var result = changes
    for top in stride(from: 0, to: height, by: 32) {
      for left in stride(from: 0, to: width, by: 32) {
        let (rows, columns) = (top..<min(top + 32, height), left..<min(left + 32, width))
        let pixels = rows.flatMap { row in columns.map { row * width + $0 } }
        guard changes.contains(where: { isFine($0, rows, columns) }) else { continue }
        let means = find(lights.map { picture in Self.mean(of: pixels.map { picture[$0] }) })
        var waiting = Set<Int>()
        for place in changes.indices {
          if isFine(changes[place], rows, columns) {
            for pixel in pixels where changes[place][pixel] != .none {
              result[place][pixel] = .none
              waiting.insert(pixel)
            }
          }
          if means[place] == .none { continue }
          for pixel in waiting { result[place][pixel] = .rising }
          waiting = []
        }
      }
    }
    return result
  }

  private static func mean(of lights: [Light]) -> Light {
    let sum = lights.reduce((r: 0.0, g: 0.0, b: 0.0)) { ($0.r + $1.r, $0.g + $1.g, $0.b + $1.b) }
    let count = Double(lights.count)
    return (sum.r / count, sum.g / count, sum.b / count)
  }

  private func isFine(_ changes: [Change], _ rows: Range<Int>, _ columns: Range<Int>) -> Bool {
    var (rising, falling, rowRuns, columnRuns) = (0, 0, 0, 0)
    for row in rows {
      for column in columns {
        let change = changes[row * width + column]
        if change == .none { continue }
        if change == .rising { rising += 1 } else { falling += 1 }
        if column == columns.lowerBound || changes[row * width + column - 1] != change { rowRuns += 1 }
        if row == rows.lowerBound || changes[(row - 1) * width + column] != change { columnRuns += 1 }
      }
    }
    let count = Double(rising + falling)
    guard count > 0, Double(abs(rising - falling)) / count <= 0.1 else { return false }
    let (x, y) = (Double(shown.width) / Double(width), Double(shown.height) / Double(height))
    return count / Double(rowRuns) * x <= 3.41 + 1e-9 && count / Double(columnRuns) * y <= 3.41 + 1e-9
  }

  // MARK: - Seconds and fields

  private func worst(of changes: [[Change]]) -> Int {
    let times = appearances.map(\.time)
    var worst = 6
    for (end, time) in times.enumerated() {
      var counts = [Int](repeating: 0, count: width * height)
      for place in (0...end).reversed() {
        if Double(time - times[place]) >= 1000 * rate { break }
        for pixel in counts.indices where changes[place][pixel] != .none { counts[pixel] += 1 }
      }
      while isMuch(counts, worst + 1) { worst += 1 }
    }
    return worst == 6 ? 0 : worst
  }

  /// Whether the pixels with so many changes take more than a quarter of some field.
  private func isMuch(_ counts: [Int], _ least: Int) -> Bool {
    let (x, y) = (Double(width) / Double(shown.width), Double(height) / Double(shown.height))
    let limit = 341 * 256 / 4.0 * x * y
    guard Double(counts.count { $0 >= least }) > limit else { return false }
    let fieldWidth = min(width, Int((341 * x).rounded(.up)))
    let fieldHeight = min(height, Int((256 * y).rounded(.up)))
    for top in 0...height - fieldHeight {
      for left in 0...width - fieldWidth {
        var area = 0
        for row in top..<top + fieldHeight {
          for column in left..<left + fieldWidth where counts[row * width + column] >= least { area += 1 }
        }
        if Double(area) > limit { return true }
      }
    }
    return false
  }
}

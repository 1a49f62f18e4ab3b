import GIFDecoding
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFFlashes

/// Verdicts on failures that are not measured.
@Suite("Flashes of which the verdict is all that is wanted")
struct VerdictOnlyTests {
  @Test("A large part that blinks fails with the seventh change, and is not measured")
  func ends() throws {
    var sample = FlashSample(width: 400, height: 300, palette: [0x000000, 0xFFFFFF])
    for place in 0..<60 { sample.fill(place < 8 ? 0 : UInt8(place % 2), delay: 5) }
    let verdict = try Verdict(sample, scale: 1)
    #expect(verdict.report == FlashReport(result: .fails, isDecoded: true))
    // Two looks at sixteen pictures; each asks, and each decoding asks again.
    #expect(verdict.questions == 64)
    #expect(try sample.report().general?.flashesPerSecond == 10)
  }

  @Test("Red flashes fail as soon")
  func red() throws {
    var sample = FlashSample(width: 400, height: 300, palette: [0xFF0000, 0x7F7F00])
    for place in 0..<60 { sample.fill(UInt8(place % 2), delay: 5) }
    let verdict = try Verdict(sample, scale: 1)
    #expect(verdict.report == FlashReport(result: .fails, isDecoded: true))
    // Two looks at eight pictures.
    #expect(verdict.questions == 32)
    #expect(try sample.report().red != nil)
  }

  @Test("What samples leave open ends with the picture that fails", arguments: [4.7, 10])
  func closely(scale: Double) throws {
    // Shown so large that each pixel is looked at; the second half would not fail.
    var sample = FlashSample(width: 80, height: 60, palette: [0x000000, 0xFFFFFF])
    for place in 0..<60 { sample.fill(place < 20 ? UInt8(place % 2) : 0, delay: 5) }
    let verdict = try Verdict(sample, scale: scale)
    #expect(verdict.report == FlashReport(result: .fails, isDecoded: true))
    #expect(verdict.questions < 30)
  }

  @Test("Fine patterns pass as they do where failures are measured", arguments: [0, 1, 2])
  func patterns(kind: Int) throws {
    var sample = FlashSample(width: 344, height: 256, palette: [0x000000, 0xFFFFFF])
    for place in 0..<12 {
      var generator = SeededGenerator(seed: UInt64(place))
      let indices = (0..<344 * 256).map { pixel -> UInt8 in
        let (x, y) = (pixel % 344, pixel / 344)
        return switch kind {
        case 0: UInt8((x + y + place) % 2)
        case 1: UInt8((x / 3 + y / 3 + place) % 2)
        default: UInt8.random(in: 0...1, using: &generator)
        }
      }
      sample.frames.append((indices, 5))
    }
    let verdict = try Verdict(sample, scale: 1)
    #expect(verdict.report == FlashReport(result: .passes, isDecoded: true))
    #expect(try sample.report() == verdict.report)
  }

  @Test("A fine pattern that inverts does not add to what flashes beside it", arguments: 0..<8)
  func patternBesideFlashes(seed: Int) throws {
    // A quarter of a field is 21,824 pixels; whole squares of 32 pixels blink.
    for (squares, result) in [(20, FlashReport.Result.passes), (24, .fails)] {
      let pixels = (0..<341 * 256).map { pixel -> (isFlash: Bool, isLight: Bool) in
        let (x, y) = (pixel % 341, pixel / 341)
        return (y / 32 * 11 + x / 32 < squares, (x / 2 + y / 2) % 2 == 0)
      }
      // The first colour is one that no pixel has; another file has other samples.
      var sample = FlashSample(
        width: 341, height: 256, palette: [RGB(UInt32(seed)), FlashSample.black, FlashSample.white])
      for place in 0..<2 {
        let indices = pixels.map { UInt8($0.isFlash || $0.isLight ? 1 + place : 2 - place) }
        sample.frames.append((indices, 5))
      }
      #expect(try sample.verdict().result == result)
      #expect(try sample.report().result == result)
    }
  }

  @Test("Noise passes as well where a second has a hundred pictures")
  func fastNoise() throws {
    var sample = FlashSample(width: 341, height: 256, palette: [0x000000, 0xFFFFFF])
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<50 {
      sample.frames.append(((0..<341 * 256).map { _ in UInt8.random(in: 0...1, using: &generator) }, 2))
    }
    for rate in [1.0, 2, 4] {
      #expect(try sample.verdict(rate: rate).result == .passes)
      #expect(try sample.report(rate: rate).result == .passes)
    }
  }

  @Test("A fine pattern passes in its part of a shared field, too", arguments: 0..<4)
  func sharedField(seed: Int) throws {
    let (width, height) = (1_000, 750)
    var sample = FlashSample(
      width: width, height: height, palette: [RGB(UInt32(seed)), FlashSample.black, FlashSample.white])
    for place in 0..<2 {
      let indices = (0..<width * height).map { UInt8(1 + ($0 % width / 2 + $0 / width / 2 + place) % 2) }
      sample.frames.append((indices, 5))
    }
    var options = FlashOptions(size: PixelSize(width: 341, height: 256), sharesField: true)
    let image = try sample.image()
    #expect(try image.flashes(options).result == .passes)
    options.isVerdictOnly = true
    #expect(try image.flashes(options).result == .passes)
  }

  @Test("A short loop of pictures that are too large to be kept is not drawn for the plays of a second")
  func largeLoop() throws {
    let (width, height) = (1_400, 1_050)
    var sample = FlashSample(width: width, height: height, palette: [0x000000, 0xFFFFFF])
    for place in 0..<2 {
      let indices = (0..<width * height).map { UInt8(($0 % width / 2 + $0 / width / 2 + place) % 2) }
      sample.frames.append((indices, 2))
    }
    let verdict = try Verdict(sample, scale: 0.244, rate: 4)
    #expect(verdict.report == FlashReport(result: .passes, isDecoded: true))
    // The close look asks for each of 204 pictures of two plays and a second, but draws few of them. To draw
    // those of a second for a part would take 400 questions more.
    #expect(verdict.questions < 300)
  }

  @Test("An image whose first picture is too large to be kept begins with a whole one in each look")
  func largeCanvas() throws {
    // Six changes in a second; with the samples around them taken for black there would be a seventh.
    var writer = GIFWriter(width: 2_100, height: 2_000, palette: [0x000000, 0xFFFFFF, 0xF8F8F8, 0x010101])
    for (index, delay) in [(1, 2), (2, 4), (0, 4), (1, 35), (0, 5), (1, 20)] as [(UInt8, Int)] {
      writer.graphicsControl(disposal: 1, delay: delay)
      writer.image(width: 104, height: 104, indices: [UInt8](repeating: index, count: 104 * 104))
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    var options = FlashOptions(size: PixelSize(width: 5_040, height: 4_800))
    #expect(try image.flashes(options).result == .passes)
    options.isVerdictOnly = true
    #expect(try image.flashes(options).result == .passes)
  }

  @Test("A part that fails by itself decides, wherever it lies", arguments: [false, true])
  func part(isRed: Bool) throws {
    // Ten squares of 53 pixels blink, at places that are no multiples of a square of 32.
    var sample = FlashSample(
      width: 620, height: 450,
      palette: isRed ? [0xFF0000, 0x7F7F00, 0x101010] : [0x000000, 0xFFFFFF, 0x808080])
    let parts = (0..<10).map { PixelRect(x: 271 + $0 % 4 * 87, y: 199 + $0 / 4 * 90, width: 53, height: 53) }
    for place in 0..<40 { sample.add(2, parts.map { ($0, UInt8(place % 2)) }, delay: 5) }
    let verdict = try Verdict(sample, scale: 1)
    #expect(verdict.report == FlashReport(result: .fails, isDecoded: true))
    // The part is looked at, and nothing else but samples: eight pictures each.
    #expect(verdict.questions == 32)
    let report = try sample.report()
    #expect((isRed ? report.red : report.general)?.fieldShare ?? 0 > 0.25)
    // Seven squares are too little.
    var less = FlashSample(width: 620, height: 450, palette: sample.palette)
    for place in 0..<40 { less.add(2, parts.dropLast(3).map { ($0, UInt8(place % 2)) }, delay: 5) }
    #expect(try less.verdict().result == .passes && less.report().result == .passes)
  }

  @Test("What is not all there fails, or is unknown")
  func partial() throws {
    for (delay, result) in [(5, FlashReport.Result.fails), (50, .unknown)] {
      let image = try FlashSample.blinking(delays: [delay, delay]).image()
      var options = FlashOptions(size: PixelSize(width: 400, height: 300), isComplete: false)
      options.isVerdictOnly = true
      #expect(try image.flashes(options).result == result)
    }
  }

  private struct Verdict {
    var report: FlashReport
    /// How often it was asked whether the verdict is still wanted.
    var questions: Int

    init(_ sample: FlashSample, scale: Double, rate: Double = 1) throws {
      let asked = Mutex(0)
      report = try sample.verdict(scale: scale, rate: rate) {
        asked.withLock { $0 += 1 }
        return false
      }
      questions = asked.withLock { $0 }
    }
  }
}

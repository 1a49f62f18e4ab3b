import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Testing

/// Each expectation follows from the text of WCAG 2.2 by a line of arithmetic.
@Suite("Flashes whose verdict is known from the rule")
struct FlashRuleTests {
  @Test("Six changes in a second pass, seven fail, however the delays are spread")
  func rate() throws {
    // 6 changes in 1,000 ms: the seventh comes exactly a second after the first.
    let six = FlashSample.blinking(delays: [17, 17, 16, 17, 17, 16])
    #expect(try six.report(scale: 10).result == .passes)
    #expect(try six.report(scale: 10).isDecoded == false)
    let seven = FlashSample.blinking(delays: [17, 17, 16, 17, 17, 15])
    let report = try seven.report(scale: 10)
    #expect(report.result == .fails)
    #expect(report.general?.flashesPerSecond == 3.5)
    #expect(report.general?.fieldShare == 1)
    #expect(report.red == nil)
    let fast = FlashSample.blinking(delays: [4, 4])
    #expect(try fast.report(scale: 10).general?.flashesPerSecond == 12.5)
  }

  @Test("A tenth of white's luminance is a change, with the darker state below 0.8")
  func amplitude() throws {
    // Luminances of grey: 89 is 0.0998, 90 is 0.1022; 230 is 0.7913, 231 is 0.7991, 232 is 0.8070.
    func fails(_ first: RGB, _ second: RGB) throws -> Bool {
      try FlashSample.blinking([first, second], delays: [5, 5]).report(scale: 10).result == .fails
    }
    #expect(try !fails(0x000000, 0x595959))
    #expect(try fails(0x000000, 0x5A5A5A))
    #expect(try fails(0xE7E7E7, 0xFFFFFF))
    #expect(try !fails(0xE8E8E8, 0xFFFFFF))
  }

  @Test("A slow ramp is one change, and ripples on it are none")
  func ramp() throws {
    var sample = FlashSample(
      width: 40, height: 30, palette: (0..<32).map { RGB(red: $0 * 8, green: $0 * 8, blue: $0 * 8) })
    for step in Array(0..<32) + (1..<31).reversed() { sample.fill(UInt8(step), delay: 2) }
    // 62 frames of 20 ms: up and down in 1.24 s.
    #expect(try sample.report(scale: 10).result == .passes)
    // Four times as fast it is 8 changes in 1.24 s.
    #expect(try sample.report(scale: 10, rate: 4).result == .fails)
  }

  @Test("A quarter of any field may flash, at the size at which it is shown")
  func area() throws {
    // 21,824 pixels are 128 x 170.5.
    func fails(_ parts: [PixelRect], scale: Double = 1) throws -> Bool {
      var sample = FlashSample(width: 700, height: 300, palette: [FlashSample.black, FlashSample.white])
      for place in 0..<2 { sample.add(0, parts.map { ($0, UInt8(place % 2)) }, delay: 5) }
      return try sample.report(scale: scale).result == .fails
    }
    #expect(try !fails([PixelRect(x: 33, y: 41, width: 128, height: 170)]))
    #expect(try fails([PixelRect(x: 33, y: 41, width: 128, height: 171)]))
    #expect(try fails([PixelRect(x: 33, y: 41, width: 100, height: 100)], scale: 1.5))
    // A field is 341 pixels wide: two parts at its ends.
    let left = PixelRect(x: 100, y: 20, width: 50, height: 220)
    #expect(try fails([left, PixelRect(x: 391, y: 20, width: 50, height: 220)]))
    // Farther apart they are never in one field.
    #expect(try !fails([left, PixelRect(x: 445, y: 20, width: 50, height: 220)]))
  }

  @Test("Parts that blink against each other count together")
  func antiphase() throws {
    var sample = FlashSample(width: 300, height: 200, palette: [FlashSample.black, FlashSample.white])
    let (left, right) = (
      PixelRect(x: 0, y: 0, width: 100, height: 150), PixelRect(x: 200, y: 0, width: 100, height: 150)
    )
    for place in 0..<2 {
      sample.add(0, [(left, UInt8(place % 2)), (right, UInt8(1 - place % 2))], delay: 5)
    }
    #expect(try sample.report().result == .fails)
  }

  @Test("The seam of a loop is a change")
  func seam() throws {
    // Six changes in a play of 900 ms: with the first one of the next play there are seven.
    var sample = FlashSample(width: 40, height: 30, palette: [FlashSample.black, FlashSample.white])
    for place in 0..<7 { sample.fill(UInt8(place % 2), delay: place == 6 ? 30 : 10) }
    #expect(try sample.report(scale: 10).result == .fails)
    var gentle = FlashSample(width: 40, height: 30, palette: [FlashSample.black, FlashSample.white])
    for place in 0..<7 { gentle.fill(UInt8(place % 2), delay: place == 6 ? 60 : 10) }
    #expect(try gentle.report(scale: 10).result == .passes)
  }

  @Test("A change that only the plays after the first have counts")
  func laterPlays() throws {
    // Luminances 0.05, 0.12, 0 and 1. The rise to 0.12 is small after 0.05, and large after the black before
    // it.
    var sample = FlashSample(
      width: 40, height: 30, palette: [0x3F3F3F, 0x616161, FlashSample.black, FlashSample.white])
    for (color, delay) in [(0, 120), (1, 5), (2, 5), (3, 5), (2, 5), (3, 5), (2, 5), (3, 100), (2, 5)] {
      sample.fill(UInt8(color), delay: delay)
    }
    #expect(try sample.report(scale: 10).general?.flashesPerSecond == 3.5)
  }

  @Test("Saturated red and another hue make a red flash, with hues more than 0.2 apart")
  func red() throws {
    func report(_ first: RGB, _ second: RGB) throws -> FlashReport {
      try FlashSample.blinking([first, second], delays: [5, 5]).report(scale: 10)
    }
    // Equal luminance, as near as may be: only the hue changes.
    let gray = try report(0xFF0000, 0x7F7F7F)
    #expect(gray.red?.flashesPerSecond == 10)
    #expect(gray.general == nil)
    // Red and orange-red are 0.14 apart at most.
    #expect(try report(0xFF0000, 0xFF6000).red == nil)
    // Green and blue are far apart, but none is red.
    #expect(try report(0x00FF00, 0x0000FF).red == nil)
    #expect(try report(0xFF0000, 0x000000).red != nil)
  }

  @Test("A colour between red and another one hides no red flash, on the way there or back")
  func betweenReds() throws {
    func flashes(_ colors: [RGB], _ delays: [Int]) throws -> Double? {
      try FlashSample.blinking(colors, delays: delays).report(scale: 10).red?.flashesPerSecond
    }
    let (red, gray, between) = (RGB(0xFF0000), RGB(0x7F7F7F), RGB(0xDF4B4B))
    #expect(try flashes([red, gray, between], [8, 8, 2]) == 6)
    #expect(try flashes([red, between, gray], [8, 2, 8]) == 6)
    #expect(try flashes([red, between, gray, between], [8, 2, 8, 2]) == 5)
    // Neither way is farther than 0.2.
    #expect(try flashes([red, between], [8, 8]) == nil)
    #expect(try flashes([gray, between], [8, 8]) == nil)
  }

  @Test("Fine balanced patterns pass, coarse ones and plain areas do not")
  func pattern() throws {
    func fails(_ square: Int, scale: Double = 1) throws -> Bool {
      // A little more than what may flash.
      var sample = FlashSample(width: 176, height: 132, palette: [FlashSample.black, FlashSample.white])
      for place in 0..<2 {
        let indices = (0..<176 * 132).map { UInt8(($0 % 176 / square + $0 / 176 / square + place) % 2) }
        sample.frames.append((indices, 5))
      }
      return try sample.report(scale: scale).result == .fails
    }
    #expect(try !fails(1))
    #expect(try !fails(3))
    #expect(try fails(4))
    #expect(try fails(2, scale: 2))
    #expect(try !fails(1, scale: 2))
  }

  @Test("Noise passes")
  func noise() throws {
    var generator = SeededGenerator(seed: 1)
    var sample = FlashSample(width: 176, height: 132, palette: [FlashSample.black, FlashSample.white])
    for _ in 0..<20 {
      sample.frames.append(((0..<176 * 132).map { _ in UInt8.random(in: 0...1, using: &generator) }, 3))
    }
    #expect(try sample.report().result == .passes)
  }

  @Test("What shows white on one page, or black on another, counts on either")
  func transparency() throws {
    // White appears and is taken away: nothing on white, a flash on black.
    for color in [FlashSample.black, FlashSample.white, 0x7F7F7F] {
      var writer = GIFWriter(width: 40, height: 30, palette: [color, 0x123456])
      for place in 0..<2 {
        writer.graphicsControl(disposal: 2, delay: 5, transparent: 1)
        writer.image(width: 40, height: 30, indices: [UInt8](repeating: UInt8(place), count: 1_200))
      }
      writer.trailer()
      let size = PixelSize(width: 400, height: 300)
      #expect(try GIFImage(bytes: writer.bytes).flashes(FlashOptions(size: size)).result == .fails)
    }
  }

  @Test("What balances in number and not in light is no fine pattern")
  func unbalanced() throws {
    // Every other pixel goes from black to white, the others from 0.597 to 0.491: the mean from 0.30 to 0.75.
    func report(_ second: UInt8) throws -> FlashReport {
      let grays = [0, second, 0xCB, 0xBA].map { RGB(red: $0, green: $0, blue: $0) }
      var sample = FlashSample(width: 96, height: 64, palette: grays)
      for place in 0..<2 {
        sample.frames.append(((0..<96 * 64).map { UInt8(($0 % 96 + $0 / 96) % 2 * 2 + place) }, 5))
      }
      return try sample.report(scale: 3)
    }
    #expect(try report(0xFF).general?.flashesPerSecond == 10)
    // By 0.11 and 0.106 in opposite directions.
    #expect(try report(0x5D).result == .passes)
  }
}

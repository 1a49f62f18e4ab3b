import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Testing

/// Each expectation follows from the text of WCAG 2.2 by a line of arithmetic.
@Suite("Flashes whose verdict is known from the rule")
struct FlashRuleTests {
  private static let (black, white): (RGB, RGB) = (0x000000, 0xFFFFFF)

  /// Two colours in turn, over a canvas of more than a field.
  private static func blinking(_ colors: [RGB], delays: [Int]) -> FlashSample {
    var sample = FlashSample(width: 40, height: 30, palette: colors)
    for (place, delay) in delays.enumerated() { sample.fill(UInt8(place % colors.count), delay: delay) }
    return sample
  }

  @Test("Six changes in a second pass, seven fail, however the delays are spread")
  func rate() throws {
    // 6 changes in 1,000 ms: the seventh comes exactly a second after the first.
    let six = Self.blinking([Self.black, Self.white], delays: [17, 17, 16, 17, 17, 16])
    #expect(try six.report(scale: 10).result == .passes)
    #expect(try six.report(scale: 10).isDecoded == false)
    let seven = Self.blinking([Self.black, Self.white], delays: [17, 17, 16, 17, 17, 15])
    let report = try seven.report(scale: 10)
    #expect(report.result == .fails)
    #expect(report.general?.flashesPerSecond == 3.5)
    #expect(report.general?.fieldShare == 1)
    #expect(report.red == nil)
    let fast = Self.blinking([Self.black, Self.white], delays: [4, 4])
    #expect(try fast.report(scale: 10).general?.flashesPerSecond == 12.5)
  }

  @Test("Twice the rate is twice the flashes, and the safe rate is the greatest that passes")
  func safeRate() throws {
    let sample = Self.blinking([Self.black, Self.white], delays: [10, 10])
    let report = try sample.report(scale: 10)
    // Seven changes take 600 ms of the file, and must take a second.
    #expect(report.safeRate == 0.6)
    #expect(try sample.report(scale: 10, rate: 0.6).result == .passes)
    #expect(try sample.report(scale: 10, rate: 0.61).result == .fails)
    let slow = Self.blinking([Self.black, Self.white], delays: [20, 20])
    #expect(try slow.report(scale: 10).result == .passes)
    #expect(try slow.report(scale: 10, rate: 2).result == .fails)
  }

  @Test("A tenth of white's luminance is a change, with the darker state below 0.8")
  func amplitude() throws {
    // Luminances of grey: 89 is 0.0998, 90 is 0.1022; 230 is 0.7913, 231 is 0.7991, 232 is 0.8070.
    func fails(_ first: RGB, _ second: RGB) throws -> Bool {
      try Self.blinking([first, second], delays: [5, 5]).report(scale: 10).result == .fails
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
      var sample = FlashSample(width: 700, height: 300, palette: [Self.black, Self.white])
      for place in 0..<20 { sample.add(0, parts.map { ($0, UInt8(place % 2)) }, delay: 5) }
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

  @Test("The share is that of a whole field, also where the image is smaller")
  func share() throws {
    // 200 x 150 CSS pixels of 341 x 256.
    let report = try Self.blinking([Self.black, Self.white], delays: [5, 5]).report(scale: 5)
    #expect(abs(try #require(report.general?.fieldShare) - 30_000 / 87_296) < 1e-9)
  }

  @Test("What passes by itself fails only beside others of its size")
  func besideOthers() throws {
    let sample = Self.blinking([Self.black, Self.white], delays: [5, 5])
    func report(_ size: PixelSize, sharesField: Bool) throws -> FlashReport {
      try sample.image().flashes(FlashOptions(size: size, sharesField: sharesField))
    }
    // 160 x 120 is less than 21,824 pixels.
    let small = try #require(PixelSize(width: 160, height: 120))
    #expect(try report(small, sharesField: false) == FlashReport(result: .passes, isDecoded: false))
    let beside = try report(small, sharesField: true)
    #expect(beside.result == .fails && beside.failsOnlyBesideOthers)
    #expect(abs(try #require(beside.general?.fieldShare) - 19_200 / 87_296) < 1e-9)
    let large = try #require(PixelSize(width: 200, height: 150))
    for sharesField in [false, true] {
      let report = try report(large, sharesField: sharesField)
      #expect(report.result == .fails && !report.failsOnlyBesideOthers)
    }
  }

  @Test("Parts that blink against each other count together")
  func antiphase() throws {
    var sample = FlashSample(width: 300, height: 200, palette: [Self.black, Self.white])
    let (left, right) = (
      PixelRect(x: 0, y: 0, width: 100, height: 150), PixelRect(x: 200, y: 0, width: 100, height: 150)
    )
    for place in 0..<20 {
      sample.add(0, [(left, UInt8(place % 2)), (right, UInt8(1 - place % 2))], delay: 5)
    }
    #expect(try sample.report().result == .fails)
  }

  @Test("The seam of a loop is a change")
  func seam() throws {
    // Six changes in a play of 900 ms: with the first one of the next play there are seven.
    var sample = FlashSample(width: 40, height: 30, palette: [Self.black, Self.white])
    for place in 0..<7 { sample.fill(UInt8(place % 2), delay: place == 6 ? 30 : 10) }
    #expect(try sample.report(scale: 10).result == .fails)
    var gentle = FlashSample(width: 40, height: 30, palette: [Self.black, Self.white])
    for place in 0..<7 { gentle.fill(UInt8(place % 2), delay: place == 6 ? 60 : 10) }
    #expect(try gentle.report(scale: 10).result == .passes)
  }

  @Test("A change that only the plays after the first have counts")
  func laterPlays() throws {
    // Luminances 0.05, 0.12, 0 and 1. The rise to 0.12 is small after 0.05, and large after the black before
    // it.
    var sample = FlashSample(width: 40, height: 30, palette: [0x3F3F3F, 0x616161, Self.black, Self.white])
    for (color, delay) in [(0, 120), (1, 5), (2, 5), (3, 5), (2, 5), (3, 5), (2, 5), (3, 100), (2, 5)] {
      sample.fill(UInt8(color), delay: delay)
    }
    #expect(try sample.report(scale: 10).general?.flashesPerSecond == 3.5)
  }

  @Test("Saturated red and another hue make a red flash, with hues more than 0.2 apart")
  func red() throws {
    func report(_ first: RGB, _ second: RGB) throws -> FlashReport {
      try Self.blinking([first, second], delays: [5, 5]).report(scale: 10)
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

  @Test("Fine balanced patterns pass, coarse ones and plain areas do not")
  func pattern() throws {
    func fails(_ square: Int, scale: Double = 1) throws -> Bool {
      var sample = FlashSample(width: 320, height: 256, palette: [Self.black, Self.white])
      for place in 0..<10 {
        let indices = (0..<320 * 256).map { UInt8(($0 % 320 / square + $0 / 320 / square + place) % 2) }
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
    var sample = FlashSample(width: 320, height: 256, palette: [Self.black, Self.white])
    for _ in 0..<20 {
      sample.frames.append(((0..<320 * 256).map { _ in UInt8.random(in: 0...1, using: &generator) }, 3))
    }
    #expect(try sample.report().result == .passes)
  }

  @Test("The safe size is the greatest that passes")
  func safeSize() throws {
    let sample = Self.blinking([Self.black, Self.white], delays: [5, 5])
    let size = try #require(try sample.report(scale: 10).safeSize)
    // 40 x 30 in the same shape: 170 x 128 are 21,760 pixels, 171 x 128 are 21,888.
    #expect(size == PixelSize(width: 170, height: 128))
    #expect(try sample.image().flashes(FlashOptions(size: size)).result == .passes)
    let larger = PixelSize(width: 171, height: 128)
    #expect(try sample.image().flashes(FlashOptions(size: larger)).result == .fails)
  }

  @Test("What is not all there never passes")
  func partial() throws {
    let slow = try Self.blinking([Self.black, Self.white], delays: [50, 50]).image()
    #expect(try slow.flashes(FlashOptions(isComplete: false)).result == .unknown)
    let fast = try Self.blinking([Self.black, Self.white], delays: [5, 5]).image()
    let size = PixelSize(width: 400, height: 300)
    #expect(try fast.flashes(FlashOptions(size: size, isComplete: false)).result == .fails)
  }

  @Test(
    "What a limit leaves out makes a pass unknown, and a failure stays one",
    arguments: [(1, 400), (8, 400), (9, 20)])
  func limited(frames: Int, width: Int) throws {
    let sample = Self.blinking(
      Array(repeating: [Self.black, Self.white], count: 5).flatMap(\.self),
      delays: Array(repeating: 5, count: 10))
    var limits = DecodingLimits.default
    limits.frameCount = frames
    let image = try GIFImage(bytes: sample.bytes, limits: limits)
    #expect(image.frameCount == frames)
    let report = try image.flashes(FlashOptions(size: PixelSize(width: width, height: width * 3 / 4)))
    #expect(report.result == (frames == 8 ? .fails : .unknown))
    limits.frameCount = 10
    let whole = try GIFImage(bytes: sample.bytes, limits: limits)
    #expect(try whole.flashes(FlashOptions(size: PixelSize(width: 20, height: 15))).result == .passes)
  }

  @Test("The frames that are played decide, in their order")
  func order() throws {
    var sample = FlashSample(width: 40, height: 30, palette: [Self.black, Self.white])
    for place in 0..<40 { sample.fill(place == 20 || place == 21 ? UInt8(place - 20) : 0, delay: 5) }
    let (image, size) = (try sample.image(), PixelSize(width: 400, height: 300))
    // One flash in two seconds; two frames in turn flash ten times a second.
    #expect(try image.flashes(FlashOptions(size: size)).result == .passes)
    let pair = try image.flashes(FlashOptions(size: size, frames: [20, 21]))
    #expect(pair.general?.flashesPerSecond == 10)
    #expect(try image.flashes(FlashOptions(size: size, frames: [21, 20])).general?.flashesPerSecond == 10)
    #expect(try image.flashes(FlashOptions(size: size, frames: [5, 3, 9])).result == .passes)
  }

  @Test("Few changes, or small ones, are judged without a picture")
  func withoutPictures() throws {
    let thumbnail = Self.blinking([Self.black, Self.white], delays: [2, 2])
    #expect(try thumbnail.report().isDecoded == false)
    // A small part blinks on a large canvas; only the seam changes all of it.
    var writer = GIFWriter(width: 400, height: 300, palette: [Self.black, Self.white])
    writer.graphicsControl(disposal: 1, delay: 5)
    writer.image(width: 400, height: 300, indices: Array(repeating: 0, count: 120_000))
    for place in 0..<30 {
      writer.graphicsControl(disposal: 1, delay: 5)
      writer.image(width: 100, height: 100, indices: Array(repeating: UInt8(1 - place % 2), count: 10_000))
    }
    writer.trailer()
    let report = try GIFImage(bytes: writer.bytes).flashes()
    #expect(report.result == .passes)
    #expect(report.isDecoded == false)
  }
}

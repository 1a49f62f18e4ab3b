import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Testing

@Suite("Reports on flashes: where, how large, and what would pass")
struct FlashReportTests {
  @Test("Twice the rate is twice the flashes, and the safe rate is the greatest that passes")
  func safeRate() throws {
    let sample = FlashSample.blinking(delays: [10, 10])
    let report = try sample.report(scale: 10)
    // Seven changes take 600 ms of the file, and must take a second.
    #expect(report.safeRate == 0.6)
    #expect(try sample.report(scale: 10, rate: 0.6).result == .passes)
    #expect(try sample.report(scale: 10, rate: 0.61).result == .fails)
    let slow = FlashSample.blinking(delays: [20, 20])
    #expect(try slow.report(scale: 10).result == .passes)
    #expect(try slow.report(scale: 10, rate: 2).result == .fails)
  }

  @Test("The share is that of a whole field, also where the image is smaller")
  func share() throws {
    // 200 x 150 CSS pixels of 341 x 256.
    let report = try FlashSample.blinking(delays: [5, 5]).report(scale: 5)
    #expect(abs(try #require(report.general?.fieldShare) - 30_000 / 87_296) < 1e-9)
  }

  @Test("What passes by itself fails only beside others of its size")
  func besideOthers() throws {
    let sample = FlashSample.blinking(delays: [5, 5])
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

  @Test("The safe size is the greatest that passes")
  func safeSize() throws {
    let sample = FlashSample.blinking(delays: [5, 5])
    let size = try #require(try sample.report(scale: 10).safeSize)
    // 40 x 30 in the same shape: 170 x 128 are 21,760 pixels, 171 x 128 are 21,888.
    #expect(size == PixelSize(width: 170, height: 128))
    #expect(try sample.image().flashes(FlashOptions(size: size)).result == .passes)
    let larger = PixelSize(width: 171, height: 128)
    #expect(try sample.image().flashes(FlashOptions(size: larger)).result == .fails)
  }

  @Test("Up to the safe size each smaller one passes, also where a larger one does")
  func smallerSizes() throws {
    // Four blinking corners, of which a field holds one at 516 x 387, 172 x 120.4 pixels; all at 300 x 225.
    var sample = FlashSample(width: 60, height: 45, palette: [FlashSample.black, FlashSample.white])
    let corners = [(0, 0), (40, 0), (0, 31), (40, 31)].map { PixelRect(x: $0, y: $1, width: 20, height: 14) }
    for place in 0..<2 { sample.add(0, corners.map { ($0, UInt8(place)) }, delay: 5) }
    let image = try sample.image()
    func report(_ width: Int) throws -> FlashReport {
      try image.flashes(FlashOptions(size: PixelSize(width: width, height: width * 3 / 4)))
    }
    #expect(try report(516).result == .passes)
    for width in [480, 360, 300, 272] {
      let report = try report(width)
      #expect(report.result == .fails, "\(width)")
      let safe = try #require(report.safeSize)
      // All corners have 21,824 pixels at 4.41 times their size.
      #expect(safe.width == 264, "\(width)")
      #expect(try image.flashes(FlashOptions(size: safe)).result == .passes)
    }
    #expect(try #require(report(1_032).safeSize).width == 264)
  }

  @Test("The safe size is one up to which what passes at the asked size passes, too")
  func smallerSizesOfWhatPasses() throws {
    // At 516 x 387 the corners pass, and a block in the middle fails later.
    var sample = FlashSample(width: 60, height: 45, palette: [FlashSample.black, FlashSample.white])
    let corners = [(0, 0), (40, 0), (0, 31), (40, 31)].map { PixelRect(x: $0, y: $1, width: 20, height: 14) }
    let middle = PixelRect(x: 20, y: 15, width: 20, height: 15)
    for place in 0..<20 { sample.add(0, corners.map { ($0, UInt8(place % 2)) }, delay: 5) }
    sample.add(0, [], delay: 100)
    for place in 0..<20 { sample.add(0, [(middle, UInt8(place % 2))], delay: 5) }
    sample.add(0, [], delay: 100)
    let image = try sample.image()
    let report = try image.flashes(FlashOptions(size: PixelSize(width: 516, height: 387)))
    #expect(report.result == .fails && report.safeSize?.width == 264)
  }

  @Test("Changes over white and changes over black do not add up")
  func backdrops() throws {
    // Nothing, white, nothing, black: five changes a second over white as over black, ten over any.
    var writer = GIFWriter(
      width: 40, height: 30, palette: [FlashSample.black, FlashSample.white, 0x123456, 0])
    for color in [2, 1, 2, 0] as [UInt8] {
      writer.graphicsControl(disposal: 2, delay: 10, transparent: 2)
      writer.image(width: 40, height: 30, indices: [UInt8](repeating: color, count: 1_200))
    }
    writer.trailer()
    let size = PixelSize(width: 400, height: 300)
    #expect(try GIFImage(bytes: writer.bytes).flashes(FlashOptions(size: size)).result == .passes)
  }

  @Test("Beside others what blinks as a whole passes at no size")
  func noSafeSize() throws {
    let sample = FlashSample.blinking(delays: [5, 5])
    let report = try sample.image().flashes(FlashOptions(sharesField: true))
    #expect(report.result == .fails && report.safeSize == nil)
  }

  @Test("The share is that of the part that flashes as often as is said")
  func shareOfPeak() throws {
    // A third blinks ten times a second, all of it three and a half times.
    var sample = FlashSample(width: 30, height: 20, palette: [FlashSample.black, FlashSample.white])
    let part = PixelRect(x: 0, y: 0, width: 10, height: 20)
    for place in 0..<18 {
      let rest = UInt8(place / 3 % 2)
      sample.add(rest, [(part, UInt8(place % 2))], delay: place == 17 ? 4 : 5)
    }
    let general = try #require(try sample.report(scale: 12).general)
    #expect(general.flashesPerSecond > 9)
    #expect(abs(general.fieldShare - 120 * 240 / 87_296) < 1e-9)
  }

  @Test("The safe rate passes, also where a division rounds up")
  func roundedRate() throws {
    // Seven changes in 4.03 s, and no more.
    var delays = Array(repeating: 67, count: 6)
    delays[0] += 1
    let sample = FlashSample.blinking(delays: delays + [60_000, 60_000])
    let report = try sample.report(scale: 10, rate: 5)
    let rate = try #require(report.safeRate)
    #expect(rate < 4.0301 && rate > 4.0299)
    #expect(try sample.report(scale: 10, rate: rate).result == .passes)
  }

  @Test("Frames without a time of their own are not seen with the file's delays, and take no memory")
  func unseenFrames() throws {
    var sample = FlashSample(width: 40, height: 30, palette: [FlashSample.black, FlashSample.white])
    // A picture of ten layers, then another one.
    for place in 0..<10 { sample.fill(UInt8(place % 2), delay: place == 9 ? 50 : 0) }
    sample.fill(0, delay: 50)
    let (image, size) = (try sample.image(), PixelSize(width: 400, height: 300))
    #expect(try image.flashes(FlashOptions(size: size, delays: .encoded)).result == .passes)
    // Browsers show each for a tenth of a second.
    #expect(try image.flashes(FlashOptions(size: size)).result == .fails)
    // Those with a time are seen.
    let fast = try FlashSample.blinking(delays: [1, 1, 1, 1]).image()
    #expect(try fast.flashes(FlashOptions(size: size, delays: .encoded)).result == .fails)
  }

  @Test("What is not all there never passes")
  func partial() throws {
    let slow = try FlashSample.blinking(delays: [50, 50]).image()
    #expect(try slow.flashes(FlashOptions(isComplete: false)).result == .unknown)
    let fast = try FlashSample.blinking(delays: [5, 5]).image()
    let size = PixelSize(width: 400, height: 300)
    #expect(try fast.flashes(FlashOptions(size: size, isComplete: false)).result == .fails)
  }

  @Test(
    "What a limit leaves out makes a pass unknown, and a failure stays one",
    arguments: [(1, 400), (8, 400), (9, 20)])
  func limited(frames: Int, width: Int) throws {
    let sample = FlashSample.blinking(
      Array(repeating: [FlashSample.black, FlashSample.white], count: 5).flatMap(\.self),
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
    var sample = FlashSample(width: 40, height: 30, palette: [FlashSample.black, FlashSample.white])
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
    let thumbnail = FlashSample.blinking(delays: [2, 2])
    #expect(try thumbnail.report().isDecoded == false)
    // A small part blinks on a large canvas; only the seam changes all of it.
    var writer = GIFWriter(width: 400, height: 300, palette: [FlashSample.black, FlashSample.white])
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

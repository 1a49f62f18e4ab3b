/// A random well-formed animated GIF together with what it shows; the food of property tests.
///
/// Frames lie inside or partly outside the canvas; disposal, transparency, palettes, interlace, code size,
/// clear codes and sub-block sizes vary, and comments and other extensions stand between the frames.
public struct RandomGIF: Sendable {
  /// The file.
  public let bytes: [UInt8]
  /// What is in it, ready for `PlainCompositor`.
  public let animation: PlainAnimation

  /// Makes a GIF of 1 to 12 frames on a screen of 1 to 64 pixels a side; the first frame may enlarge the
  /// canvas.
  public static func make(using generator: inout some RandomNumberGenerator) -> RandomGIF {
    let screenWidth = Int.random(in: 1...64, using: &generator)
    let screenHeight = Int.random(in: 1...64, using: &generator)
    let global = chance(5, in: 6, &generator) ? randomPalette(&generator) : nil
    var animation = PlainAnimation(
      screenWidth: screenWidth, screenHeight: screenHeight, globalPalette: global,
      loopCount: Bool.random(using: &generator) ? Int.random(in: 0...65535, using: &generator) : nil)

    var writer = GIFWriter()
    writer.header()
    writer.logicalScreen(
      width: screenWidth, height: screenHeight, palette: global,
      background: .random(in: 0...255, using: &generator))
    let loopComesFirst = Bool.random(using: &generator)
    let identifier = chance(3, in: 4, &generator) ? "NETSCAPE2.0" : "ANIMEXTS1.0"
    if let count = animation.loopCount, loopComesFirst { writer.loop(count, identifier: identifier) }

    for number in 0..<Int.random(in: 1...12, using: &generator) {
      let frame = randomFrame(in: animation, isFirst: number == 0, &generator)
      write(frame, to: &writer, &generator)
      animation.frames.append(frame)
    }
    if let count = animation.loopCount, !loopComesFirst { writer.loop(count, identifier: identifier) }
    writer.trailer()
    return RandomGIF(bytes: writer.bytes, animation: animation)
  }

  /// Makes the GIF of a seed; the same seed always gives the same GIF.
  public static func make(seed: UInt64) -> RandomGIF {
    var generator = SeededGenerator(seed: seed)
    return make(using: &generator)
  }

  // MARK: - Frames

  private static func randomFrame(
    in animation: PlainAnimation, isFirst: Bool, _ generator: inout some RandomNumberGenerator
  ) -> PlainFrame {
    // The first frame mostly fills the screen, and what reaches beyond makes the canvas larger.
    let fills = isFirst ? Bool.random(using: &generator) : chance(1, in: 6, &generator)
    let staysInside = chance(isFirst ? 5 : 3, in: 6, &generator)
    let horizontal =
      fills ? (0, animation.screenWidth) : randomSpan(animation.screenWidth, staysInside, &generator)
    let vertical =
      fills ? (0, animation.screenHeight) : randomSpan(animation.screenHeight, staysInside, &generator)
    let (x, width) = horizontal
    let (y, height) = vertical
    let needsLocal = animation.globalPalette == nil && chance(9, in: 10, &generator)
    let local = needsLocal || chance(1, in: 3, &generator) ? randomPalette(&generator) : nil
    let colours = (local ?? animation.globalPalette)?.count ?? 256
    // Now and then an index points past the palette.
    let highest = chance(1, in: 8, &generator) ? 255 : UInt8(colours - 1)

    var frame = PlainFrame(
      x: x, y: y, width: width, height: height,
      indices: randomIndices(width * height, upTo: highest, &generator),
      localPalette: local)
    if chance(5, in: 6, &generator) {
      frame.disposal =
        chance(3, in: 4, &generator)
        ? .random(in: 0...3, using: &generator) : .random(in: 4...7, using: &generator)
      frame.delay = .random(in: 0...30, using: &generator)
      if chance(2, in: 3, &generator) { frame.transparentIndex = .random(in: 0...highest, using: &generator) }
    }
    frame.isInterlaced = chance(1, in: 3, &generator)
    return frame
  }

  /// A start inside the screen and a length: all of it, a part, or something that may reach far beyond.
  private static func randomSpan(
    _ screen: Int, _ staysInside: Bool, _ generator: inout some RandomNumberGenerator
  ) -> (start: Int, length: Int) {
    if chance(1, in: 4, &generator) { return (0, screen) }
    let start = Int.random(in: 0..<screen, using: &generator)
    let beyond = chance(1, in: 4, &generator) ? 128 : screen
    return (start, Int.random(in: 1...(staysInside ? screen - start : beyond), using: &generator))
  }

  /// Noise, runs or a repeated pattern, so that short and long strings and full tables all occur.
  private static func randomIndices(
    _ count: Int, upTo highest: UInt8, _ generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let pattern = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
      UInt8.random(in: 0...highest, using: &generator)
    }
    let kind = Int.random(in: 0..<3, using: &generator)
    var current = pattern[0]
    return (0..<count).map { position in
      switch kind {
      case 0: current = .random(in: 0...highest, using: &generator)
      case 1: if chance(1, in: 9, &generator) { current = .random(in: 0...highest, using: &generator) }
      default: current = pattern[position % pattern.count]
      }
      return current
    }
  }

  private static func randomPalette(_ generator: inout some RandomNumberGenerator) -> [RGB] {
    let count = 2 << Int.random(in: 0...7, using: &generator)
    return (0..<count).map { _ in RGB(.random(in: 0...0xFF_FFFF, using: &generator)) }
  }

  // MARK: - Bytes

  private static func write(
    _ frame: PlainFrame, to writer: inout GIFWriter, _ generator: inout some RandomNumberGenerator
  ) {
    let isDefault = frame.disposal == 0 && frame.delay == 0 && frame.transparentIndex == nil
    if !isDefault || Bool.random(using: &generator) {
      writer.graphicsControl(
        disposal: frame.disposal, delay: frame.delay, transparent: frame.transparentIndex,
        userInput: chance(1, in: 10, &generator))
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: writer.comment("a comment between", subBlockSize: .random(in: 1...20, using: &generator))
    case 1: writer.plainText("text")
    case 2: writer.unknownExtension(label: 0x77, subBlocks: [[1, 2, 3], [0x3B]])
    default: break
    }

    let smallest = LZWEncoder.smallestCodeSize(for: frame.indices)
    let clearings: [LZWEncoder.Clearing] = [
      .whenFull, .never, .every(.random(in: 1...600, using: &generator)),
      .every(.random(in: 3800...4200, using: &generator)),
    ]
    writer.imageDescriptor(
      x: frame.x, y: frame.y, width: frame.width, height: frame.height, palette: frame.localPalette,
      interlaced: frame.isInterlaced)
    let encoder = LZWEncoder(
      minimumCodeSize: Int.random(in: smallest...8, using: &generator),
      startsWithClear: chance(3, in: 4, &generator),
      clearing: clearings.randomElement(using: &generator) ?? .whenFull,
      endsWithEnd: chance(5, in: 6, &generator))
    writer.imageData(
      minimumCodeSize: UInt8(encoder.minimumCodeSize), compressed: encoder.encode(frame.indices),
      subBlockSize: Bool.random(using: &generator) ? 255 : .random(in: 1...254, using: &generator))
  }

  private static func chance(
    _ hits: Int, in tries: Int, _ generator: inout some RandomNumberGenerator
  ) -> Bool {
    Int.random(in: 0..<tries, using: &generator) < hits
  }
}

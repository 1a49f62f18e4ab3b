import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFEditing

/// Edits of random GIFs, judged by the plain compositor: it knows nothing of the decoder.
@Suite("What edited GIFs show")
struct EditedPicturesTests {
  /// What an edit is to show.
  private struct Wanted {
    var frames: [Int]
    var delays: [Int]
  }

  private static let seeds = 0..<24 as Range<UInt64>

  /// Edits the GIFs of all seeds, and compares what the results show with what was chosen.
  private static func check(
    sourceLocation: SourceLocation = #_sourceLocation, copies: Int = 1,
    _ change: (inout GIFEdit, _ delays: [Int]) -> Wanted
  ) throws {
    var tally = SeamTally()
    for seed in seeds {
      let random = RandomGIF.make(seed: seed)
      let pictures = PlainCompositor.canvases(of: random.animation)
      let delays = random.animation.frames.map(\.milliseconds)
      var edit = GIFEdit()
      let wanted = change(&edit, delays)
      let image = try GIFImage(bytes: random.bytes)
      let output = try tally.output(
        of: Array(repeating: image, count: copies), edit, "seed \(seed)", sourceLocation: sourceLocation
      ) { pictures[$0 % pictures.count] }
      guard let output else { continue }
      #expect(
        output.frames.map { $0.delayMilliseconds() } == wanted.delays, "seed \(seed)",
        sourceLocation: sourceLocation)
      var renderer = try FrameRenderer(output)
      for (place, frame) in wanted.frames.enumerated() {
        let shown = try renderer.frame(at: place)
        #expect(
          shown.pixels.words == pictures[frame], "seed \(seed), frame \(place)",
          sourceLocation: sourceLocation)
      }
    }
    tally.expectMostOutputs(sourceLocation: sourceLocation)
  }

  @Test("Nothing changed")
  func unchanged() throws {
    try Self.check { _, delays in Wanted(frames: Array(delays.indices), delays: delays) }
  }

  @Test("Cut at every frame, before and behind")
  func cuts() throws {
    for place in 0..<12 {
      try Self.check { edit, delays in
        let kept = Array(min(place, delays.count - 1)..<delays.count)
        edit.frames = kept
        return Wanted(frames: kept, delays: kept.map { delays[$0] })
      }
      try Self.check { edit, delays in
        let kept = Array(0...min(place, delays.count - 1))
        edit.frames = kept
        return Wanted(frames: kept, delays: kept.map { delays[$0] })
      }
    }
  }

  @Test("Reversed")
  func reversed() throws {
    try Self.check { edit, delays in
      edit.order = .reversed
      return Wanted(frames: delays.indices.reversed(), delays: delays.reversed())
    }
  }

  @Test("In fewer bytes")
  func smaller() throws {
    try Self.check { edit, delays in
      edit.makesSmaller = true
      return Wanted(frames: Array(delays.indices), delays: delays)
    }
  }

  @Test("Bounced")
  func bounced() throws {
    try Self.check { edit, delays in
      edit.order = .bounced
      let frames = Array(delays.indices) + delays.indices.dropFirst().dropLast().reversed()
      return Wanted(frames: frames, delays: frames.map { delays[$0] })
    }
  }

  @Test("Every second and every third frame", arguments: [2, 3])
  func everyOther(step: Int) throws {
    try Self.check { edit, delays in
      edit.step = step
      let starts = Array(stride(from: 0, to: delays.count, by: step))
      return Wanted(
        frames: starts, delays: starts.map { delays[$0..<min($0 + step, delays.count)].reduce(0, +) })
    }
  }

  @Test("Joined with itself")
  func joined() throws {
    try Self.check(copies: 2) { _, delays in
      Wanted(frames: Array(delays.indices) + Array(delays.indices), delays: delays + delays)
    }
  }

  @Test("Frames in any order, some twice")
  func shuffled() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<4 {
      try Self.check { edit, delays in
        let frames = (0..<2 * delays.count).map { _ in Int.random(in: delays.indices, using: &generator) }
        edit.frames = frames
        return Wanted(frames: frames, delays: frames.map { delays[$0] })
      }
    }
  }

  @Test("Data of programs goes along, but not where the file's end cuts it off")
  func applications() throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    writer.application(Array("PROGRAM 1.0".utf8), subBlocks: [[1, 2, 3]])
    writer.loop(2)
    writer.image(width: 1, height: 1, indices: [1])
    writer.image(width: 1, height: 1, indices: [0])
    writer.application(Array("PROGRAM 2.0".utf8), subBlocks: [[4, 5]], hasTerminator: false)
    let image = try GIFImage(bytes: writer.bytes)
    #expect(image.metadata.applicationExtensions.count == 3)
    var edit = GIFEdit()
    edit.frames = [1, 0]
    let output = try GIFImage(bytes: try image.edited(edit))
    #expect(output.frameCount == 2 && output.diagnostics.isEmpty && output.loopCount == .plays(3))
    let kept = output.metadata.applicationExtensions.map {
      String(decoding: $0.identifierBytes, as: UTF8.self)
    }
    #expect(kept == ["NETSCAPE2.0", "PROGRAM 1.0"])
    edit.stripsMetadata = true
    #expect(try GIFImage(bytes: try image.edited(edit)).metadata.applicationExtensions.count == 1)
  }

  /// A picture as rows of pixels, changed by the rules of a plain program.
  private struct Grid: Equatable {
    var rows: [[UInt32]]

    init(_ words: [UInt32], width: Int) {
      rows = stride(from: 0, to: words.count, by: width).map { Array(words[$0..<$0 + width]) }
    }

    mutating func crop(_ rect: PixelRect) {
      rows = rows[rect.y..<rect.y + rect.height].map { Array($0[rect.x..<rect.x + rect.width]) }
    }

    mutating func turn() {
      rows = rows[0].indices.map { column in rows.reversed().map { $0[column] } }
    }

    /// The picture as an edit wants it.
    func changed(by edit: GIFEdit) -> Grid {
      var grid = self
      if let part = edit.crop { grid.crop(part) }
      if edit.flipsHorizontally { grid.rows = grid.rows.map { $0.reversed() } }
      if edit.flipsVertically { grid.rows.reverse() }
      for _ in 0..<edit.quarterTurns { grid.turn() }
      return grid
    }
  }

  @Test(
    "A part of the canvas, mirrored and turned, also of frames in another order", arguments: [false, true])
  func geometry(isReversed: Bool) throws {
    var (generator, tally) = (SeededGenerator(seed: isReversed ? 3 : 4), SeamTally())
    for seed in Self.seeds {
      let random = RandomGIF.make(seed: seed)
      let image = try GIFImage(bytes: random.bytes)
      let (left, top) = (
        Int.random(in: 0..<image.width, using: &generator),
        Int.random(in: 0..<image.height, using: &generator)
      )
      let part = PixelRect(
        x: left, y: top, width: Int.random(in: 1...image.width - left, using: &generator),
        height: Int.random(in: 1...image.height - top, using: &generator))
      var edit = GIFEdit()
      edit.order = isReversed ? .reversed : .forward
      edit.crop = part
      edit.flipsHorizontally = Bool.random(using: &generator)
      edit.flipsVertically = Bool.random(using: &generator)
      edit.quarterTurns = Int.random(in: 0...3, using: &generator)
      let grids = PlainCompositor.canvases(of: random.animation).map {
        Grid($0, width: image.width).changed(by: edit)
      }
      let output = try tally.output(of: [image], edit, "seed \(seed)") { Array(grids[$0].rows.joined()) }
      guard let output else { continue }
      var renderer = try FrameRenderer(output)
      for (place, grid) in (isReversed ? grids.reversed() : grids).enumerated() {
        let shown = try renderer.frame(at: place).pixels
        #expect(Grid(shown.words, width: shown.width) == grid, "seed \(seed), frame \(place)")
      }
    }
    tally.expectMostOutputs()
  }

  @Test("Stills are merged before delays are set, and by what is shown of them")
  func mergedDelays() throws {
    var writer = GIFWriter(width: 3, height: 1, palette: [0x000000, 0xFF0000])
    for indices in [[0, 0, 0], [0, 0, 1], [1, 0, 1]] as [[UInt8]] {
      writer.graphicsControl(disposal: 1, delay: 5)
      writer.image(width: 3, height: 1, indices: indices)
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    var edit = GIFEdit()
    edit.mergesStills = true
    #expect(try GIFImage(bytes: try image.edited(edit)).frameCount == 3)
    edit.crop = PixelRect(x: 0, y: 0, width: 2, height: 1)
    edit.lastDelay = .seconds(1)
    let output = try GIFImage(bytes: try image.edited(edit))
    #expect(output.frames.map { $0.delayMilliseconds() } == [100, 1000])
  }

  @Test("A delay that is too long for one frame is that of several")
  func longDelays() throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0x000000, 0xFF0000])
    for index in [0, 1] as [UInt8] {
      writer.graphicsControl(disposal: 1, delay: 5000)
      writer.image(width: 1, height: 1, indices: [index])
    }
    writer.trailer()
    var edit = GIFEdit()
    edit.rate = 0.01
    let output = try GIFImage(bytes: try GIFImage(bytes: writer.bytes).edited(edit))
    #expect(output.durationMilliseconds() == 10_000_000 && output.frameCount == 16)
  }

  @Test("What is out of reach is refused before a byte is written")
  func refusals() throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: 1).bytes)
    var edit = GIFEdit()
    edit.canvas = PixelSize(width: 65_535, height: 65_535)
    #expect(throws: GIFEditError.self) { try GIFEditor([image], edit) }
    edit = GIFEdit()
    edit.loopCount = .plays(0)
    #expect(throws: GIFEditError.self) { try GIFEditor([image], edit) }
    edit = GIFEdit()
    edit.crop = PixelRect(x: .max, y: 0, width: .max, height: 1)
    #expect(throws: GIFEditError(.cropOutsideCanvas)) { try GIFEditor([image], edit) }
    #expect(throws: GIFEditError(.noFrames)) { try GIFEditor([], GIFEdit()) }
    for rate in [0, 0.0009, 1000.1, .infinity, .nan, -1] {
      edit = GIFEdit()
      edit.rate = rate
      #expect(throws: GIFEditError(.ruleOutOfRange)) { try GIFEditor([image], edit) }
    }
  }

  @Test("An output with more frames than the input's limit is checked all the same")
  func limits() throws {
    var limits = DecodingLimits.default
    limits.frameCount = 3
    let image = try GIFImage(bytes: RandomGIF.make(seed: 7).bytes, limits: limits)
    var edit = GIFEdit()
    edit.frames = [Int](repeating: 0, count: 9)
    #expect(try GIFImage(bytes: try image.edited(edit)).frameCount == 9)
  }

  @Test("GIFs of two sizes stand in the middle of a canvas")
  func canvas() throws {
    var small = GIFWriter(width: 2, height: 2, palette: [0x000000, 0xFF0000])
    small.graphicsControl(delay: 5)
    small.image(width: 2, height: 2, indices: [1, 1, 1, 1])
    small.trailer()
    var large = GIFWriter(width: 4, height: 6, palette: [0x0000FF, 0x00FF00])
    large.graphicsControl(delay: 5)
    large.image(width: 4, height: 6, indices: [UInt8](repeating: 0, count: 24))
    large.trailer()
    let images = [try GIFImage(bytes: small.bytes), try GIFImage(bytes: large.bytes)]
    #expect(throws: GIFEditError(.canvasMismatch)) { try images.edited(GIFEdit()) }
    var edit = GIFEdit()
    edit.canvas = PixelSize(width: 4, height: 4)
    let output = try GIFImage(bytes: try images.edited(edit))
    var renderer = try FrameRenderer(output)
    let (red, blue): (UInt32, UInt32) = (0xFF00_00FF, 0xFFFF_0000)
    let first = try renderer.frame(at: 0).pixels.words
    #expect(first == [0, 0, 0, 0, 0, red, red, 0, 0, red, red, 0, 0, 0, 0, 0])
    #expect(try renderer.frame(at: 1).pixels.words == [UInt32](repeating: blue, count: 16))
  }

  @Test("A part that is not all on the canvas is refused")
  func outside() throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: 1).bytes)
    for part in [
      PixelRect(x: 0, y: 0, width: image.width + 1, height: 1), PixelRect(x: -1, y: 0, width: 1, height: 1),
      PixelRect(x: 0, y: 0, width: 0, height: 1),
    ] {
      var edit = GIFEdit()
      edit.crop = part
      #expect(throws: GIFEditError(.cropOutsideCanvas)) { try image.edited(edit) }
    }
  }

  @Test("Stills become one frame for the time of all")
  func stills() throws {
    var tally = SeamTally()
    for seed in Self.seeds {
      let random = RandomGIF.make(seed: seed)
      let pictures = PlainCompositor.canvases(of: random.animation)
      let count = pictures.count
      // Each frame twice: at least half of them are stills.
      let doubled = (0..<count).flatMap { [$0, $0] }
      var edit = GIFEdit()
      edit.frames = doubled
      edit.mergesStills = true
      let image = try GIFImage(bytes: random.bytes)
      guard let output = try tally.output(of: [image], edit, "seed \(seed)", picture: { pictures[$0] })
      else { continue }
      #expect(output.frameCount <= count, "seed \(seed)")
      #expect(
        output.durationMilliseconds() == 2 * random.animation.frames.map(\.milliseconds).reduce(0, +),
        "seed \(seed)")
      var wanted: [Int] = []
      for frame in 0..<count where wanted.isEmpty || pictures[frame] != pictures[wanted[wanted.count - 1]] {
        wanted.append(frame)
      }
      var renderer = try FrameRenderer(output)
      #expect(output.frameCount == wanted.count, "seed \(seed)")
      for (place, frame) in wanted.enumerated() where place < output.frameCount {
        let shown = try renderer.frame(at: place)
        #expect(shown.pixels.words == pictures[frame], "seed \(seed), frame \(place)")
      }
    }
    tally.expectMostOutputs()
  }
}

@Suite("A seam in too many colours")
struct TooManyColorsTests {
  /// Frames 0 and 4 fill a canvas of 20 x 20 with 200 colours; 1 to 3 draw 100 others over a quarter of it.
  private static func image(lastGreen: UInt8 = 0) throws -> GIFImage {
    var writer = GIFWriter(width: 20, height: 20)
    for (frame, side) in [20, 10, 10, 10, 20].enumerated() {
      let count = side * side / (side == 20 ? 2 : 1)
      writer.graphicsControl(disposal: 1, delay: 5)
      writer.image(
        width: side, height: side, indices: (0..<side * side).map { UInt8($0 % count) },
        palette: (0..<count).map {
          RGB(red: UInt8(side), green: side < 20 ? UInt8(frame) : frame == 4 ? lastGreen : 0, blue: UInt8($0))
        })
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  @Test("Is refused with the frame, how many there are, and where the cut is exact")
  func refused() throws {
    let image = try Self.image()
    var edit = GIFEdit()
    edit.frames = [2, 3, 4]
    let error = try #require(throws: GIFEditError.self) { try image.edited(edit) }
    #expect(
      error == GIFEditError(.tooManyColors, frame: 2, value: 300, limit: 256, place: 0, nearest: [0, 4]))
  }

  @Test("Names the place in the list, and that run is the one that begins elsewhere")
  func places() throws {
    let image = try Self.image(lastGreen: 200)
    // Behind frame 0 frame 2 draws a quarter. Behind the second frame 4 it draws all: the first one could be
    // taken back.
    var edit = GIFEdit()
    edit.frames = [0, 2, 4, 4, 2]
    let error = try #require(throws: GIFEditError.self) { try image.edited(edit) }
    #expect(error.frame == 2 && error.place == 4 && error.nearest == [0, 4])
    let moved = try #require(edit.beginningNearest(to: error, of: image.frameCount))
    #expect(moved.edit.frames == [0, 2, 4, 4, 0, 1, 2] && moved.frame == 0 && moved.framesBehind == 0)
    #expect(try GIFImage(bytes: image.edited(moved.edit)).frameCount == 7)
  }

  @Test("The place is that among the chosen frames, also where damaged ones are left out")
  func placesOfUsable() throws {
    var edit = GIFEdit()
    edit.frames = [1, 2, 0, 1]
    edit.skipsFailedFrames = true
    let frames = try Self.image().frames
    let sequence = try FrameSequence([frames], edit: edit) { $1 != 1 }
    #expect(sequence.frames.map(\.frame) == [2, 0] && sequence.places == [1, 2])
  }

  @Test("The search for other beginnings can be cancelled at every frame, and is made again when asked")
  func cancelled() throws {
    var edit = GIFEdit()
    edit.frames = [2, 3, 4]
    let image = try Self.image()
    let refusal = try #require(throws: GIFEditError.self) { try image.edited(edit) }
    // Frames 1 and 0 before it, 3 and 4 behind it.
    for last in 1...4 {
      let editor = try GIFEditor([image], edit)
      _ = try editor.next()
      var questions = 0
      let cancelled = try #require(throws: GIFEditError.self) {
        try editor.writePiece {
          questions += 1
          return questions == last
        }
      }
      #expect(cancelled == GIFEditError(.cancelled) && questions == last)
      #expect(throws: refusal) { try editor.next() }
      #expect(throws: refusal) { try editor.next() }
    }
  }
}

/// The proof that an output shows what was chosen: it must fail where it does not.
@Suite("The check of an output")
struct OutputCheckTests {
  /// Four frames of 3 x 3 pixels on those before; one of them may have another pixel, delay or palette.
  private static func image(
    changedPixel: Int? = nil, changedDelay: Int? = nil, plays: Int = 2
  ) throws -> GIFImage {
    var writer = GIFWriter(width: 3, height: 3, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    writer.loop(plays)
    for frame in 0..<4 {
      writer.graphicsControl(
        disposal: 1, delay: frame == changedDelay ? 9 : 5, transparent: frame == 0 ? nil : 0)
      let indices = (0..<9).map { place -> UInt8 in
        if place == 8, frame == changedPixel { return 3 }
        return frame == 0 ? 1 : place == frame ? 2 : 0
      }
      writer.image(width: 3, height: 3, indices: indices)
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  /// The error of the check of one image's edit against the output of another's.
  private static func error(of output: GIFImage, as image: GIFImage, _ frames: [Int]?) throws -> GIFEditError?
  {
    var edit = GIFEdit()
    edit.frames = frames
    let editor = try GIFEditor([image], edit)
    while try editor.next() != nil {}
    let other = try GIFImage(bytes: output.edited(edit))
    do throws(GIFEditError) {
      try editor.check(other)
      return nil
    } catch {
      return error
    }
  }

  /// All frames, a cut, one run backwards, one forwards and backwards, and one frame twice.
  private static let selections: [[Int]?] = [nil, [1, 2, 3], [3, 2, 1, 0], [0, 2, 1, 3], [2, 2]]

  @Test("Accepts what shows the same", arguments: selections)
  func same(frames: [Int]?) throws {
    #expect(try Self.error(of: Self.image(), as: Self.image(), frames) == nil)
  }

  @Test("Finds one pixel of one frame, and names the frame", arguments: selections)
  func pixel(frames: [Int]?) throws {
    let error = try Self.error(of: Self.image(changedPixel: 2), as: Self.image(), frames)
    // The pixel stays on the canvas: frame 3 shows it, too.
    let first = (frames ?? [0, 1, 2, 3]).first { $0 >= 2 }
    #expect(error?.code == .notExact && error?.frame == first)
  }

  /// What another program does to a frame: another code; another length, so that the output has other
  /// records; or an end within it.
  enum Change: CaseIterable {
    case code, length, end
  }

  @Test(
    "Names the input's frame that has changed since it was opened", arguments: [true, false],
    Change.allCases)
  func changedInput(verifiesCopies: Bool, change: Change) throws {
    let file = try StoredBytes(Self.image().fileBytes())
    let image = try GIFImage(source: file)
    var edit = GIFEdit()
    edit.loopCount = .forever
    let editor = try GIFEditor([image], edit)
    editor.verifiesCopies = verifiesCopies
    let start = image.frames[2].data.lowerBound
    switch change {
    case .code: file.bytes[start + 2] ^= 1
    case .length: file.bytes[start] ^= 1
    case .end: file.bytes.removeLast(file.bytes.count - start - 1)
    }
    let error = try #require(throws: GIFEditError.self) {
      var output: [UInt8] = []
      while let part = try editor.next() { output += part }
      #expect(!verifiesCopies && change != .end, "a copy was not verified")
      try editor.check(GIFImage(source: StoredBytes(output)))
    }
    #expect(error.code == .unreadable && error.reason?.code == .fileChanged && error.reason?.frame == 2)
    #expect(error.reason?.offset == image.frames[2].offset)
  }

  @Test("Finds a delay and a number of plays")
  func times() throws {
    let error = try Self.error(of: Self.image(changedDelay: 3), as: Self.image(), [1, 2, 3])
    #expect(error?.code == .notExact && error?.frame == 3)
    #expect(try Self.error(of: Self.image(plays: 3), as: Self.image(), nil)?.code == .notExact)
  }
}

/// Decodes the code stream of a frame that is larger than the canvas or has no area: keeps the visible
/// indices, checks and counts the rest.
///
/// Memory is bounded by the visible part and two tables, whatever the frame claims; ``LZWDecoder`` needs room
/// for all indices. Strings are chains of prefixes, so a string outside the canvas costs no more than its
/// code. The rules are those of ``LZWDecoder``.
struct CroppingLZWDecoder: Sendable {
  private var prefixes = [UInt16](repeating: 0, count: Self.codes)
  private var suffixes = [UInt8](repeating: 0, count: Self.codes)
  private var firsts = [UInt8](repeating: 0, count: Self.codes)
  private var lengths = [UInt16](repeating: 0, count: Self.codes)
  /// The string of one code, written from its end.
  private var string = [UInt8](repeating: 0, count: Self.codes)

  private static let codes = 4096
  /// Bytes of codes from one question to the next: at most some ten milliseconds of work.
  private static let askedEvery = 1 << 10

  /// Decodes into `plane`, which is ready for all indices of `window`.
  ///
  /// Time: the codes, and the indices in rows that have visible ones.
  mutating func decode(
    _ stream: borrowing CodeStream, codeSize: Int, window: inout CropWindow, into plane: inout IndexPlane,
    isCancelled: CancelQuestion = nil
  ) -> LZWOutcome {
    precondition(codeSize >= 0 && codeSize <= 8 && window.visibleCount <= plane.capacity)
    return run(stream, codeSize: codeSize, isCancelled) { code, length, decoder in
      var expanded: Int?
      return window.take(length) { part, place in
        let start = expanded ?? decoder.expand(code, length: length)
        expanded = start
        plane.copy(
          decoder.string.span.extracting(start + part.lowerBound..<start + part.upperBound), to: place)
      }
    }
  }

  /// Checks a stream without keeping any index: until `wanted` have come, or the stream ends.
  mutating func check(
    _ stream: borrowing CodeStream, codeSize: Int, wanted: Int64 = .max, isCancelled: CancelQuestion = nil
  ) -> LZWOutcome {
    var rest = wanted
    return run(stream, codeSize: codeSize, isCancelled) { _, length, _ in
      rest -= Int64(length)
      return rest > 0
    }
  }

  /// Reads codes and gives each string's code and length to `body`, until that returns false or the stream
  /// ends.
  private mutating func run(
    _ stream: borrowing CodeStream, codeSize: Int, _ isCancelled: CancelQuestion,
    _ body: (Int, Int, inout Self) -> Bool
  ) -> LZWOutcome {
    let clear = 1 << codeSize
    for literal in 0..<clear {
      suffixes[literal] = UInt8(literal)
      firsts[literal] = UInt8(literal)
      lengths[literal] = 1
    }
    var bits: UInt32 = 0
    var bitCount = 0
    var position = 0
    var width = codeSize + 1
    var next = clear + 1
    var previous: Int?
    while true {
      while bitCount < width {
        guard position < stream.count else { return .outOfData }
        bits |= UInt32(stream.bytes[position]) << UInt32(bitCount)
        position += 1
        bitCount += 8
        if position % Self.askedEvery == 0, let isCancelled, isCancelled() { return .cancelled }
      }
      let code = Int(bits & (1 << UInt32(width) - 1))
      bits >>= UInt32(width)
      bitCount -= width

      if code == clear + 1 { return .endOfInformation }
      if code == clear {
        width = codeSize + 1
        next = clear + 1
        previous = nil
        continue
      }
      // The entry at `next` becomes whole with the first index of the string that this code stands for.
      if let previous, next < Self.codes {
        guard code <= next else { return .invalidCode }
        prefixes[next] = UInt16(previous)
        lengths[next] = lengths[previous] + 1
        firsts[next] = firsts[previous]
        suffixes[next] = firsts[code]
      } else {
        guard code < (previous == nil ? clear : Self.codes) else { return .invalidCode }
      }
      guard body(code, Int(lengths[code]), &self) else { return .complete }
      if next < Self.codes {
        next += 1
        if next >= 1 << width, width < 12 { width += 1 }
      }
      previous = code
    }
  }

  /// Writes a code's string to the end of ``string`` and returns where it begins.
  private mutating func expand(_ code: Int, length: Int) -> Int {
    var code = code
    let start = Self.codes - length
    for place in (start..<Self.codes).reversed() {
      string[place] = suffixes[code]
      code = Int(prefixes[code])
    }
    return start
  }
}

/// Which indices of a frame are visible, in stored order: those of the rows and columns on the canvas.
///
/// A frame begins at or after the canvas's first row and column, so its visible rows and columns are the
/// first ones.
struct CropWindow: Sendable {
  private let width: Int
  private let visibleWidth: Int
  private let visibleHeight: Int
  private let passes: [(first: Int, step: Int, count: Int)]
  private var pass = 0
  private var rowOfPass = 0
  private var column = 0
  private var rest: Int64
  /// How many visible indices have come.
  private(set) var taken = 0

  var visibleCount: Int { visibleWidth * visibleHeight }
  /// Whether all indices of the frame have come, visible or not.
  var isFull: Bool { rest == 0 }

  init(_ rect: PixelRect, on canvas: PixelRect, isInterlaced: Bool) {
    precondition(!rect.isEmpty && rect.x >= 0 && rect.y >= 0)
    let visible = rect.intersection(canvas)
    width = rect.width
    visibleWidth = visible.width
    visibleHeight = visible.height
    passes = RowOrder(height: rect.height, isInterlaced: isInterlaced).passes
    rest = rect.area
  }

  /// Goes over the next `count` indices and gives `body` the visible ones among them: their place in the run
  /// and in the visible indices. False once the frame is full.
  mutating func take(_ count: Int, _ body: (Range<Int>, Int) -> Void) -> Bool {
    let count = Int(min(Int64(count), rest))
    var done = 0
    while done < count {
      let length = min(count - done, width - column)
      let shown = min(length, visibleWidth - column)
      if shown > 0, passes[pass].first + rowOfPass * passes[pass].step < visibleHeight {
        body(done..<done + shown, taken)
        taken += shown
      }
      done += length
      column += length
      if column == width { beginRow() }
    }
    rest -= Int64(count)
    return rest > 0
  }

  private mutating func beginRow() {
    column = 0
    rowOfPass += 1
    while pass < passes.count, rowOfPass == passes[pass].count {
      rowOfPass = 0
      pass += 1
    }
  }
}

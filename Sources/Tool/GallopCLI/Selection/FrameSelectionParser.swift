/// Why a selection of frames cannot be read.
struct FrameSelectionError: Error, CustomStringConvertible, Equatable {
  var description: String
}

/// Reads a ``FrameSelection``.
///
///     list     = range { "," range }
///     range    = position [ end ] [ ":" step ]
///     end      = "-" [ position ]      with a frame's number both ends belong to it, with a time it ends before it
///              | "..." [ position ]    with the end
///              | "..<" position        without the end
///              | ".."                  to the last frame
///     position = number | "-" number | time
///     time     = number [ "." digits ] ( "s" | "ms" )
struct FrameSelectionParser {
  private let text: String
  /// Whether it is the whole list, so that messages need not name it.
  private let isAlone: Bool
  private var rest: Substring

  static func ranges(
    of text: String, runsBackwards: Bool = false
  ) throws(FrameSelectionError) -> [FrameRange] {
    var ranges: [FrameRange] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard !item.isEmpty else {
        throw FrameSelectionError(
          description: text.isEmpty ? "it names no frame" : "there is nothing before or behind a comma")
      }
      var parser = Self(item, isAlone: item.utf8.count == text.utf8.count)
      ranges.append(try parser.range(runsBackwards: runsBackwards))
    }
    return ranges
  }

  private init(_ text: Substring, isAlone: Bool) {
    self.text = String(text)
    self.isAlone = isAlone
    rest = text
  }

  private mutating func range(runsBackwards: Bool) throws(FrameSelectionError) -> FrameRange {
    if text.hasPrefix("..") {
      let isPlain = text != ".." && !text.hasPrefix("...") && !text.hasPrefix("..<")
      throw fault("a range begins with a frame, such as 0\(isPlain ? "." : "")\(text)")
    }
    let first = try position()
    var range = FrameRange(text: text, first: first, end: .through(first))
    let isRange = try end(of: &range)
    if take(":") {
      guard isRange else { throw fault("a step belongs to a range, such as 0-:10") }
      range.step = try number("step")
      guard range.step > 0 else { throw fault("a step is at least 1") }
    }
    guard rest.isEmpty else { throw fault("'\(rest)' is left over") }
    range.runsBackwards = runsBackwards
    if isRange { try checkOrder(range) }
    return range
  }

  /// Reads what follows the first position; returns whether it is a range.
  private mutating func end(of range: inout FrameRange) throws(FrameSelectionError) -> Bool {
    if take("..<") {
      guard !isAtEnd else { throw fault("..< needs the end before which the range stops") }
      range.end = .before(try position())
    } else if take("...") {
      range.end = isAtEnd ? .none : .through(try position())
    } else if take("..") {
      guard isAtEnd else {
        let start = text.dropLast(rest.count + 2)
        throw fault(
          "it is not clear whether the end belongs to it: write \(start)...\(rest) with it, "
            + "or \(start)..<\(rest) without")
      }
      range.end = .none
    } else if take("-") {
      if isAtEnd {
        range.end = .none
      } else {
        let last = try position()
        if case .time = last { range.end = .before(last) } else { range.end = .through(last) }
      }
    } else {
      return false
    }
    return true
  }

  private var isAtEnd: Bool { rest.isEmpty || rest.first == ":" }

  private mutating func position() throws(FrameSelectionError) -> FramePosition {
    if take("-") {
      let number = try number("frame")
      guard number > 0 else { throw fault("-1 is the last frame; there is no -0") }
      guard rest.first != "s", !rest.hasPrefix("ms") else { throw fault("times count from the start") }
      return .fromEnd(number)
    }
    let whole = try number("frame")
    var nanoseconds = 0
    let isFraction = rest.first == "." && rest.dropFirst().first?.isASCIIDigit == true
    if isFraction {
      rest.removeFirst()
      let digits = takeDigits()
      // What is finer than a nanosecond is left out.
      nanoseconds = Int(digits.prefix(9) + String(repeating: "0", count: max(0, 9 - digits.count))) ?? 0
    }
    if take("ms") { return .time(.milliseconds(whole) + .nanoseconds(nanoseconds / 1000)) }
    if take("s") { return .time(.seconds(whole) + .nanoseconds(nanoseconds)) }
    guard !isFraction else { throw fault("a time has a unit, such as 1.5s or 250ms") }
    return .index(whole)
  }

  private mutating func number(_ kind: String) throws(FrameSelectionError) -> Int {
    let digits = takeDigits()
    guard !digits.isEmpty else {
      let found = rest.isEmpty ? "nothing" : "'\(rest)'"
      throw fault(
        "\(found) stands where a \(kind) is expected"
          + (kind == "frame" ? ": a number, -1 for the last, or a time such as 1.5s" : ""))
    }
    guard digits.count <= 9, let number = Int(digits) else { throw fault("a number has at most 9 digits") }
    return number
  }

  /// Refuses what cannot be a range of any animation.
  private func checkOrder(_ range: FrameRange) throws(FrameSelectionError) {
    let (last, isIncluded): (FramePosition, Bool)
    switch range.end {
    case .none: return
    case .through(let position): (last, isIncluded) = (position, true)
    case .before(let position): (last, isIncluded) = (position, false)
    }
    let (isAfter, isEmpty): (Bool, Bool)
    var isTime = false
    switch (range.first, last) {
    case (.index(let first), .index(let last)): (isAfter, isEmpty) = (first > last, first == last)
    case (.fromEnd(let first), .fromEnd(let last)): (isAfter, isEmpty) = (first < last, first == last)
    case (.time(let first), .time(let last)):
      (isAfter, isEmpty) = (first > last, first == last)
      isTime = range.runsBackwards
    default: return
    }
    if isAfter, !(range.runsBackwards && isIncluded || isTime) { throw fault("its start is after its end") }
    if isEmpty, !isIncluded { throw fault("it has no frames: it ends where it starts") }
  }

  private mutating func take(_ token: String) -> Bool {
    guard rest.hasPrefix(token) else { return false }
    rest = rest.dropFirst(token.count)
    return true
  }

  private mutating func takeDigits() -> Substring {
    let digits = rest.prefix(while: \.isASCIIDigit)
    rest = rest.dropFirst(digits.count)
    return digits
  }

  private func fault(_ reason: String) -> FrameSelectionError {
    FrameSelectionError(description: isAlone ? reason : "'\(text)': \(reason)")
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

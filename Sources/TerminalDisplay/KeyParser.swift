/// Turns the bytes a terminal sends into keys.
///
/// A pure value: bytes may come in any chunks, and the keys are the same for every chunking. Sequences that
/// mean no key (replies, mouse and focus reports, pasted strings' brackets) are swallowed whole and never
/// show up as characters.
///
/// A lone ESC is ambiguous, since it also begins sequences. While ``isPending`` is true and no more bytes
/// come for a while (some 50 ms), call ``flush()``.
public struct KeyParser: Hashable, Sendable {
  private enum State: Hashable {
    case ground
    case escape
    case scalar(ScalarDecoder, alternate: Bool)
    case control(ControlParameters)
    case singleShift
    /// `ESC [ [`, after which the Linux console names its first five function keys with a letter.
    case console
    /// The coordinates of an old-style mouse report.
    case mouse(remaining: Int)
    /// A string such as a reply; `introducer` is remembered until the second byte, as it may have been an Alt
    /// key.
    case string(introducer: UInt8, isEmpty: Bool, escaped: Bool)
  }

  private var state = State.ground

  /// Makes a parser that expects the beginning of a key.
  public init() {}

  /// Whether bytes were taken whose meaning is still open.
  public var isPending: Bool { state != .ground }

  /// Takes bytes.
  ///
  /// - Returns: the keys they completed, in order.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, into: &keys) }
    return keys
  }

  /// Settles what is pending, because nothing more came: a lone ESC is the escape key, `ESC [` was Alt-[, and
  /// any other unfinished sequence is dropped.
  public mutating func flush() -> [Key] {
    defer { state = .ground }
    switch state {
    case .escape: return [.escape]
    case .control(let parameters) where parameters.isEmpty: return [.alternate("[")]
    case .singleShift: return [.alternate("O")]
    case .string(let introducer, isEmpty: true, escaped: false):
      return [.alternate(Character(Unicode.Scalar(introducer)))]
    // The string was cut off, and this ESC came later: it is the key with which somebody tries to get out.
    case .string(_, _, escaped: true): return [.escape]
    default: return []
    }
  }

  private mutating func take(_ byte: UInt8, into keys: inout [Key]) {
    switch state {
    case .ground: begin(byte, alternate: false, into: &keys)
    case .escape: takeAfterEscape(byte, into: &keys)
    case .scalar(let decoder, let alternate): continueScalar(byte, decoder, alternate, into: &keys)
    case .control(let parameters): continueControl(byte, parameters, into: &keys)
    case .singleShift: finish(byte, into: &keys) { byte in Self.singleShiftKey(byte) }
    case .console:
      finish(byte, into: &keys) { (0x41...0x45).contains($0) ? .function(Int($0) - 0x40) : nil }
    case .mouse(let remaining): state = remaining > 1 ? .mouse(remaining: remaining - 1) : .ground
    case .string(let introducer, _, let escaped):
      continueString(byte, introducer: introducer, escaped: escaped, into: &keys)
    }
  }

  /// A byte that does not continue anything.
  private mutating func begin(_ byte: UInt8, alternate: Bool, into keys: inout [Key]) {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0x20 where !alternate: keys.append(.space)
    case 0x20...0x7E:
      let character = Character(Unicode.Scalar(byte))
      keys.append(alternate ? .alternate(character) : .character(character))
    case 0x80...: state = ScalarDecoder(first: byte).map { .scalar($0, alternate: alternate) } ?? .ground
    default: if let key = Key(control: byte) { keys.append(key) }
    }
  }

  private mutating func takeAfterEscape(_ byte: UInt8, into keys: inout [Key]) {
    switch byte {
    case 0x1B: keys.append(.escape)
    case UInt8(ascii: "["): state = .control(ControlParameters())
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string(introducer: byte, isEmpty: true, escaped: false)
    default: begin(byte, alternate: true, into: &keys)
    }
  }

  private mutating func continueScalar(
    _ byte: UInt8, _ decoder: ScalarDecoder, _ alternate: Bool, into keys: inout [Key]
  ) {
    var decoder = decoder
    switch decoder.take(byte) {
    case .incomplete: state = .scalar(decoder, alternate: alternate)
    case .invalid: begin(byte, alternate: false, into: &keys)
    case .complete(let scalar):
      state = .ground
      // U+0080...U+009F are controls too, and no keyboard types them.
      guard scalar.value >= 0xA0 else { return }
      keys.append(alternate ? .alternate(Character(scalar)) : .character(Character(scalar)))
    }
  }

  private mutating func continueControl(
    _ byte: UInt8, _ parameters: ControlParameters, into keys: inout [Key]
  ) {
    switch byte {
    case 0x20...0x3F:
      var parameters = parameters
      parameters.take(byte)
      state = .control(parameters)
    case UInt8(ascii: "[") where parameters.isEmpty: state = .console
    case UInt8(ascii: "M") where parameters.isEmpty: state = .mouse(remaining: 3)
    case 0x40...0x7E: finish(byte, into: &keys) { parameters.key(final: $0) }
    // A control or another script's letter: the sequence was cut off, and the key must not be lost with it.
    default: begin(byte, alternate: false, into: &keys)
    }
  }

  private mutating func continueString(
    _ byte: UInt8, introducer: UInt8, escaped: Bool, into keys: inout [Key]
  ) {
    switch (byte, escaped) {
    case (UInt8(ascii: "\\"), true): state = .ground
    // ESC inside a string ends it; anything but a backslash after it begins a sequence of its own.
    case (_, true):
      state = .escape
      takeAfterEscape(byte, into: &keys)
    case (0x1B, false): state = .string(introducer: introducer, isEmpty: false, escaped: true)
    case (0x07, false), (0x18, false), (0x1A, false): state = .ground
    default: state = .string(introducer: introducer, isEmpty: false, escaped: false)
    }
  }

  /// The last byte of a sequence; controls are not part of it and count for themselves.
  private mutating func finish(_ byte: UInt8, into keys: inout [Key], _ meaning: (UInt8) -> Key?) {
    guard (0x20...0x7E).contains(byte) else { return begin(byte, alternate: false, into: &keys) }
    state = .ground
    if let key = meaning(byte) { keys.append(key) }
  }

  private static func singleShiftKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "R"): .function(3)
    case UInt8(ascii: "M"): .enter
    default: Key(final: byte)
    }
  }
}

/// What stands between `CSI` and the final byte, as far as keys depend on it.
private struct ControlParameters: Hashable {
  /// The first number; it stops growing where no key could have it any more.
  private var number = 0
  private var isFirst = true
  /// A private marker (`<`, `=`, `>`, `?`) or an intermediate byte; no key has one.
  private var isForeign = false
  private(set) var isEmpty = true

  mutating func take(_ byte: UInt8) {
    isEmpty = false
    switch byte {
    case 0x30...0x39 where isFirst: number = min(number * 10 + Int(byte - 0x30), 9999)
    case 0x30...0x39: break
    case UInt8(ascii: ";"), UInt8(ascii: ":"): isFirst = false
    default: isForeign = true
    }
  }

  func key(final byte: UInt8) -> Key? {
    if isForeign { return nil }
    switch byte {
    case UInt8(ascii: "~"): return Key(number: number)
    case UInt8(ascii: "Z"): return .backTab
    // Named keys carry no number, or 1 in front of the modifiers; other numbers mark reports.
    default: return isEmpty || number == 1 ? Key(final: byte) : nil
    }
  }
}

/// Turns the bytes a terminal sends into keys, mouse reports, and answers to our questions.
///
/// A pure value: bytes may come in any chunks, and the outcome is the same for every chunking. Other
/// sequences (foreign answers, old-style mouse and focus reports, pasted strings' brackets) are swallowed
/// whole and never show up as characters.
///
/// A lone ESC is ambiguous, since it also begins sequences. While ``isPending`` is true and no more bytes
/// come for a while (some 50 ms), call ``flush()``.
public struct InputParser: Hashable, Sendable {
  /// A parsed item.
  public enum Item: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case mouse(MouseReport)
    /// The terminal answers a question.
    case reply(TerminalReply)
  }

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
    /// A string such as an answer. Before its second byte it may still be an Alt key.
    case string(TerminalString, escaped: Bool)
  }

  private var state = State.ground

  /// Creates a parser.
  public init() {}

  /// Whether there are incomplete bytes.
  public var isPending: Bool { state != .ground }

  /// Parses bytes.
  ///
  /// - Returns: the completed items, in order.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Item] {
    var items: [Item] = []
    for byte in bytes { take(byte, into: &items) }
    return items
  }

  /// Completes incomplete bytes: a lone ESC is the escape key, `ESC [` is Alt-[, and other sequences are
  /// dropped.
  public mutating func flush() -> [Item] {
    defer { state = .ground }
    switch state {
    case .escape: return [.key(.escape)]
    case .control(let parameters) where parameters.isEmpty: return [.key(.alternate("["))]
    case .singleShift: return [.key(.alternate("O"))]
    case .string(let string, escaped: false) where string.isEmpty:
      return [.key(.alternate(Character(Unicode.Scalar(string.introducer))))]
    // The string was cut off, so this later ESC is the escape key.
    case .string(_, escaped: true): return [.key(.escape)]
    default: return []
    }
  }

  private mutating func take(_ byte: UInt8, into items: inout [Item]) {
    switch state {
    case .ground: begin(byte, alternate: false, into: &items)
    case .escape: takeAfterEscape(byte, into: &items)
    case .scalar(let decoder, let alternate): continueScalar(byte, decoder, alternate, into: &items)
    case .control(let parameters): continueControl(byte, parameters, into: &items)
    case .singleShift: finish(byte, into: &items) { Self.singleShiftKey($0).map(Item.key) }
    case .console:
      finish(byte, into: &items) { (0x41...0x45).contains($0) ? .key(.function(Int($0) - 0x40)) : nil }
    case .mouse(let remaining): state = remaining > 1 ? .mouse(remaining: remaining - 1) : .ground
    case .string(let string, let escaped): continueString(byte, string, escaped: escaped, into: &items)
    }
  }

  /// Handles a byte that continues no sequence.
  private mutating func begin(_ byte: UInt8, alternate: Bool, into items: inout [Item]) {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0x20 where !alternate: items.append(.key(.space))
    case 0x20...0x7E:
      let character = Character(Unicode.Scalar(byte))
      items.append(.key(alternate ? .alternate(character) : .character(character)))
    case 0x80...: state = ScalarDecoder(first: byte).map { .scalar($0, alternate: alternate) } ?? .ground
    default: if let key = Key(control: byte) { items.append(.key(key)) }
    }
  }

  private mutating func takeAfterEscape(_ byte: UInt8, into items: inout [Item]) {
    switch byte {
    case 0x1B: items.append(.key(.escape))
    case UInt8(ascii: "["): state = .control(ControlParameters())
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string(TerminalString(introducer: byte), escaped: false)
    default: begin(byte, alternate: true, into: &items)
    }
  }

  private mutating func continueScalar(
    _ byte: UInt8, _ decoder: ScalarDecoder, _ alternate: Bool, into items: inout [Item]
  ) {
    var decoder = decoder
    switch decoder.take(byte) {
    case .incomplete: state = .scalar(decoder, alternate: alternate)
    case .invalid: begin(byte, alternate: false, into: &items)
    case .complete(let scalar):
      state = .ground
      // U+0080...U+009F are controls too, and no keyboard types them.
      guard scalar.value >= 0xA0 else { return }
      items.append(.key(alternate ? .alternate(Character(scalar)) : .character(Character(scalar))))
    }
  }

  private mutating func continueControl(
    _ byte: UInt8, _ parameters: ControlParameters, into items: inout [Item]
  ) {
    switch byte {
    case 0x20...0x3F:
      var parameters = parameters
      parameters.take(byte)
      state = .control(parameters)
    case UInt8(ascii: "[") where parameters.isEmpty: state = .console
    case UInt8(ascii: "M") where parameters.isEmpty: state = .mouse(remaining: 3)
    case 0x40...0x7E: finish(byte, into: &items) { parameters.item(final: $0) }
    // Another byte ends the sequence and counts as a key of its own.
    default: begin(byte, alternate: false, into: &items)
    }
  }

  private mutating func continueString(
    _ byte: UInt8, _ string: TerminalString, escaped: Bool, into items: inout [Item]
  ) {
    switch (byte, escaped) {
    case (UInt8(ascii: "\\"), true), (0x07, false):
      state = .ground
      if let reply = string.reply { items.append(.reply(reply)) }
    // ESC inside a string ends it; anything but a backslash after it begins a sequence of its own.
    case (_, true):
      state = .escape
      takeAfterEscape(byte, into: &items)
    case (0x1B, false): state = .string(string, escaped: true)
    case (0x18, false), (0x1A, false): state = .ground
    default:
      var string = string
      string.take(byte)
      state = .string(string, escaped: false)
    }
  }

  /// The last byte of a sequence; controls are not part of it and count for themselves.
  private mutating func finish(_ byte: UInt8, into items: inout [Item], _ meaning: (UInt8) -> Item?) {
    guard (0x20...0x7E).contains(byte) else { return begin(byte, alternate: false, into: &items) }
    state = .ground
    if let item = meaning(byte) { items.append(item) }
  }

  private static func singleShiftKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "R"): .function(3)
    case UInt8(ascii: "M"): .enter
    default: Key(final: byte)
    }
  }
}

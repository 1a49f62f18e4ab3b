public import GIFStage

/// An answer of the terminal to one of ``TerminalQuestions``.
public enum TerminalReply: Hashable, Sendable {
  /// The terminal's background colour (OSC 11).
  case background(Color)
  /// Whether it understands the kitty graphics protocol.
  case kittyGraphics(Bool)
  /// Whether it keeps a colour of 24 bits as it is (DECRQSS of SGR).
  case directColor(Bool)
  /// The size of a cell in pixels (CSI 16 t).
  case cell(TerminalCell)
  /// The size of the text area in pixels (CSI 14 t).
  case area(width: Int, height: Int)
  /// The primary device attributes (DA1), which every terminal answers; here the last answer.
  case attributes(hasSixel: Bool)
}

/// The questions that a terminal is asked.
public enum TerminalQuestions {
  /// The number of the image that the kitty question names; the answer repeats it.
  static let kittyImage = 31

  /// The bytes of the questions.
  ///
  /// DA1 comes last. As terminals answer in order, its answer means that no other is on its way.
  /// - Parameter isMultiplexed: whether tmux or GNU screen takes the bytes. Both show the kitty question as a
  ///   title, and screen hands device control strings on to the terminal around it.
  static func text(isMultiplexed: Bool) -> String {
    let kitty = "\u{1B}_Gi=\(kittyImage),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    // Sets a colour of 24 bits, asks for the one that is set, and resets it.
    let color = "\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
    return "\u{1B}]11;?\u{1B}\\" + (isMultiplexed ? "" : kitty + color) + "\u{1B}[16t\u{1B}[14t\u{1B}[c"
  }
}

/// What a terminal has answered so far.
public struct TerminalReplies: Hashable, Sendable {
  /// The background colour; nil if unknown.
  public internal(set) var background: Color?
  /// Whether it understands the kitty graphics protocol.
  public internal(set) var hasKittyGraphics = false
  /// Whether it has colours of 24 bits.
  public internal(set) var hasDirectColor = false
  /// Whether it shows sixels.
  public internal(set) var hasSixel = false
  /// The size of a cell; nil if unknown.
  public internal(set) var cell: TerminalCell?
  /// Whether the last answer has come.
  public internal(set) var isComplete = false

  /// Creates a record without answers.
  public init() {}

  /// Takes an answer.
  ///
  /// - Parameter size: the terminal's size in cells.
  mutating func take(_ reply: TerminalReply, size: TerminalSize) {
    switch reply {
    case .background(let color): background = color
    case .kittyGraphics(let isSupported): hasKittyGraphics = isSupported
    case .directColor(let isKept): hasDirectColor = isKept
    case .cell(let cell): self.cell = cell
    case .area(let width, let height):
      guard cell == nil, width > 0, height > 0 else { return }
      let sized = TerminalSize(
        columns: size.columns, rows: size.rows, pixelWidth: width, pixelHeight: height)
      cell = sized.cell
    case .attributes(let hasSixel):
      self.hasSixel = hasSixel
      isComplete = true
    }
  }
}

/// A string that a terminal sends, such as an answer; its beginning, as answers are short.
struct TerminalString: Hashable {
  private static let limit = 64

  /// The byte after ESC that begins it.
  let introducer: UInt8
  private(set) var isEmpty = true
  private var bytes: [UInt8] = []
  private var isTooLong = false

  init(introducer: UInt8) { self.introducer = introducer }

  mutating func take(_ byte: UInt8) {
    isEmpty = false
    if bytes.count < Self.limit { bytes.append(byte) } else { isTooLong = true }
  }

  /// The answer that the string is; nil for other strings.
  var reply: TerminalReply? {
    guard !isTooLong else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if introducer == UInt8(ascii: "P") {
      guard text.hasPrefix("1$r"), text.hasSuffix("m") else { return nil }
      return .directColor(text.hasSuffix("1:2:3m") || text.hasSuffix("1;2;3m"))
    }
    let parts = text.split(
      separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    switch introducer {
    case UInt8(ascii: "]") where parts[0] == "11":
      return Self.color(parts[1]).map { .background($0) }
    case UInt8(ascii: "_") where parts[0] == "Gi=\(TerminalQuestions.kittyImage)":
      return .kittyGraphics(parts[1] == "OK")
    default: return nil
    }
  }

  /// A colour as X11 writes it: `rgb:`, or `rgba:` with alpha, and 1 - 4 hexadecimal digits for each channel.
  private static func color(_ text: Substring) -> Color? {
    let form = text.split(separator: ":", omittingEmptySubsequences: false)
    guard form.count == 2, form[0] == "rgb" || form[0] == "rgba" else { return nil }
    let digits = form[1].split(separator: "/", omittingEmptySubsequences: false)
    guard digits.count == (form[0] == "rgb" ? 3 : 4) else { return nil }
    let channels = digits.compactMap { channel($0) }
    guard channels.count == digits.count else { return nil }
    return Color(red: channels[0], green: channels[1], blue: channels[2])
  }

  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: 16)
    else { return nil }
    let largest = (1 << (4 * digits.count)) - 1
    return UInt8((value * 255 + largest / 2) / largest)
  }
}

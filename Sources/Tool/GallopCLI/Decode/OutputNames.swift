/// The paths of one GIF's output: fixed text, the number of the frame, and that of the picture.
struct OutputNames: Hashable {
  enum Piece: Hashable {
    case text(String)
    /// The name of the GIF.
    case name
    /// The number of the frame in the GIF.
    case frame(NumberPadding)
    /// The number of the picture among all that the command writes.
    case index(NumberPadding)
  }

  private let pieces: [Piece]
  /// The path of a GIF's only picture; nil if its path has a number, too.
  private let single: [Piece]?
  /// Whether the folder of the path is made where it is not there: not for a path that the user gave in full.
  let makesFolder: Bool

  /// - Parameters:
  ///   - pieces: of the path.
  ///   - single: those of the path of an only picture, where that is another one.
  ///   - name: the GIF's.
  init(_ pieces: [Piece], single: [Piece]? = nil, name: String) {
    self.pieces = Self.resolved(pieces, name)
    self.single = single.map { Self.resolved($0, name) }
    makesFolder = pieces.contains { if case .text = $0 { false } else { true } }
  }

  /// Whether the path has the number of the frame.
  var hasFrame: Bool { pieces.contains { if case .frame = $0 { true } else { false } } }

  /// Whether every picture of the command has a path of its own.
  var hasIndex: Bool { pieces.contains { if case .index = $0 { true } else { false } } }

  /// - Parameter count: how many pictures the GIF has.
  func path(frame: Int, index: Int, of count: Int) -> String {
    (count == 1 ? single ?? pieces : pieces).map { piece in
      switch piece {
      case .text(let text): text
      case .name: ""
      case .frame(let format): format.text(frame)
      case .index(let format): format.text(index)
      }
    }.joined()
  }

  // MARK: The name of the GIF

  /// The largest number of bytes of a file's name, on all common file systems of Linux.
  static let nameBytes = 255

  /// The pieces with the GIF's name in its places, shortened where the name of a file or folder would be too
  /// long.
  private static func resolved(_ pieces: [Piece], _ name: String) -> [Piece] {
    var components: [[Piece]] = [[]]
    for piece in pieces {
      guard case .text(let text) = piece else {
        components[components.count - 1].append(piece)
        continue
      }
      // By scalars: a mark that combines with a slash hides it as a character.
      let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      for (place, part) in parts.enumerated() {
        if place > 0 { components.append([]) }
        if !part.isEmpty { components[components.count - 1].append(.text(String(part))) }
      }
    }
    return components.map { named($0, name) }.joined(separator: [.text("/")]).reduce(into: []) {
      whole, piece in
      if case .text(let text) = piece, case .text(let before) = whole.last {
        whole[whole.count - 1] = .text(before + text)
      } else {
        whole.append(piece)
      }
    }
  }

  /// A part of a path between slashes, with the GIF's name in it.
  private static func named(_ component: [Piece], _ name: String) -> [Piece] {
    let count = component.count { $0 == .name }
    guard count > 0 else { return component }
    // A file `...gif` must not lead to the folder above.
    let name = component.count == 1 && (name == "." || name == "..") ? "gif" : name
    let rest = component.reduce(0) { bytes, piece in
      switch piece {
      case .text(let text): bytes + NameText.bytes(text).count
      case .name: bytes
      case .frame(let format), .index(let format): bytes + format.largestWidth
      }
    }
    let text = shortened(name, to: max(1, (nameBytes - rest) / count))
    return component.map { $0 == .name ? .text(text) : $0 }
  }

  /// A name of at most `limit` bytes: its beginning, and what tells it from others that begin so.
  static func shortened(_ name: String, to limit: Int) -> String {
    let bytes = NameText.bytes(name)
    guard bytes.count > limit else { return name }
    let mark = "~" + MD5.digest(bytes).prefix(8)
    var room = max(0, limit - mark.utf8.count)
    let beginning = name.prefix { character in
      room -= NameText.bytes(String(character)).count
      return room >= 0
    }
    return beginning + mark
  }
}

/// How a number is written in a name.
struct NumberPadding: Hashable {
  /// The least number of digits.
  var digits: Int
  var padding: Character = "0"

  /// As in `NAME-0000.png`.
  static let standard = NumberPadding(digits: 4)

  /// The most characters that a number is expected to take.
  var largestWidth: Int { max(digits, 8) }

  func text(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: padding, count: max(0, digits - text.count)) + text
  }
}

internal import ArgumentParser

/// What `--output` names: text with places for the name of the GIF and for numbers.
///
/// `{name}` is the name of the GIF without `.gif`, `{frame}` the frame's number in it, and `{index}` counts
/// the pictures that a command writes. Numbers have at least four digits, `{frame:2}` at least two. As in C,
/// `%d` and `%03d` are the frame's number, too, and `%%` is then a percent sign.
struct OutputPattern {
  let pieces: [OutputNames.Piece]

  /// - Parameters:
  ///   - text: the pattern.
  ///   - folder: what stands before it and has no places, with its slash.
  ///   - takesPercent: whether `%d` has a meaning.
  /// - Throws: `ValidationError` where braces hold an unknown word.
  init(parsing text: String, in folder: String = "", takesPercent: Bool) throws {
    var pieces: [OutputNames.Piece] = []
    var rest = text[...]
    while let place = rest.firstIndex(of: "{") {
      let tail = rest[place...]
      guard let end = tail.firstIndex(of: "}"), let piece = try Self.piece(tail[...end]) else {
        pieces.append(.text(String(rest[...place])))
        rest = tail.dropFirst()
        continue
      }
      pieces += [.text(String(rest[..<place])), piece]
      rest = rest[tail.index(after: end)...]
    }
    pieces.append(.text(String(rest)))
    self.pieces = [.text(folder)] + (takesPercent ? Self.withPercent(pieces) ?? pieces : pieces)
  }

  /// Whether it has any place for a name or a number.
  var hasPlaces: Bool { pieces.contains { if case .text = $0 { false } else { true } } }

  /// Whether it has a place for the frame's number.
  var hasFrame: Bool { pieces.contains { if case .frame = $0 { true } else { false } } }

  /// Whether files of several GIFs get different paths, as far as these have different names.
  var hasName: Bool {
    pieces.contains { piece in
      switch piece {
      case .name, .index: true
      case .text, .frame: false
      }
    }
  }

  /// Whether it has a place for the frame's or the picture's number.
  var hasNumber: Bool {
    pieces.contains { piece in
      switch piece {
      case .frame, .index: true
      case .text, .name: false
      }
    }
  }

  /// The piece that braces stand for; nil where they are just text.
  private static func piece(_ braces: Substring) throws -> OutputNames.Piece? {
    let parts = braces.dropFirst().dropLast().split(separator: ":", omittingEmptySubsequences: false)
    guard let word = parts.first, !word.isEmpty, word.allSatisfy(\.isLetter), parts.count <= 2 else {
      return nil
    }
    let format = parts.count == 1 ? .standard : number(parts[1])
    switch (word, format) {
    case ("name", _) where parts.count == 1: return .name
    case ("frame", let format?): return .frame(format)
    case ("index", let format?): return .index(format)
    case ("frame", nil), ("index", nil):
      throw ValidationError("'\(braces)': behind the colon stands the least number of digits, 1 to 64.")
    default:
      throw ValidationError("'\(braces)' has no meaning: --output knows {name}, {frame} and {index}.")
    }
  }

  private static func number(_ text: Substring) -> NumberPadding? {
    guard text.allSatisfy({ "0123456789".contains($0) }), let digits = Int(text), (1...64).contains(digits)
    else {
      return nil
    }
    return NumberPadding(digits: digits)
  }

  /// The pieces with one `%d`, `%3d` or `%03d` as the frame's number; nil for any other use of percent signs.
  private static func withPercent(_ pieces: [OutputNames.Piece]) -> [OutputNames.Piece]? {
    var result: [OutputNames.Piece] = []
    var hasNumber = false
    for piece in pieces {
      guard case .text(let text) = piece else {
        result.append(piece)
        continue
      }
      var fixed = ""
      var rest = text[...]
      while let character = rest.popFirst() {
        if character != "%" {
          fixed.append(character)
        } else if rest.first == "%" {
          fixed.append(rest.removeFirst())
        } else {
          let width = rest.prefix { "0123456789".contains($0) }
          rest = rest.dropFirst(width.count)
          guard !hasNumber, width.count <= 3, rest.popFirst() == "d", Int(width) ?? 0 <= 64 else {
            return nil
          }
          result += [
            .text(fixed),
            .frame(NumberPadding(digits: Int(width) ?? 0, padding: width.hasPrefix("0") ? "0" : " ")),
          ]
          hasNumber = true
          fixed = ""
        }
      }
      result.append(.text(fixed))
    }
    return hasNumber ? result : nil
  }
}

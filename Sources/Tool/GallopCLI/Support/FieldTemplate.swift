/// A text with fields in braces, such as `{width}x{height} {path}`.
///
/// `{{` and `}}` stand for braces.
struct FieldTemplate<Field> {
  private enum Part {
    case text(String)
    case field(Field)
  }

  /// Why a text is no template.
  enum Fault: Error, Equatable {
    /// A brace has no partner; the text from it on.
    case openBrace(String)
    /// No field has this name.
    case unknownField(String)
  }

  private var parts: [Part] = []

  /// - Parameter field: the field of a name; nil if there is none.
  init(_ text: String, field: (String) -> Field?) throws(Fault) {
    var rest = text[...]
    var literal = ""
    while let character = rest.first {
      if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
        literal.append(character)
        rest = rest.dropFirst(2)
        continue
      }
      guard character == "{" else {
        guard character != "}" else { throw .openBrace(String(rest)) }
        literal.append(character)
        rest = rest.dropFirst()
        continue
      }
      guard let end = rest.firstIndex(of: "}") else { throw .openBrace(String(rest)) }
      let name = String(rest[rest.index(after: rest.startIndex)..<end])
      guard let found = field(name) else { throw .unknownField(name) }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      parts.append(.field(found))
      rest = rest[rest.index(after: end)...]
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
  }

  /// The fields in order.
  var fields: [Field] {
    parts.compactMap { if case .field(let field) = $0 { field } else { nil } }
  }

  /// The text with a value in the place of each field.
  func text(_ value: (Field) -> String) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .text(let literal): text += literal
      case .field(let field): text += value(field)
      }
    }
  }
}

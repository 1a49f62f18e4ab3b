internal import ArgumentParser

/// The fields of `info --format` and `info --sort`, named as in its JSON.
enum InfoField: String, CaseIterable {
  case path, name, width, height, frameCount, plays, loopsForever, durationMs, framesPerSecond, isComplete,
    bytes
  case version, warnings
  /// The result of `--flashes`, such as `passes`; a dash without it.
  case flashes

  /// A value, in the order of numbers or of the bytes of a text.
  enum Value: Comparable {
    /// There is none, such as the rate of a still.
    case none
    case number(Double)
    case text(String)
  }

  /// The names in a sentence.
  static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// What a name that is no field's may mean, as a part of a message.
  static func suggestion(for name: String) -> String {
    let meant = words.first { $0.words.contains(name.lowercased()) }?.field.rawValue
    guard let field = meant ?? Spelling.nearest(to: name, in: allCases.map(\.rawValue)) else {
      return "The fields are \(names)."
    }
    return "Did you mean '\(field)'?"
  }

  private static let words: [(field: InfoField, words: Set<String>)] = [
    (.path, ["file", "filename"]), (.name, ["basename", "title", "stem"]), (.bytes, ["size", "filesize"]),
    (.frameCount, ["frames", "count", "nframes"]), (.durationMs, ["duration", "time", "length", "ms"]),
    (.framesPerSecond, ["fps", "rate"]), (.plays, ["loops", "loop", "loopcount"]),
    (.warnings, ["diagnostics", "damage", "errors"]), (.isComplete, ["complete"]), (.width, ["w"]),
    (.height, ["h"]), (.loopsForever, ["forever", "endless"]),
  ]

  func value(of report: InfoReport) -> Value {
    switch self {
    case .path: .text(report.path)
    case .name: .text(OutputFile.baseName(of: report.path))
    case .width: .number(Double(report.width))
    case .height: .number(Double(report.height))
    case .frameCount: .number(Double(report.frameCount))
    case .plays:
      // Endless comes after every number.
      switch report.plays {
      case .forever: .number(.infinity)
      case .times(let count): .number(Double(count))
      }
    case .loopsForever: .number(report.loopsForever ? 1 : 0)
    case .durationMs: .number(Double(report.durationMs))
    case .framesPerSecond: report.framesPerSecond.map { .number($0) } ?? .none
    case .isComplete: .number(report.isComplete ? 1 : 0)
    case .bytes: .number(Double(report.bytes))
    case .version: .text(report.version)
    case .flashes: report.flashes.map { .text($0.result) } ?? .none
    case .warnings: .number(Double(report.diagnostics.count))
    }
  }

  /// The value as `--format` prints it; what there is not is a dash.
  func text(of report: InfoReport) -> String {
    switch self {
    case .plays:
      switch report.plays {
      case .forever: "forever"
      case .times(let count): "\(count)"
      }
    case .loopsForever: "\(report.loopsForever)"
    case .isComplete: "\(report.isComplete)"
    case .framesPerSecond: report.framesPerSecond.map { "\($0)" } ?? "-"
    default:
      switch value(of: report) {
      case .none: "-"
      case .number(let number): "\(Int(number))"
      case .text(let text): text
      }
    }
  }
}

/// The template of `info --format`.
struct InfoFormat {
  private let template: FieldTemplate<InfoField>

  /// - Parameter argument: a text with fields in braces; `\t`, `\n` and `\\` are a tab, a line break and a
  ///   backslash.
  /// - Throws: `ValidationError` that names the wrong field.
  init(argument: String) throws {
    do throws(FieldTemplate<InfoField>.Fault) {
      template = try FieldTemplate(Self.withoutEscapes(argument)) { InfoField(rawValue: $0) }
    } catch {
      switch error {
      case .unknownField(let name):
        throw ValidationError("--format knows no field '\(name)'. \(InfoField.suggestion(for: name))")
      case .openBrace(let text):
        throw ValidationError(
          "--format has a brace without a partner: '\(text)'. {{ and }} stand for braces.")
      }
    }
    guard !template.fields.isEmpty else {
      let hint = argument.lowercased() == "json" ? "--json prints JSON" : "as in '{width}x{height} {path}'"
      throw ValidationError(
        "--format takes a text with fields in braces, \(hint). They are \(InfoField.names).")
    }
  }

  /// Those that it prints, in their order.
  var fields: [InfoField] { template.fields }

  /// The line for a file, with its end.
  ///
  /// Names go to a terminal with what could command it escaped, and to programs as they are.
  func line(_ report: InfoReport, isForTerminal: Bool) -> [UInt8] {
    let line = template.text { field in
      let text = field.text(of: report)
      return isForTerminal ? Printable.text(text) : text
    }
    return NameText.bytes(line) + [UInt8(ascii: "\n")]
  }

  private static func withoutEscapes(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.first, let meant = ["t": "\t", "n": "\n", "\\": "\\"][next]
      else {
        result.append(character)
        continue
      }
      result += meant
      rest.removeFirst()
    }
    return result
  }
}

internal import Gallop

/// The warnings about a command's files: a line for each in a few files, a line for each kind in many.
struct Warnings {
  /// The largest number of files whose warnings are printed one by one.
  static let fewFiles = 10

  private struct Kind {
    let code: GIFDiagnostic.Code
    let message: String
    /// The first names.
    var names: [String] = []
    var lastName = ""
    var fileCount = 0
  }

  private let fileCount: Int
  private var kinds: [Kind] = []

  init(fileCount: Int) { self.fileCount = fileCount }

  /// The lines of one file, one for each kind of fault.
  static func lines(_ name: String, _ diagnostics: [GIFDiagnostic]) -> [String] {
    var firsts: [(first: GIFDiagnostic, count: Int)] = []
    for diagnostic in diagnostics {
      if let place = firsts.firstIndex(where: { $0.first.code == diagnostic.code }) {
        firsts[place].count += 1
      } else {
        firsts.append((diagnostic, 1))
      }
    }
    return firsts.map { first, count in
      "\(name): warning: \(first)" + (count > 1 ? ", and \(count - 1) more like it" : "")
    }
  }

  /// Adds a file's warnings; returns the lines to print at once.
  mutating func add(_ name: String, _ diagnostics: [GIFDiagnostic]) -> [String] {
    guard fileCount > Self.fewFiles else { return Self.lines(name, diagnostics) }
    var seen: Set<GIFDiagnostic.Code> = []
    for diagnostic in diagnostics where seen.insert(diagnostic.code).inserted {
      let place = kinds.firstIndex { $0.code == diagnostic.code } ?? kinds.endIndex
      if place == kinds.endIndex { kinds.append(Kind(code: diagnostic.code, message: diagnostic.message)) }
      // The faults of a file may come in several parts.
      if kinds[place].lastName == name { continue }
      kinds[place].lastName = name
      kinds[place].fileCount += 1
      if kinds[place].names.count < 3 { kinds[place].names.append(name) }
    }
    return []
  }

  /// The lines to print after the last file.
  var summary: [String] {
    kinds.map { kind in
      let rest = kind.fileCount - kind.names.count
      let names = kind.names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      return "warning: in \(kind.fileCount) of \(fileCount) files: \(kind.message): \(names)"
    }
  }
}

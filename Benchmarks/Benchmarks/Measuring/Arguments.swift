/// The arguments of a program that measures: whole numbers by name, `--name N`, and files.
package struct Arguments {
  private var numbers: [String: Int]
  package private(set) var files: [String] = []

  /// Reads arguments; nil where a name is none of `standard`, a number is no positive one, or no file is
  /// given.
  /// - Parameter standard: all names without dashes, with the numbers that hold where none is given.
  package init?(_ arguments: ArraySlice<String>, standard: [String: Int]) {
    numbers = standard
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        files.append(argument)
        continue
      }
      let name = String(argument.dropFirst(2))
      guard standard[name] != nil, let value = rest.popFirst().flatMap({ Int($0) }), value > 0 else {
        return nil
      }
      numbers[name] = value
    }
    guard !files.isEmpty else { return nil }
  }

  /// The number of a name; the name must be one of those that the program knows.
  package subscript(name: String) -> Int {
    guard let number = numbers[name] else { preconditionFailure("no argument --\(name)") }
    return number
  }
}

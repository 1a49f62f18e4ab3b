/// Operands that the argument parser does not see: its time grows with the square of their number.
///
/// Of a long run of operands the parser gets the first, among which a subcommand and an option's value may
/// be, and a token for the others. ``InputFiles`` puts these back.
struct HeldOperands {
  @TaskLocal static var current = HeldOperands()

  /// What the parser is given.
  private(set) var arguments: [String] = []
  private var runs: [[String]] = []

  /// How many operands of a run the parser gets itself.
  private static let shownCount = 16
  /// No argument of a process has this character.
  private static let mark: Character = "\0"

  init() {}

  init(_ arguments: [String]) {
    var run: [String] = []
    var hasEnded = false
    for argument in arguments {
      // Behind `--` there are operands alone.
      if argument.hasPrefix("-"), argument != InputFiles.standardInput, !hasEnded {
        hold(run)
        run = []
        hasEnded = argument == "--"
        self.arguments.append(argument)
      } else {
        run.append(argument)
      }
    }
    hold(run)
  }

  private mutating func hold(_ run: [String]) {
    guard run.count > Self.shownCount else {
      arguments += run
      return
    }
    arguments += run.prefix(Self.shownCount) + [Self.token(runs.count)]
    runs.append(Array(run.dropFirst(Self.shownCount)))
  }

  private static func token(_ place: Int) -> String { "\(mark)\(place)" }

  /// The operands with each token replaced by those that it stands for.
  func restored(_ operands: [String]) -> [String] {
    operands.flatMap { operand in
      guard operand.first == Self.mark, let place = Int(operand.dropFirst()) else { return [operand] }
      return runs[place]
    }
  }

  /// Whether a message quotes a token.
  static func areQuoted(in message: String) -> Bool { message.contains(mark) }
}

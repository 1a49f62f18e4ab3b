/// The word that a mistyped one may stand for.
enum Spelling {
  /// The nearest of some words, if it is near enough to be meant; nil otherwise.
  static func nearest(to word: String, in words: [String]) -> String? {
    let letters = Array(word)
    // A third of the letters may be wrong, but at least one, and both together need something in common.
    let limit = max(1, letters.count / 3)
    let rated = words.map { (word: $0, distance: distance(letters, Array($0))) }
    if let best = rated.min(by: { $0.distance < $1.distance }), best.distance <= limit { return best.word }
    // The beginning of one word alone.
    let begun = words.filter { letters.count >= 3 && $0.hasPrefix(word) }
    return begun.count == 1 ? begun[0] : nil
  }

  /// The least number of letters to add, remove, replace or swap with the next.
  static func distance(_ first: [Character], _ second: [Character]) -> Int {
    // Names are short; longer text is no misspelling of one.
    guard max(first.count, second.count) <= 64 else { return .max }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var next = [row + 1]
      for (column, other) in second.enumerated() {
        var best = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        next.append(best)
      }
      (beforeLast, last) = (last, next)
    }
    return last[second.count]
  }
}

package import GIFFlashes

/// A verdict on flashes in words.
package enum FlashText {
  /// What a GIF does that stands until there is a verdict: on a busy machine for seconds.
  package static let checking = "checking flashes"

  /// What became of a GIF that fails, and why; nil where it plays as asked.
  package static func state(_ state: FlashState) -> String? { states(state).first }

  /// The same in ever fewer words, for where there is little room; empty where it plays as asked.
  package static func states(_ state: FlashState) -> [String] {
    switch state {
    case .unjudged, .judging, .passes: return []
    case .warned(let report): return [reason(report), "flashes"]
    case .slowed(let rate, let report):
      let slowed = "slowed to \(NumberFormat.decimal(rate, places: 2))x"
      return ["\(slowed): \(reason(report))", "\(slowed): flashes", slowed]
    case .held(let report?): return ["held: \(reason(report))", "held: flashes", "held"]
    case .held(nil): return ["held: cannot be checked for flashes", "held: not checked", "held"]
    }
  }

  /// What a picture that plays in spite of its flashes says in its corner, in ever fewer words; empty on
  /// others.
  package static func remark(_ state: FlashState) -> [String] {
    switch state {
    case .warned, .slowed: states(state).map(capitalized)
    case .unjudged, .judging, .passes, .held: []
    }
  }

  /// The lines on a picture that is held; empty on others.
  ///
  /// - Parameter isAlone: whether the space key is for it, and not for all of a wall.
  package static func notice(_ state: FlashState, isAlone: Bool) -> [String] {
    guard case .held(let report) = state else { return [] }
    return [
      report.map { capitalized(reason($0)) } ?? "Cannot be checked for flashes",
      isAlone ? "Click or space plays it" : "Click plays it",
    ]
  }

  /// The notice in a word, for where there is little room.
  package static func shortNotice(_ state: FlashState) -> String {
    if case .held(nil) = state { "Not checked" } else { "Flashes" }
  }

  private static func reason(_ report: FlashReport) -> String {
    report.failsOnlyBesideOthers ? "flashes too much beside other GIFs" : "flashes more than 3 times a second"
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

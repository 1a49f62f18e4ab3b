internal import Gallop

extension InfoReport {
  /// Whether the GIF flashes too much, with the second in which it does.
  struct Flashes: Encodable {
    struct Peak: Encodable {
      var perSecond: Double
      var fromMs: Int
      /// The first and the last frame.
      var frames: [Int]
      var fieldShare: Double

      init(_ peak: FlashReport.Peak) {
        perSecond = peak.flashesPerSecond
        fromMs = peak.start.wholeMilliseconds
        frames = [peak.firstFrame, peak.lastFrame]
        fieldShare = peak.fieldShare.rounded(to: 3)
      }

      /// - Parameter kind: `general` or `red`.
      func text(_ kind: String) -> String {
        let count = perSecond == perSecond.rounded() ? "\(Int(perSecond))" : "\(perSecond)"
        // The second may begin in one play and end in the next.
        let seam = frames[0] > frames[1] ? " of the next play" : ""
        return "\(count) \(kind) flashes in the second from \(seconds(fromMs)) "
          + "(frames \(frames[0]) - \(frames[1])\(seam)), \(Int((fieldShare * 100).rounded())) % of a 10 degree field"
      }
    }

    /// `wcag` or `iris`.
    var rule = FlashRule.wcag.rawValue
    /// `passes`, `fails` or `unknown`; of IRIS, also `warns` and `failsExtended`.
    var result: String
    var general: Peak?
    var red: Peak?
    var safeRate: Double?
    /// Width and height.
    var safeSize: [Int]?
    var decoded: Bool

    init(_ report: FlashReport) {
      result = report.result.rawValue
      general = report.general.map(Peak.init)
      red = report.red.map(Peak.init)
      // Rounded down: what is printed passes.
      safeRate = report.safeRate.map { ($0 * 1000).rounded(.down) / 1000 }
      safeSize = report.safeSize.map { [$0.width, $0.height] }
      decoded = report.isDecoded
    }

    init(_ verdict: IrisVerdict) {
      rule = FlashRule.iris.rawValue
      result = verdict.name
      decoded = true
    }

    var fails: Bool { result.hasPrefix(FlashReport.Result.fails.rawValue) }

    /// The lines of the table.
    var lines: [String] {
      if rule == FlashRule.iris.rawValue { return ["\(result), by the rule of IRIS"] }
      if result == FlashReport.Result.unknown.rawValue {
        return ["unknown: what was read passes WCAG 2.3.1"]
      }
      let verdict = "\(result) WCAG 2.3.1"
      guard fails else { return [verdict + (decoded ? "" : " (by the number or size of its changes)")] }
      let kinds = [general?.text("general"), red?.text("red")].compactMap(\.self)
      let passing = red == nil ? "; red ones pass" : general == nil ? "; general ones pass" : ""
      let safe = [
        safeRate.map { "at \($0)x" }, safeSize.map { "at up to \($0[0]) x \($0[1])" },
      ].compactMap(\.self)
      return ["\(verdict): \(kinds.joined(separator: "; "))\(passing)"]
        + (safe.isEmpty ? [] : ["passes " + safe.joined(separator: ", or ")])
    }
  }
}

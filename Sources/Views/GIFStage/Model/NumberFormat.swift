/// Formatting of numbers for captions.
package enum NumberFormat {
  /// A number with a fixed number of decimals.
  package static func decimal(_ value: Double, places: Int) -> String {
    var power = 1
    for _ in 0..<places { power *= 10 }
    let bounded = min(1e12, max(-1e12, value.isNaN ? 0 : value))
    let scaled = Int((bounded * Double(power)).rounded())
    let sign = scaled < 0 ? "-" : ""
    guard places > 0 else { return "\(scaled)" }
    let fraction = String(scaled.magnitude % UInt(power))
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(sign)\(scaled.magnitude / UInt(power)).\(zeros)\(fraction)"
  }

  /// A time as minutes, seconds and hundredths.
  package static func time(milliseconds: Int) -> String {
    let hundredths = max(0, milliseconds) / 10
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(hundredths / 6000):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
  }

  /// A size in the largest unit that leaves a number before the point.
  package static func bytes(_ count: Int64) -> String {
    if count < 1000 { return "\(count) B" }
    if count < 1_000_000 { return decimal(Double(count) / 1000, places: 1) + " KB" }
    return decimal(Double(count) / 1_000_000, places: 1) + " MB"
  }
}

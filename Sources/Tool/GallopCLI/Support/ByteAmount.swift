internal import ArgumentParser

/// A number on the command line: plain, or with K, M, G or T for powers of 1024, as in `64M`, `64MB` and
/// `1.5GiB`.
struct ByteAmount: ExpressibleByArgument, CustomStringConvertible, Equatable {
  var bytes: Int64

  private static let units: [(name: Character, bytes: Int64)] = [
    ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]

  init(bytes: some BinaryInteger) { self.bytes = Int64(clamping: bytes) }

  init?(argument: String) {
    var text = argument.uppercased()[...]
    let digits = text.prefix { "0123456789.".contains($0) }
    if let name = text.dropFirst(digits.count).first, let unit = Self.units.first(where: { $0.name == name })
    {
      guard ["", "B", "IB"].contains(text.dropFirst(digits.count + 1)), let number = Double(digits),
        let bytes = Int64(exactly: (number * Double(unit.bytes)).rounded())
      else { return nil }
      self.bytes = bytes
      return
    }
    if text.hasSuffix("B") { text.removeLast() }
    guard let number = Int64(text), number >= 0 else { return nil }
    bytes = number
  }

  var description: String {
    guard bytes > 0, let unit = Self.units.first(where: { bytes % $0.bytes == 0 }) else { return "\(bytes)" }
    return "\(bytes / unit.bytes)\(unit.name)"
  }

  var defaultValueDescription: String { description }
}

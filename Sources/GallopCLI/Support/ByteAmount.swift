internal import ArgumentParser

/// A number on the command line: plain, or with K, M or G for powers of 1024.
struct ByteAmount: ExpressibleByArgument, CustomStringConvertible, Equatable {
  var bytes: Int64

  private static let units: [(name: Character, bytes: Int64)] = [
    ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]

  init(bytes: some BinaryInteger) { self.bytes = Int64(clamping: bytes) }

  init?(argument: String) {
    let last = argument.uppercased().last
    let unit = Self.units.first { $0.name == last }?.bytes
    guard let number = Int64(unit == nil ? argument[...] : argument.dropLast()), number >= 0,
      case (let bytes, false) = number.multipliedReportingOverflow(by: unit ?? 1)
    else { return nil }
    self.bytes = bytes
  }

  var description: String {
    guard bytes > 0, let unit = Self.units.first(where: { bytes % $0.bytes == 0 }) else { return "\(bytes)" }
    return "\(bytes / unit.bytes)\(unit.name)"
  }

  var defaultValueDescription: String { description }
}

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Values as JSON, one line each, keys in alphabetical order.
enum JSONLine {
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = Array(try encoder.encode(value))
    line.append(UInt8(ascii: "\n"))
    return line
  }

  static func print(_ value: some Encodable) throws {
    try OutputDescriptor.standardOutput.write(encode(value))
  }
}

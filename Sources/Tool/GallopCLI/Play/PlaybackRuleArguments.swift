public import ArgumentParser
public import GIFDecoding
public import GIFFlashes
public import GIFTimeline
internal import Gallop

// The names of policies on the command line.

extension DelayPolicy: ExpressibleByArgument {
  /// `browser`, `encoded`, `minimum:MS` or `constant:MS`.
  public init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1)
    let milliseconds =
      parts.count == 2 ? Int(parts[1]).flatMap { (0...86_400_000).contains($0) ? $0 : nil } : nil
    switch (parts.first, milliseconds) {
    case ("browser", nil) where parts.count == 1: self = .browser
    case ("encoded", nil) where parts.count == 1: self = .encoded
    case ("minimum", let milliseconds?): self = .minimum(.milliseconds(milliseconds))
    case ("constant", let milliseconds?): self = .constant(.milliseconds(milliseconds))
    default: return nil
    }
  }

  public var defaultValueDescription: String { "browser" }
}

extension LatePolicy: ExpressibleByArgument {
  /// `skip`, `wait`, or `catch-up:N`.
  public init?(argument: String) {
    switch argument {
    case "skip": self = .skip
    case "wait": self = .wait
    default:
      guard argument.hasPrefix("catch-up:"), let count = Int(argument.dropFirst(9)), count >= 0 else {
        return nil
      }
      self = .catchUp(max: count)
    }
  }

  public var defaultValueDescription: String { "skip" }
}

extension FlashPolicy: ExpressibleByArgument {}

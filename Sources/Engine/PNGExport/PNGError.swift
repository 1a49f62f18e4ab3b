/// The reason that pixels cannot be written as a PNG file, in one sentence without a full stop.
public struct PNGError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ reason: String) { description = "no PNG can be written: " + reason }
}

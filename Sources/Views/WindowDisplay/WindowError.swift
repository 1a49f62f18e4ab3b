/// The reason that a window cannot be opened or drawn, in one line.
public struct WindowError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

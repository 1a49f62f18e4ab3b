/// The reason that pixels cannot be written as a PNG file.
public struct PNGError: Error, Sendable, Hashable {
  /// The kind of fault. The set is open: a `switch` over it needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// libspng is not installed or too old.
    public static let noEncoder = Code(rawValue: "noEncoder")
    /// The picture has no pixels, which no PNG file can say.
    public static let emptyPicture = Code(rawValue: "emptyPicture")
    /// libspng gives up, mostly for want of memory.
    public static let failed = Code(rawValue: "failed")
  }

  /// The kind of fault.
  public let code: Code
  /// What libspng says, if it is the one that gives up.
  let detail: String?

  init(_ code: Code, detail: String? = nil) {
    self.code = code
    self.detail = detail
  }
}

extension PNGError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch code {
    case .noEncoder: "no PNG can be written: libspng.so.0 is not installed or too old"
    case .emptyPicture: "no PNG can be written: the picture has no pixels"
    default: "no PNG can be written" + (detail.map { ": \($0)" } ?? "")
    }
  }
}

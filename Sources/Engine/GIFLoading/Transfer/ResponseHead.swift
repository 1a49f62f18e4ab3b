/// The head of an HTTP answer, parsed line by line.
struct ResponseHead {
  /// The status of the last answer; 0 before the first status line.
  private(set) var status = 0
  /// The target of a redirect.
  private(set) var location: String?
  /// Whether the last head is whole; interim answers (1xx) do not count.
  private(set) var isWhole = false

  private var length: Int64?
  private var isEncoded = false

  /// Whether a content coding is unknown to browsers, which ignore it.
  private(set) var hasUnknownCoding = false

  private static let knownCodings: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br", "zstd"]

  /// The announced length of the file; nil with a content or transfer coding.
  var announcedLength: Int64? { isEncoded ? nil : length }

  /// Parses a line, with or without its line break; lines after a whole head (trailers) are ignored.
  mutating func consume(_ line: some Collection<UInt8>) {
    guard !isWhole else { return }
    let text = String(decoding: line, as: UTF8.self).trimmingASCIIWhitespace
    if text.hasPrefix("HTTP/") {
      self = ResponseHead()
      let fields = text.utf8.split(separator: UInt8(ascii: " "))
      status = Int(fields.dropFirst().first.flatMap { ASCII.number($0) } ?? 0)
    } else if text.isEmpty {
      isWhole = status >= 200
    } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      field(text[..<colon].lowercased(), text[text.utf8.index(after: colon)...].trimmingASCIIWhitespace)
    }
  }

  private mutating func field(_ name: String, _ value: Substring) {
    switch name {
    case "location": location = String(value)
    case "content-length": length = ASCII.number(value.utf8)
    case "transfer-encoding": isEncoded = true
    case "content-encoding": codings(value.lowercased())
    default: break
    }
  }

  private mutating func codings(_ list: String) {
    for part in list.split(separator: ",") {
      let name = part.trimmingASCIIWhitespace
      isEncoded = isEncoded || name != "identity"
      hasUnknownCoding = hasUnknownCoding || !Self.knownCodings.contains(String(name))
    }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Without ASCII white space at both ends.
  fileprivate var trimmingASCIIWhitespace: Substring {
    var rest = self[...]
    while let first = rest.utf8.first, ASCII.isWhitespace(first) { rest = rest.dropFirst() }
    while let last = rest.utf8.last, ASCII.isWhitespace(last) { rest = rest.dropLast() }
    return rest
  }
}

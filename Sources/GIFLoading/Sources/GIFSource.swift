/// Where a GIF comes from: a file, the web, or a URL that holds the file itself.
///
/// Parsing is pure: nothing is opened or asked for.
public enum GIFSource: Sendable, Hashable {
  case file(path: String)
  case web(WebAddress)
  case data(DataURL)

  /// Reads what users type: a path, or a `file:`, `http:`, `https:` or `data:` URL.
  ///
  /// Schemes are read in any case. Another scheme is an error where `//` follows it; without that it is a path,
  /// since file names may hold colons. A path that begins with `./` or `/` is never taken for a URL. As in browsers,
  /// spaces and controls around a URL count nothing, nor do tabs and line breaks in it; those of a path are kept.
  /// - Throws: ``GIFLoadingError`` of the stage ``GIFLoadingError/Stage/parsing``.
  public init(_ text: String) throws(GIFLoadingError) {
    let url = Self.trimmed(text)
    guard let scheme = Self.scheme(of: url) else {
      self = .file(path: text)
      return
    }
    switch scheme {
    case "http", "https":
      self = .web(try WebAddress(url))
    case "data":
      self = .data(try DataURL(url))
    case "file":
      self = .file(path: try Self.path(ofFileURL: url))
    default:
      guard url.utf8.dropFirst(scheme.utf8.count + 1).starts(with: "//".utf8) else {
        self = .file(path: text)
        return
      }
      throw GIFLoadingError(
        .parsing, .unsupportedScheme, source: scheme + "://…",
        detail: "'\(scheme)' is not one of file, http, https and data")
    }
  }

  /// A URL without what browsers leave out before they read it (WHATWG URL, "basic URL parser", 1 to 3).
  static func trimmed(_ text: String) -> String {
    var rest = text.utf8[...]
    while let first = rest.first, first <= 0x20 { rest.removeFirst() }
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
    let isLeftOut: (UInt8) -> Bool = { [0x09, 0x0A, 0x0D].contains($0) }
    guard rest.contains(where: isLeftOut) else { return String(Substring(rest)) }
    return String(decoding: rest.filter { !isLeftOut($0) }, as: UTF8.self)
  }

  /// A text in which every `://user:password@` has become `://`, for messages.
  ///
  /// Also a path is shown so: it may be a URL with a typing error, and its password is one all the same.
  package static func withoutCredentials(_ text: String) -> String {
    var shown = ""
    var rest = text[...]
    while let start = rest.utf8.firstRange(of: "://".utf8)?.upperBound {
      shown += rest[..<start]
      rest = rest[start...]
      let authority = rest.utf8.prefix { !"/?#".utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) { rest = rest[rest.utf8.index(after: at)...] }
    }
    return shown + rest
  }

  /// What stands before the first colon, in lower case, if it can be a scheme (RFC 3986, 3.1).
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text.utf8[..<colon]
    guard let first = name.first, ASCII.isLetter(first),
      name.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return text[..<colon].lowercased()
  }

  /// `file:///path`, `file://localhost/path` or `file:/path`; a query or fragment is no part of the path.
  private static func path(ofFileURL text: String) throws(GIFLoadingError) -> String {
    var rest = text.utf8.dropFirst("file:".utf8.count)
    rest = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      guard host.isEmpty || String(host)?.lowercased() == "localhost" else {
        throw malformed(text, "it names another machine")
      }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == UInt8(ascii: "/") else { throw malformed(text, "it has no absolute path") }
    let bytes = Array(PercentDecoding(rest))
    guard !bytes.contains(0) else { throw malformed(text, "its path holds a zero byte") }
    guard let path = String(validating: bytes, as: UTF8.self) else {
      throw malformed(text, "its path is not UTF-8")
    }
    return path
  }

  private static func malformed(_ text: String, _ detail: String) -> GIFLoadingError {
    GIFLoadingError(.parsing, .malformedURL, source: withoutCredentials(text), detail: detail)
  }
}

extension GIFSource: CustomStringConvertible {
  /// For messages: without credentials, and without the contents of a `data:` URL.
  public var description: String {
    switch self {
    case .file(let path): Self.withoutCredentials(path)
    case .web(let address): address.description
    case .data(let url): url.description
    }
  }

  /// The last part of the path without its `.gif`, to name outputs after; `data` for a `data:` URL.
  public var baseName: String {
    let path =
      switch self {
      case .file(let path): Self.withoutCredentials(path)[...]
      case .web(let address): address.path
      case .data: "data"[...]
      }
    var name = path.split(separator: "/").last.map(String.init) ?? String(path)
    if name.lowercased().hasSuffix(".gif") { name.removeLast(4) }
    return name.isEmpty || name == "/" ? "gif" : name
  }
}

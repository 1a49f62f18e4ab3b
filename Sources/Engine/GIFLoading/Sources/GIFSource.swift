/// The place of a GIF: a file, or a URL.
///
/// Parsing is pure: no file is opened and no request is sent.
public struct GIFSource: Sendable, Hashable {
  /// The kinds of places.
  package enum Kind: Sendable, Hashable {
    case file(path: String)
    case web(WebAddress)
    case data(DataURL)
  }

  package let kind: Kind

  private init(kind: Kind) { self.kind = kind }

  /// The file at a path.
  public static func file(path: String) -> GIFSource { GIFSource(kind: .file(path: path)) }

  /// Parses what users type: a path, or a `file:`, `http:`, `https:` or `data:` URL.
  ///
  /// Schemes are read in any case. Another scheme before `//` is an error; without `//` the text is a path,
  /// as file names may contain colons. A path that begins with `./` or `/` is never a URL. As in browsers,
  /// spaces and controls around a URL are ignored, and so are tabs and line breaks inside it; those of a path
  /// are kept.
  /// - Throws: ``GIFLoadingError`` for a malformed URL or an unsupported scheme.
  public init(_ text: String) throws(GIFLoadingError) {
    let url = Self.trimmed(text)
    guard let scheme = Self.scheme(of: url) else {
      self = .file(path: text)
      return
    }
    switch scheme {
    case "http", "https":
      kind = .web(try WebAddress(url))
    case "data":
      kind = .data(try DataURL(url))
    case "file":
      kind = .file(path: try Self.path(ofFileURL: url))
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

  /// Parses a URL; a path is an error.
  init(url text: String) throws(GIFLoadingError) {
    self = try GIFSource(text)
    if case .file = kind, Self.scheme(of: Self.trimmed(text)) != "file" {
      throw Self.malformed(text, "it has no scheme; a path opens with contentsOfFile")
    }
  }

  /// The path of a file; nil for other URLs.
  public var path: String? {
    if case .file(let path) = kind { return path }
    return nil
  }

  /// The URL with its credentials, for a transport; nil for a file.
  public var url: String? {
    switch kind {
    case .file: nil
    case .web(let address): address.requestText
    case .data(let url): url.text
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

  /// A text with `://` for every `://user:password@`, for messages.
  ///
  /// This applies to paths, too, as a path may be a mistyped URL with a password.
  package static func withoutCredentials(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
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

  /// The text before the first colon, in lower case, if it can be a scheme (RFC 3986, 3.1).
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text.utf8[..<colon]
    guard let first = name.first, ASCII.isLetter(first),
      name.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return text[..<colon].lowercased()
  }

  /// The path of `file:///path`, `file://localhost/path` or `file:/path`, without a query or fragment.
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
  /// The path or URL for messages, without credentials; only the beginning of a `data:` URL.
  public var description: String {
    switch kind {
    case .file(let path): Self.withoutCredentials(path)
    case .web(let address): address.description
    case .data(let url): url.description
    }
  }

  /// The last part of the path without its `.gif`, as a name for outputs; `data` for a `data:` URL.
  package var baseName: String {
    let path =
      switch kind {
      case .file(let path): Self.withoutCredentials(path)[...]
      case .web(let address): address.path
      case .data: "data"[...]
      }
    // By scalars: a mark that combines with a slash hides it as a character.
    var name = path.unicodeScalars.split(separator: "/").last.map(String.init) ?? String(path)
    if name.lowercased().hasSuffix(".gif") { name.removeLast(4) }
    return name.isEmpty || name == "/" ? "gif" : name
  }
}

/// An `http:` or `https:` URL, checked and ready to be asked for.
///
/// Read as browsers read it (WHATWG URL) as far as loading a picture needs: spaces and bytes beyond ASCII in path and
/// query are escaped, the fragment is left out. Names beyond ASCII are left to the resolver.
public struct WebAddress: Sendable, Hashable {
  /// `https`.
  public let isSecure: Bool
  /// In lower case; an IPv6 address with its brackets.
  public let host: String
  /// The port, given or the scheme's own.
  public let port: Int
  /// `user:password`, as it stands in the URL.
  private let credentials: String?
  /// Path and query, beginning with a slash.
  let target: String

  /// - Throws: ``GIFLoadingError`` of the stage ``GIFLoadingError/Stage/parsing`` where `text` is no http(s) URL with a
  ///   host and a valid port.
  init(_ text: String) throws(GIFLoadingError) {
    let scheme = GIFSource.scheme(of: text) ?? ""
    isSecure = scheme == "https"
    let shown = scheme + "://…"
    guard isSecure || scheme == "http" else {
      throw GIFLoadingError(.parsing, .unsupportedScheme, source: shown, detail: "it is not http or https")
    }
    var rest = text.utf8.dropFirst(scheme.utf8.count + 1)
    guard rest.starts(with: "//".utf8) else { throw Self.malformed(shown, "it has no //") }
    rest = rest.dropFirst(2)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    rest = rest.dropFirst(authority.count).prefix { $0 != UInt8(ascii: "#") }
    (credentials, host, port) = try Self.parse(authority, isSecure: isSecure, shown: shown)
    target = (rest.first == UInt8(ascii: "/") ? "" : "/") + Self.escaped(rest)
  }

  private static func parse(
    _ authority: Substring.UTF8View, isSecure: Bool, shown: String
  ) throws(GIFLoadingError) -> (credentials: String?, host: String, port: Int) {
    var hostAndPort = authority
    var credentials: String?
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      credentials = escaped(authority[..<at])
      hostAndPort = authority[authority.index(after: at)...]
    }
    var host = hostAndPort.prefix { $0 != UInt8(ascii: ":") }
    if hostAndPort.first == UInt8(ascii: "[") {
      guard let end = hostAndPort.firstIndex(of: UInt8(ascii: "]")) else {
        throw malformed(shown, "its address has no closing bracket")
      }
      host = hostAndPort[...end]
      let inside = host.dropFirst().dropLast()
      guard !inside.isEmpty, inside.allSatisfy({ ASCII.hexValue($0) != nil || ":.".utf8.contains($0) }) else {
        throw malformed(shown, "its address is no IPv6 address")
      }
    } else {
      guard !host.isEmpty else { throw malformed(shown, "it has no host") }
      guard !host.contains(where: { $0 <= 0x20 || $0 == 0x7F || forbiddenInHost.contains($0) }) else {
        throw malformed(shown, "its host holds a character that no host has")
      }
    }
    let portText = hostAndPort[host.endIndex...]
    var port: Int64 = isSecure ? 443 : 80
    if portText.count > 1 {
      guard portText.first == UInt8(ascii: ":"), let number = ASCII.number(portText.dropFirst()),
        (1...65_535).contains(number)
      else { throw malformed(shown, "its port is not a number from 1 to 65535") }
      port = number
    } else if let only = portText.first, only != UInt8(ascii: ":") {
      throw malformed(shown, "its port is not a number from 1 to 65535")
    }
    return (credentials, Substring(host).lowercased(), Int(port))
  }

  /// WHATWG URL, "forbidden domain code point", without controls and spaces.
  private static let forbiddenInHost = Array("#%/<>?@[\\]^`{|}\":".utf8)

  /// Bytes that a request line cannot carry as `%XX`.
  private static func escaped(_ bytes: Substring.UTF8View) -> String {
    var text: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in bytes {
      if byte <= 0x20 || byte >= 0x7F || "\"<>`{}|\\^".utf8.contains(byte) {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func malformed(_ shown: String, _ detail: String) -> GIFLoadingError {
    GIFLoadingError(.parsing, .malformedURL, source: shown, detail: detail)
  }

  /// The path without the query.
  var path: Substring { target.prefix { $0 != "?" } }

  private var schemeAndHost: (scheme: String, host: String) {
    let isUsual = port == (isSecure ? 443 : 80)
    return ((isSecure ? "https" : "http") + "://", host + (isUsual ? "" : ":\(port)"))
  }

  /// The whole URL with its credentials: for the transport alone, never for messages.
  var requestText: String {
    let (scheme, host) = schemeAndHost
    return scheme + (credentials.map { $0 + "@" } ?? "") + host + target
  }

  /// Whether two addresses have scheme, host and port in common.
  func hasSameOrigin(as other: WebAddress) -> Bool {
    isSecure == other.isSecure && host == other.host && port == other.port
  }

  /// Whether the host is this machine; as in browsers, no proxy is asked for it.
  var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
  }
}

extension WebAddress: CustomStringConvertible {
  /// The URL without credentials.
  public var description: String {
    let (scheme, host) = schemeAndHost
    return scheme + host + target
  }
}

// MARK: - References

extension WebAddress {
  /// What a `Location` of this address's answer means (RFC 3986, 5.2): a URL, or a reference to be taken from here.
  ///
  /// - Throws: ``GIFLoadingError`` where it is no URL, or one with another scheme than http and https.
  func resolving(_ reference: String) throws(GIFLoadingError) -> WebAddress {
    let reference = GIFSource.trimmed(reference)
    if GIFSource.scheme(of: reference) != nil { return try WebAddress(reference) }
    let (scheme, host) = schemeAndHost
    // Credentials stay with their origin, as everything else of a reference that names no other.
    let origin = scheme + (credentials.map { $0 + "@" } ?? "") + host
    if reference.hasPrefix("//") { return try WebAddress((isSecure ? "https:" : "http:") + reference) }
    if reference.hasPrefix("/") { return try WebAddress(origin + reference) }
    if reference.isEmpty || reference.hasPrefix("#") { return self }
    if reference.hasPrefix("?") { return try WebAddress(origin + path + reference) }
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    return try WebAddress(origin + folder + reference)
  }
}

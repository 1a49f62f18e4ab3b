/// A checked `http:` or `https:` URL.
///
/// Parsed as in browsers (WHATWG URL) as far as loading needs: spaces and bytes beyond ASCII in path and
/// query are escaped, and the fragment is dropped. Names beyond ASCII are left to the resolver.
package struct WebAddress: Sendable, Hashable {
  /// Whether the scheme is `https`.
  package let isSecure: Bool
  /// The host in lower case; an IPv6 address with its brackets.
  package let host: String
  /// The port, or the scheme's standard port.
  package let port: Int
  /// `user:password`, as in the URL.
  private let credentials: String?
  /// Path and query, beginning with a slash.
  let target: String

  /// - Throws: ``GIFLoadingError`` if `text` is no http(s) URL with a host and a valid port.
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

  /// The text with `%XX` for bytes that a request line cannot carry.
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

  /// The whole URL with its credentials, for the transport only, never for messages.
  package var requestText: String {
    let (scheme, host) = schemeAndHost
    return scheme + (credentials.map { $0 + "@" } ?? "") + host + target
  }

  /// Whether two addresses have the same scheme, host and port.
  func hasSameOrigin(as other: WebAddress) -> Bool {
    isSecure == other.isSecure && host == other.host && port == other.port
  }

  /// Whether the host is this machine; as in browsers, it is never reached through a proxy.
  var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
  }
}

extension WebAddress: CustomStringConvertible {
  /// The URL without credentials.
  package var description: String {
    let (scheme, host) = schemeAndHost
    return scheme + host + target
  }
}

// MARK: - References

extension WebAddress {
  /// The target of a `Location` header (RFC 3986, 5.2): a URL, or a reference relative to this address.
  ///
  /// - Throws: ``GIFLoadingError`` if it is no http(s) URL.
  func resolving(_ reference: String) throws(GIFLoadingError) -> WebAddress {
    let reference = GIFSource.trimmed(reference)
    if GIFSource.scheme(of: reference) != nil { return try WebAddress(reference) }
    let (scheme, host) = schemeAndHost
    // A reference without an origin keeps this one, with its credentials.
    let origin = scheme + (credentials.map { $0 + "@" } ?? "") + host
    if reference.hasPrefix("//") { return try WebAddress((isSecure ? "https:" : "http:") + reference) }
    if reference.hasPrefix("/") { return try WebAddress(origin + reference) }
    if reference.isEmpty || reference.hasPrefix("#") { return self }
    if reference.hasPrefix("?") { return try WebAddress(origin + path + reference) }
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    return try WebAddress(origin + folder + reference)
  }
}

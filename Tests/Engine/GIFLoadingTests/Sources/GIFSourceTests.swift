import Testing

@testable import GIFLoading

/// What users type becomes a path or a URL, or a clear error.
@Suite struct GIFSourceTests {
  @Test(arguments: [
    "horse.gif", "/tmp/horse.gif", "./http:x", "/http://x", "a b.gif", "", "-", "ä.gif", ":x", "1http://x",
    "2024-01-01T10:00:00.gif", "take:2.gif", "c:\\horse.gif", "../x:y/z", "x/http://y", "h ttp://x",
    "mailto:someone", " horse.gif", "horse.gif ", "a\tb\n.gif", "\n", " take:2.gif", " ./http://x",
  ])
  func paths(_ text: String) throws {
    #expect(try GIFSource(text) == .file(path: text))
    #expect(try GIFSource(text).description == text)
  }

  @Test(arguments: [
    ("file:///tmp/horse.gif", "/tmp/horse.gif"), ("FILE:///tmp/x", "/tmp/x"), ("file:/tmp/x", "/tmp/x"),
    ("file://localhost/tmp/x", "/tmp/x"), ("file://LocalHost/tmp/x", "/tmp/x"),
    ("file:///a%20b%2Fc.gif", "/a b/c.gif"), ("file:///%C3%A4.gif", "/ä.gif"), ("file:///ä.gif", "/ä.gif"),
    ("file:///100%.gif", "/100%.gif"), ("file:///%zz%4", "/%zz%4"), ("file:///a.gif?x=1#y", "/a.gif"),
    ("file:///a%3Fb.gif", "/a?b.gif"), ("file:///", "/"),
  ])
  func fileURLs(_ text: String, _ path: String) throws {
    #expect(try GIFSource(text) == .file(path: path))
  }

  @Test(arguments: [
    "file:", "file:x.gif", "file://", "file://host/x.gif", "file://127.0.0.1/x", "file:///a%00b",
    "file:///%FF.gif", "file://localhost", "file:?x",
  ])
  func brokenFileURLs(_ text: String) {
    #expect(
      fault { () throws(GIFLoadingError) in _ = try GIFSource(text) } == LoadingFault(.parsing, .malformedURL)
    )
  }

  @Test(arguments: ["ftp://host/x.gif", "FTP://x", "blob://x", "about://blank", "a+b-c.1://", "gopher://x"])
  func otherSchemes(_ text: String) async throws {
    let error = try await loadingError { () throws(GIFLoadingError) in _ = try GIFSource(text) }
    #expect(LoadingFault(error) == LoadingFault(.parsing, .unsupportedScheme))
    let scheme = text.prefix { $0 != ":" }.lowercased()
    #expect(error.description.contains("'\(scheme)' is not one of file, http, https and data"))
  }

  /// A URL of another scheme may hold a password like any other.
  @Test func otherSchemesTellNoCredentials() async throws {
    let error = try await loadingError { () throws(GIFLoadingError) in
      _ = try GIFSource("ftp://user:secret@host/x.gif")
    }
    #expect(!error.source.contains("secret") && !error.description.contains("secret"))
  }

  /// Browsers strip what comes along when a URL is copied, and so nothing of it is taken for a path.
  @Test(arguments: [
    " https://user:secret@host/x.gif", "\thttps://user:secret@host/x.gif\r\n",
    "\u{1}\u{0}https://user:secret@host/x.gif\u{1F} ", "https://user:sec\nret@host/x.gif",
    "ht\ntps\t:/\r/user:secret@host/x.gif",
  ])
  func spacesAroundURLs(_ text: String) throws {
    guard case .web(let address) = try GIFSource(text).kind else {
      Issue.record("not a web address")
      return
    }
    #expect(address.description == "https://host/x.gif" && address.requestText.contains("user:secret@"))
    #expect(try GIFSource(text).baseName == "x")
  }

  @Test func spacesAroundOtherURLs() async throws {
    #expect(try GIFSource(" file:///a b.gif\n") == .file(path: "/a b.gif"))
    guard case .data(let url) = try GIFSource("\n data:;base64,eA\n==").kind else {
      Issue.record("not a data URL")
      return
    }
    #expect(try url.bytes(limit: 1) == Array("x".utf8))
    let error = try await loadingError { () throws(GIFLoadingError) in
      _ = try GIFSource(" ftp://user:secret@host/x.gif")
    }
    #expect(LoadingFault(error) == LoadingFault(.parsing, .unsupportedScheme))
    #expect(!error.source.contains("secret") && !error.description.contains("secret"))
  }

  /// A URL with a typing error is taken for a path, or is none at all; its password is shown in no case.
  @Test(arguments: [
    "\u{A0}https://user:secret@host/x.gif", "(https://user:secret@host", "h ttps://user:secret@host/x.gif",
    "<http://a:secret@b>,http://user:sec@ret@secret@host/x.gif", "://:secret@",
    "file://user:secret@host/x.gif", "file://user:secret@localhost/x.gif",
  ])
  func noTextShowsCredentials(_ text: String) throws {
    do throws(GIFLoadingError) {
      let source = try GIFSource(text)
      #expect(source == .file(path: text))
      #expect(!source.description.contains("secret") && !source.baseName.contains("secret"))
      #expect(source.description.contains("host") == text.contains("host"))
    } catch {
      #expect(!error.source.contains("secret") && !error.description.contains("secret"))
    }
  }

  @Test func webAndData() throws {
    guard case .web(let address) = try GIFSource("HTTPS://Example.org/x").kind else {
      Issue.record("not a web address")
      return
    }
    #expect(address.description == "https://example.org/x")
    guard case .data(let url) = try GIFSource("Data:,x").kind else {
      Issue.record("not a data URL")
      return
    }
    #expect(try url.bytes(limit: 1) == Array("x".utf8))
  }

  @Test(arguments: [
    ("a/horse.gif", "horse"), ("horse.GIF", "horse"), ("/", "gif"), (".gif", "gif"), ("", "gif"),
    ("a/b.png", "b.png"), ("http://h/a/horse.gif?size=1/2#x", "horse"), ("http://h", "gif"),
    ("http://h/a/", "a"), ("http://h/a%2F..%2Fb.gif", "a%2F..%2Fb"),
    ("data:image/gif;base64,R0lG/a/b", "data"),
  ])
  func baseNames(_ text: String, _ name: String) throws {
    #expect(try GIFSource(text).baseName == name)
  }

  /// Any text is read without a trap.
  @Test func anyText() {
    var generator = SystemRandomNumberGenerator()
    let pieces = [
      "http:", "//", "https://", "file:", "data:", ";base64", ",", "@", ":", "[", "]", "%", "%4", "%41", "/",
      "?",
      "#", "é", "\0", " ", "a", "80", "99999999999999999999", "=", "localhost", "\u{301}",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      guard let source = try? GIFSource(text) else { continue }
      _ = (source.description, source.baseName)
      if case .data(let url) = source.kind { _ = try? url.bytes(limit: 100) }
      if case .web(let address) = source.kind { _ = try? address.resolving(text) }
    }
  }
}

import Testing

@testable import GIFLoading

/// http(s) URLs, and what a `Location` means beside them.
@Suite struct WebAddressTests {
  @Test(arguments: [
    ("http://example.org", "http://example.org/"), ("http://example.org/", "http://example.org/"),
    ("HTTP://EXAMPLE.org/A", "http://example.org/A"), ("http://h?x=1", "http://h/?x=1"),
    ("http://h/a b.gif", "http://h/a%20b.gif"), ("http://h/ä?ö#ü", "http://h/%C3%A4?%C3%B6"),
    ("http://h/%20%zz", "http://h/%20%zz"), ("http://h:80/", "http://h/"), ("https://h:443/", "https://h/"),
    ("http://h:443/", "http://h:443/"), ("http://h:/x", "http://h/x"), ("http://h:0080/x", "http://h/x"),
    ("http://h/a:b@c", "http://h/a:b@c"), ("http://h/?a/b@c", "http://h/?a/b@c"),
    ("http://[::1]/x", "http://[::1]/x"),
    ("http://[2001:DB8::7]:8080/x", "http://[2001:db8::7]:8080/x"),
    ("http://127.0.0.1:1/x", "http://127.0.0.1:1/x"),
    ("http://h/a\r\nHost: b", "http://h/a%0D%0AHost:%20b"), ("http://h#x", "http://h/"),
    ("http://h/\\", "http://h/%5C"),
    ("http://bücher.example/", "http://bücher.example/"),
  ])
  func addresses(_ text: String, _ expected: String) throws {
    let address = try WebAddress(text)
    #expect(address.description == expected)
    #expect(address.requestText == expected)
    #expect(try WebAddress(expected) == address)
  }

  @Test(arguments: [
    "http:", "http:/", "http://", "http:///x", "http:x", "http:/x/y", "http://:80/", "http://user@/x",
    "http://h:x/", "http://h:0/", "http://h:65536/", "http://h:-1/", "http://h:+8/", "http://h:8 /",
    "http://h:99999999999999999999/", "http://a b/", "http://h\r\n/", "http://h\0/", "http://a%41/",
    "http://a\\b/",
    "http://[::1/", "http://[]/", "http://[::1]x/", "http://[hello]/", "http://[::1]:/:", "http://a<b/",
    "http://a:b:c/",
  ])
  func broken(_ text: String) {
    let found = fault { () throws(GIFLoadingError) in _ = try WebAddress(text) }
    // An empty port behind an address in brackets is fine.
    #expect(found == (text == "http://[::1]:/:" ? nil : LoadingFault(.parsing, .malformedURL)))
  }

  @Test(arguments: [
    "http://user:secret@h/x", "http://user:sec@ret@h/x", "https://secret@h:8443/x", "http://:secret@h/",
    "http://us%40er:secret@h/",
  ])
  func credentialsAreForTheServerAlone(_ text: String) throws {
    let address = try WebAddress(text)
    #expect(!address.description.contains("secret") && !address.description.contains("@"))
    #expect(
      address.requestText.contains("secret") || address.requestText.contains("sec%40ret")
        || text.contains("sec@ret"))
    #expect(try GIFSource(text).description == address.description)
  }

  /// A broken URL tells no credentials either.
  @Test(arguments: [
    "http://user:secret@h:x/", "http://user:secret@/", "http://user:secret@[/", "http:user:secret@h",
  ])
  func brokenWithCredentials(_ text: String) async throws {
    let error = try await loadingError { () throws(GIFLoadingError) in _ = try WebAddress(text) }
    #expect(!error.source.contains("secret") && !error.description.contains("secret"))
  }

  @Test(arguments: [
    ("b.gif", "http://h:8/x/b.gif"), ("/b.gif?y", "http://h:8/b.gif?y"), ("//other/b", "http://other/b"),
    ("?z", "http://h:8/x/a.gif?z"), ("", "http://h:8/x/a.gif?q"), ("#f", "http://h:8/x/a.gif?q"),
    ("https://s/b", "https://s/b"), ("HTTP://s:80", "http://s/"), ("../b", "http://h:8/x/../b"), ("b:c", nil),
    ("file:///etc/passwd", nil), ("ftp://x/y", nil), ("data:image/gif,x", nil), ("javascript:alert(1)", nil),
    ("http://", nil), ("//", nil), ("./b:c", "http://h:8/x/./b:c"), (" /b ", "http://h:8/b"),
    ("ht\ttps://s/b", "https://s/b"),
  ])
  func references(_ reference: String, _ expected: String?) throws {
    let base = try WebAddress("http://h:8/x/a.gif?q#f")
    #expect((try? base.resolving(reference))?.description == expected)
  }

  @Test func credentialsStayWithTheirOrigin() throws {
    let base = try WebAddress("http://user:secret@h/x/a.gif")
    for reference in ["b", "/b", "?b", ""] {
      #expect(try base.resolving(reference).requestText.hasPrefix("http://user:secret@h/"))
    }
    for reference in ["//h/b", "http://h/b", "//other/b", "https://h/"] {
      #expect(try !base.resolving(reference).requestText.contains("secret"))
    }
  }

  @Test func origins() throws {
    let base = try WebAddress("http://h/x")
    for same in ["http://h/y", "http://H:80", "http://u:p@h/"] {
      #expect(try base.hasSameOrigin(as: WebAddress(same)))
    }
    for other in ["https://h/x", "http://h:81/x", "http://i/x", "http://h.h/x"] {
      #expect(try !base.hasSameOrigin(as: WebAddress(other)))
    }
  }

  @Test func loopback() throws {
    for host in ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"] {
      #expect(try WebAddress("http://\(host)/").isLoopback)
    }
    for host in ["localhost.example", "128.0.0.1", "[::2]", "example"] {
      #expect(try !WebAddress("http://\(host)/").isLoopback)
    }
  }
}

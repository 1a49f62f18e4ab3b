import Testing

@testable import GIFLoading

/// The head of an answer, line by line.
@Suite struct ResponseHeadTests {
  private func head(_ lines: String...) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { head.consume((line + "\r\n").utf8) }
    return head
  }

  @Test func plain() {
    let head = head("HTTP/1.1 200 OK", "Content-Type: image/gif", "content-LENGTH:  123 ", "Location: /x", "")
    #expect(head.isWhole)
    #expect(head.status == 200)
    #expect(head.announcedLength == 123)
    #expect(head.location == "/x")
  }

  @Test(arguments: [
    ("HTTP/1.1 404 Not Found", 404), ("HTTP/2 200", 200), ("HTTP/1.0 301", 301), ("HTTP/1.1", 0),
    ("HTTP/1.1 x", 0),
    ("HTTP/1.1 99999999999999999999 x", 0), ("HTTP/1.1  204  No", 204),
  ])
  func statusLines(_ line: String, _ status: Int) {
    #expect(head(line, "").status == status)
    #expect(head(line, "").isWhole == (status >= 200))
  }

  /// An interim answer is followed by the real one, which starts over.
  @Test func interimAnswers() {
    let interim = head("HTTP/1.1 103 Early Hints", "Location: /early", "Content-Length: 5", "")
    #expect(!interim.isWhole)
    let final = head(
      "HTTP/1.1 103 Early Hints", "Location: /early", "Content-Length: 5", "", "HTTP/1.1 200 OK", "")
    #expect(final.isWhole)
    #expect(final.location == nil && final.announcedLength == nil && final.status == 200)
  }

  /// A trailer behind a chunked body changes nothing.
  @Test func trailers() {
    let head = head("HTTP/1.1 200 OK", "", "Location: /x", "HTTP/1.1 500 Oops", "")
    #expect(head.status == 200 && head.location == nil)
  }

  /// Lengths that are none, or not those of the file.
  @Test(arguments: [
    ["Content-Length: x"], ["Content-Length: -1"], ["Content-Length: "], ["Content-Length: 1.5"],
    ["Content-Length: 9999999999999999999999"], ["Content-Length: 5", "Transfer-Encoding: chunked"],
    ["Content-Encoding: gzip", "Content-Length: 5"], ["Content-Length 5"], [],
  ])
  func incredibleLengths(_ lines: [String]) {
    var head = ResponseHead()
    for line in ["HTTP/1.1 200 OK"] + lines + [""] { head.consume(line.utf8) }
    #expect(head.isWhole)
    #expect(head.announcedLength == nil)
  }

  @Test func identityIsNoCoding() {
    #expect(
      head("HTTP/1.1 200 OK", "Content-Encoding: Identity", "Content-Length: 7", "").announcedLength == 7)
  }

  /// Codings that browsers take for none; one of several is enough.
  @Test(arguments: [
    ("gzip", false), ("X-GZIP, deflate ,br", false), ("zstd", false), ("identity", false), ("", false),
    ("utf-8", true), ("gzip, none", true), ("binary", true), ("gzip;q=1", true),
  ])
  func unknownCodings(_ value: String, _ isUnknown: Bool) {
    #expect(head("HTTP/1.1 200 OK", "Content-Encoding: \(value)", "").hasUnknownCoding == isUnknown)
  }

  @Test func anyBytes() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var head = ResponseHead()
      for start in ["HTTP/", "Content-Length:", "Location:", ""].shuffled(using: &generator) {
        let noise = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        head.consume(Array(start.utf8) + noise)
      }
      #expect(head.announcedLength ?? 0 >= 0)
    }
  }
}

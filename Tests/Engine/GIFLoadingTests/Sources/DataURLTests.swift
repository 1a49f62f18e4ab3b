import Foundation
import Testing

@testable import GIFLoading

/// URLs that hold the file itself.
@Suite struct DataURLTests {
  @Test(arguments: [
    ("data:,", ""), ("data:,abc", "abc"), ("data:,a%20b%2Cc,d", "a b,c,d"), ("data:image/gif,%47IF", "GIF"),
    ("data:text/plain;charset=utf-8,x", "x"), ("data:,a#b", "a"), ("data:,a%23b", "a#b"),
    ("data:,100%", "100%"),
    ("data:,%4", "%4"), ("data:,%G1", "%G1"), ("data:,a b", "a b"), ("DATA:,x", "x"),
    ("data:;base64,R0lG", "GIF"), ("data:image/gif;base64,R0lGOA==", "GIF8"), ("data:;BASE64,R0lGOA", "GIF8"),
    ("data:;base64,R0 lG\nOD k=", "GIF89"), ("data:;base64,R0lGODk", "GIF89"), ("data:; base64,R0lG", "GIF"),
    ("data:;base64,R0lGOA%3D%3D", "GIF8"), ("data:;base64,", ""), ("data:;base64,R0lG#x", "GIF"),
    ("data:a/b;c=d;base64,R0lG", "GIF"), ("data:base64,R0lG", "R0lG"), ("data:;base64;x,R0lG", "R0lG"),
    ("data:;base64,/+8=", nil),
  ])
  func bodies(_ text: String, _ expected: String?) throws {
    let bytes = try DataURL(text).bytes(limit: 100)
    #expect(bytes == expected.map { Array($0.utf8) } ?? [0xFF, 0xEF])
  }

  @Test(arguments: [
    "R", "R0lGO", "R0lG=", "R0lGOA=", "R0lGOA===", "R0=lG", "R0lG!", "R0lG-_", "ü", "=", "====", "R0lGOA=x",
    "R0lGOA==R0lG",
  ])
  func brokenBase64(_ body: String) throws {
    let url = try DataURL("data:;base64," + body)
    #expect(
      fault { () throws(GIFLoadingError) in _ = try url.bytes(limit: 100) }
        == LoadingFault(.parsing, .malformedURL))
  }

  @Test(arguments: ["data:", "data:image/gif", "data:;base64"])
  func withoutComma(_ text: String) {
    #expect(
      fault { () throws(GIFLoadingError) in _ = try DataURL(text) } == LoadingFault(.parsing, .malformedURL))
  }

  /// The size is counted exactly before anything is taken for it.
  @Test(arguments: 0...40)
  func sizes(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
    let escaped = bytes.map { "%" + (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
    let encoded = Data(bytes).base64EncodedString()
    for text in [
      "data:," + escaped, "data:;base64," + encoded, "data:;base64," + encoded.filter { $0 != "=" },
    ] {
      let url = try DataURL(text)
      #expect(try url.bytes(limit: count) == bytes)
      guard count > 0 else { continue }
      #expect(
        fault { () throws(GIFLoadingError) in _ = try url.bytes(limit: count - 1) }
          == LoadingFault(.parsing, .tooLarge, value: Int64(count), limit: Int64(count - 1)))
    }
  }

  /// A long URL does not fill the screen.
  @Test func description() throws {
    let url = try DataURL("data:image/gif;base64," + String(repeating: "R0lG", count: 1000))
    #expect(url.description.count < 50)
    #expect(url.description.hasPrefix("data:image/gif;base64,R0lG"))
    #expect(try DataURL("data:,x").description == "data:,x")
  }
}

import Testing

@testable import GallopCLI

@Suite("Names as text")
struct NameTextTests {
  private static let names: [[UInt8]] = [
    [], Array("a b.gif".utf8), Array("größer 馬.gif".utf8), [0xFF], [0x80, 0xC3], [0xE9, 0x2E, 0x67],
    [0xF0, 0x9F, 0x8E], [0xED, 0xA0, 0x80], [0xC0, 0xAF, 0x61], [0xF4, 0x8F, 0xBE, 0x80],
    [0xF4, 0x8F, 0xBF, 0xBF, 0xFE], [0xF4, 0x90, 0x80, 0x80], Array(1...255),
  ]

  @Test("Any bytes become text and the same bytes again", arguments: names)
  func roundTrip(bytes: [UInt8]) {
    let text = NameText.text(bytes)
    #expect(NameText.bytes(text) == bytes)
    #expect(NameText.system(text).map { UInt8(bitPattern: $0) } == bytes + [0])
  }

  @Test("Different names become different texts")
  func distinct() {
    #expect(Set(Self.names.map(NameText.text)).count == Self.names.count)
  }

  @Test("UTF-8 stays as it is, and has no second form in JSON")
  func valid() {
    #expect(NameText.text(Array("größer 馬".utf8)) == "größer 馬")
    #expect(NameText.isUTF8("größer 馬 🐎"))
    #expect(NameText.hexadecimal("größer") == nil)
    #expect(NameText.hexadecimal(NameText.text([0x62, 0xFF, 0x0A])) == "62ff0a")
  }

  @Test(
    "What can command a terminal is escaped, and nothing else",
    arguments: [
      ("a \"b\" größer 馬 👩‍👩‍👧.gif", "a \"b\" größer 馬 👩‍👩‍👧.gif"), ("\u{1B}]0;x\u{7}", "\\x1B]0;x\\x07"),
      ("a\nb\tc\rd\u{7F}", "a\\nb\\tc\\rd\\x7F"), ("\u{9B}31m", "\\u009B31m"),
      ("fig\u{202E}exe", "fig\\u202Eexe"),
      ("a\u{2028}b", "a\\u2028b"),
    ])
  func escapes(text: String, expected: String) {
    #expect(Printable.text(text) == expected)
    #expect(Printable.text(expected) == expected)
  }

  @Test("Invalid bytes are shown as escapes; line breaks are kept where a text has lines")
  func bytes() {
    #expect(Printable.text(NameText.text([0x62, 0xFF, 0x80])) == "b\\xFF\\x80")
    #expect(Printable.text("a\nb\u{1B}", keepsLines: true) == "a\nb\\x1B")
  }

  @Test("JSON has escapes by its own rules")
  func json() throws {
    struct Line: Encodable { var path: String }
    let text = "a\u{1B}\u{7F}\u{9B}\u{202E}ö" + NameText.text([0xFF])
    let line = try JSONLine.encode(Line(path: text))
    #expect(
      String(decoding: line, as: UTF8.self) == "{\"path\":\"a\\u001b\\u007F\\u009B\\u202Eö\u{FFFD}\"}\n")
  }
}

import GIFDecoding
import Testing

@testable import GIFStage

@Suite("Text: a bitmap font")
struct TextTests {
  /// A letter as rows of # and `.`.
  private func rows(_ letter: Unicode.Scalar) -> [String] {
    (0..<BitmapFont.rowCount).map { y in
      String((0..<BitmapFont.width).map { BitmapFont.isSet(letter, x: $0, y: y) ? "#" : "." })
    }
  }

  @Test("Every printable letter is drawn, and only similar letters are equal")
  func letters() {
    var seen: [[String]: Unicode.Scalar] = [:]
    for code in UInt32(33)..<127 {
      guard let letter = Unicode.Scalar(code) else { continue }
      let drawing = rows(letter)
      #expect(drawing.contains { $0.contains("#") }, "\(letter)")
      if let twin = seen[drawing] { #expect("O0".unicodeScalars.contains(twin), "\(letter) and \(twin)") }
      seen[drawing] = letter
    }
    #expect(rows(" ").allSatisfy { $0 == "....." })
  }

  @Test("Capitals end at the baseline, letters such as g below it")
  func baseline() {
    for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789".unicodeScalars {
      #expect(rows(letter)[6].contains("#") && !rows(letter)[7].contains("#"), "\(letter)")
    }
    for letter in "gjpqy".unicodeScalars { #expect(rows(letter)[8].contains("#"), "\(letter)") }
  }

  @Test("Missing letters show as a box")
  func missing() {
    for letter in "é漢\n\u{7F}".unicodeScalars {
      #expect(rows(letter) == rows("\u{7F}"))
      #expect(rows(letter)[0] == "#####" && rows(letter)[3] == "#...#")
    }
  }

  @Test("At size 1 letters are drawn dot by dot, at size 3 each dot is a square")
  func sizes() {
    for size in [1, 3] {
      var surface = Surface(width: 40, height: 40, color: Color(0))
      let end = surface.draw("Ag", x: 2, y: 1, size: size, Color(0xFFFFFF))
      #expect(end == 2 + 12 * size)
      for y in 0..<40 {
        for x in 0..<40 {
          let (column, row) = ((x - 2 + 40 * size) / size - 40, (y - 1 + 40 * size) / size - 40)
          let letter: Unicode.Scalar = column < 6 ? "A" : "g"
          let isSet = column < 12 && BitmapFont.isSet(letter, x: column < 6 ? column : column - 6, y: row)
          #expect((surface[x, y] != 0xFF00_0000) == isSet, "\(size): \(x), \(y)")
        }
      }
    }
  }

  @Test("Doubled letters keep straight strokes and fill the steps of slanted ones")
  func doubled() {
    for y in 0..<14 {
      // The stem of an l has no slant: every dot is four.
      #expect(BitmapFont.isSetDoubled("|", x: 4, y: y) && BitmapFont.isSetDoubled("|", x: 5, y: y))
      #expect(!BitmapFont.isSetDoubled("|", x: 3, y: y) && !BitmapFont.isSetDoubled("|", x: 6, y: y))
    }
    let plain = (0..<140).count { BitmapFont.isSet("/", x: $0 % 10 / 2, y: $0 / 10 / 2) }
    let doubled = (0..<140).count { BitmapFont.isSetDoubled("/", x: $0 % 10, y: $0 / 10) }
    #expect(doubled > plain)
  }

  @Test("Texts are cut with dots to fit a width")
  func truncated() {
    #expect(BitmapFont.width(of: "", size: 2) == 0)
    #expect(BitmapFont.width(of: "abc", size: 2) == 34)
    for width in 0..<80 {
      for size in 1...3 {
        let text = BitmapFont.truncated("horseshoe", width: width, size: size)
        #expect(BitmapFont.width(of: text, size: size) <= max(0, width))
        #expect(text == "horseshoe" || BitmapFont.width(of: "horseshoe", size: size) > width)
      }
    }
    #expect(BitmapFont.truncated("horseshoe", width: 40, size: 1) == "hors..")
    #expect(BitmapFont.truncated("horse", width: .max / 2, size: 0) == "horse")
  }
}

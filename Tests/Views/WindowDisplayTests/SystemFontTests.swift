import GIFStage
import Testing
import WindowDisplay

@Suite("SystemFont")
struct SystemFontTests {
  @Test("Letters of several alphabets are antialiased masks; undefined characters have none")
  func glyphs() throws {
    // Without the libraries or a font, windows use the bitmap font.
    guard let font = SystemFont() else { return }
    let letter = try #require(font.glyph("H", pixelSize: 13))
    #expect((7...12).contains(letter.top) && letter.height == letter.top && letter.advance > 5)
    #expect(letter.coverage.contains { $0 > 150 })
    let round = try #require(font.glyph("o", pixelSize: 13))
    #expect(round.coverage.contains { (1..<255).contains($0) })
    #expect(font.glyph("H", pixelSize: 26)?.top ?? 0 > letter.top)
    #expect(font.glyph(" ", pixelSize: 13)?.width == 0)
    #expect(font.glyph("\u{10FFFF}", pixelSize: 13) == nil)
  }
}

import GIFDecoding
import Testing

@testable import GIFStage

/// A font of blocks: letters are six pixels apart, accented and Cyrillic ones included.
private final class BlockFont: GlyphSource {
  var asked: [Unicode.Scalar] = []

  func glyph(_ letter: Unicode.Scalar, pixelSize: Int) -> Glyph? {
    asked.append(letter)
    guard letter.value < 0x500 || letter == "…" || letter == "\u{FFFD}" else { return nil }
    return Glyph(
      width: 5, height: 9, left: 0, top: 9, advance: letter == "\u{FFFD}" ? 8 : 6,
      coverage: Array(repeating: letter == "\u{FFFD}" ? 128 : 255, count: 45))
  }
}

@Suite("TextPainter")
struct TextPainterTests {
  private let font = BlockFont()
  private var text: TextPainter { TextPainter(font: StageFont(font), scale: 1) }

  @Test("Non-Latin letters have their own glyphs; missing letters and controls are replaced")
  func replaced() {
    #expect(text.width(of: "naïve") == 30 && text.width(of: "мир") == 18)
    #expect(text.width(of: "漢a\u{1B}\u{202E}") == 8 + 6 + 8 + 8)
    #expect(!font.asked.contains("\u{202E}") && !font.asked.contains("\u{1B}"))
  }

  @Test("A text that is too long ends with an ellipsis within the width")
  func truncated() {
    #expect(text.truncated("horseshoe", width: 54) == "horseshoe")
    #expect(text.truncated("horseshoe", width: 53) == "horsesh…")
    for width in -5...60 {
      let short = text.truncated("naïve horse", width: width)
      #expect(text.width(of: short) <= max(6, width))
    }
    #expect(TextPainter(font: nil, scale: 1).truncated("horseshoe", width: 40) == "hors..")
  }

  @Test("Glyphs are drawn above the baseline through their masks, clipped")
  func drawn() {
    var surface = Surface(width: 20, height: 12, color: .black)
    text.draw("a\u{1}", on: &surface, x: 1, y: 2, Color(0xFFFFFF))
    #expect(surface[1, 2] == Color(0xFFFFFF).word && surface[5, 10] == Color(0xFFFFFF).word)
    #expect(surface[6, 5] == Color.black.word && surface[1, 1] == Color.black.word)
    #expect(surface[7, 5] & 0xFF == 128)
    surface.inRegion(PixelRect(0, 0, 3, 3)) { text.draw("aaaa", on: &$0, x: -4, y: -4, Theme.bad) }
    #expect(surface[3, 2] == Color(0xFFFFFF).word)
  }

  @Test("Invalid masks are dropped")
  func masks() {
    let glyph = Glyph(width: 4, height: 4, left: .max, top: .min, advance: .max, coverage: [1, 2])
    #expect(glyph.width == 0 && glyph.coverage.isEmpty && glyph.advance == 1024)
  }

  @Test("Each glyph is asked for once")
  func cached() {
    let text = text
    for _ in 0..<5 { _ = text.width(of: "aaab") }
    #expect(font.asked == ["a", "b"])
  }

  @Test("Views draw with the font of their stage")
  func stage() {
    let rig = StageRig()
    let label = Label()
    label.show("naïve")
    let stage = rig.show(label, width: 60, height: 30)
    let plain = label.wantedSize
    stage.glyphs = font
    #expect(!stage.draw().isEmpty && font.asked.contains("ï"))
    #expect(label.wantedSize.width > plain.width)
  }
}

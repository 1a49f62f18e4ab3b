import Foundation
import GIFStage
import Testing

@testable import GallopCLI

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Chart writers")
struct ChartWritersTests {
  private func drawing(_ text: String = "text") -> ChartDrawing {
    ChartDrawing(
      width: 100, height: 50,
      shapes: [
        .bar(x: 10, y: 20, width: 30, height: 5, Color(0x12AB0F)),
        .text(text, x: 50, y: 40, .middle, Theme.text),
      ])
  }

  @Test("SVG has a shape each, in order")
  func svg() {
    let lines = SVGWriter.text(drawing()).split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 50\""))
    #expect(lines[2] == "<rect x=\"10\" y=\"20\" width=\"30\" height=\"5\" fill=\"#12ab0f\"/>")
    #expect(lines[3] == "<text x=\"50\" y=\"40\" text-anchor=\"middle\" fill=\"#e3e5e8\">text</text>")
    #expect(lines[4] == "</svg>")
  }

  @Test(
    "Any name makes sound XML",
    arguments: ["<script>&\"'</text>", "a\u{0}\u{1B}[31m\u{FFFE}b", "größer 馬 🐎", "]]>"])
  func escaping(name: String) throws {
    let parser = XMLParser(data: Data(SVGWriter.text(drawing(name)).utf8))
    #expect(parser.parse())
  }

  @Test("The picture has the bars' colours at their places, and text around its anchor")
  func picture() {
    let surface = Surface(drawing())
    #expect((surface.width, surface.height) == (100, 50))
    #expect(surface[10, 20] == Color(0x12AB0F).word)
    #expect(surface[39, 24] == Color(0x12AB0F).word)
    #expect(surface[40, 24] == Theme.ground.word)
    let lit = (0..<50).flatMap { y in (0..<100).filter { surface[$0, y] == Theme.text.word } }
    #expect(!lit.isEmpty)
    #expect(lit.allSatisfy { (26..<74).contains($0) })
  }

  @Test(
    "The extension says the format",
    arguments: [
      ("a.svg", ChartFile.Format.svg), ("a.SVG", .svg), ("x/b.png", .png), ("a.svg.png", .png),
      ("a.jpg", nil),
      ("svg", nil), ("a.svg/b", nil), ("", nil), ("a.", nil),
    ])
  func formats(path: String, format: ChartFile.Format?) {
    #expect(ChartFile(argument: path)?.format == format)
  }
}

import GIFDecoding
import Testing

@testable import GallopCLI

@Suite("Warnings and progress")
struct MessageTests {
  private let cut = GIFDiagnostic(.truncatedFrame, frame: 3, offset: 99)
  private let invalid = GIFDiagnostic(.invalidLZW, frame: 1, offset: 50)

  @Test("A few files have a line for each kind of fault")
  func fewFiles() {
    var warnings = Warnings(fileCount: Warnings.fewFiles)
    let more = (4..<9).map { GIFDiagnostic(.truncatedFrame, frame: $0, offset: 99) }
    let lines = warnings.add("a.gif", [cut, invalid] + more)
    #expect(lines == ["a.gif: warning: \(cut), and 5 more like it", "a.gif: warning: \(invalid)"])
    #expect(warnings.summary.isEmpty)
  }

  @Test("Many files have one line for each kind of fault, with the first names")
  func manyFiles() {
    var warnings = Warnings(fileCount: 500)
    for number in 0..<250 {
      #expect(warnings.add("\(number).gif", [cut, cut]).isEmpty)
      #expect(warnings.add("\(number).gif", number == 7 ? [cut, invalid] : [cut]).isEmpty)
    }
    #expect(
      warnings.summary == [
        "warning: in 250 of 500 files: \(cut.message): 0.gif, 1.gif, 2.gif and 247 more",
        "warning: in 1 of 500 files: \(invalid.message): 7.gif",
      ])
  }

  private func text(_ label: String = "a.gif") -> ProgressText {
    ProgressText(
      label: label, unit: "frames", number: 3, count: 40, done: 5, total: 10, elapsed: .seconds(25))
  }

  @Test("Progress names the file's place, what is done and the time left")
  func progress() {
    #expect(text().line(columns: 80) == "file 3 of 40: a.gif: 5 of 10 frames (50 %), 6:15 left")
    var next = text()
    (next.done, next.total) = (nil, nil)
    #expect(next.line(columns: 80) == "file 3 of 40: a.gif, 7:55 left")
    var single = text()
    (single.number, single.count) = (1, 1)
    #expect(single.line(columns: 80) == "a.gif: 5 of 10 frames (50 %), 0:25 left")
    single.total = nil
    #expect(single.line(columns: 80) == "a.gif: 5 frames")
    single.total = 10
    single.elapsed = .milliseconds(600)
    #expect(single.line(columns: 80) == "a.gif: 5 of 10 frames (50 %)")
  }

  @Test("Progress stays within the terminal, whatever the name", arguments: [1, 10, 40, 60, 80, 200])
  func width(columns: Int) {
    for label in ["a.gif", String(repeating: "long ", count: 50), String(repeating: "馬", count: 90)] {
      let line = text(label).line(columns: columns)
      #expect(line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 2 : 1) } < max(2, columns))
    }
    #expect(
      text(String(repeating: "n", count: 99)).line(columns: 60).hasSuffix(
        "~: 5 of 10 frames (50 %), 6:15 left"))
    #expect(text("a\u{1B}]0;b").line(columns: 80).contains("a\\x1B]0;b"))
  }
}

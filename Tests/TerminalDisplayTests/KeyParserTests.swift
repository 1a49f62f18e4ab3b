import Testing

@testable import TerminalDisplay

@Suite struct KeyParserTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let keys: [Key]

    init(_ text: String, _ keys: Key...) {
      bytes = Array(text.utf8)
      self.keys = keys
    }

    init(bytes: [UInt8], _ keys: Key...) {
      self.bytes = bytes
      self.keys = keys
    }

    var testDescription: String { "\(bytes) -> \(keys)" }
  }

  /// Complete input: nothing is pending after it.
  static let samples: [Sample] = [
    Sample("qQ1~", .character("q"), .character("Q"), .character("1"), .character("~")),
    Sample("é→🐎", .character("é"), .character("→"), .character("🐎")),
    Sample(" \r\n\t", .space, .enter, .enter, .tab),
    Sample("\u{7F}\u{08}", .backspace, .backspace),
    Sample("\u{03}\u{1A}\u{00}", .control("c"), .control("z"), .control("@")),
    Sample("\u{1C}\u{1D}\u{1E}\u{1F}", .control("\\"), .control("]"), .control("^"), .control("_")),
    Sample("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", .up, .down, .right, .left),
    Sample("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", .up, .down, .right, .left),
    Sample("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", .home, .end, .home, .end),
    Sample("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", .home, .end, .home, .end),
    Sample("\u{1B}[2~\u{1B}[3~\u{1B}[5~\u{1B}[6~", .insert, .delete, .pageUp, .pageDown),
    Sample("\u{1B}OP\u{1B}OQ\u{1B}OR\u{1B}OS", .function(1), .function(2), .function(3), .function(4)),
    Sample("\u{1B}[11~\u{1B}[15~\u{1B}[17~", .function(1), .function(5), .function(6)),
    Sample("\u{1B}[21~\u{1B}[23~\u{1B}[24~", .function(10), .function(11), .function(12)),
    Sample("\u{1B}[[A\u{1B}[[E", .function(1), .function(5)),
    Sample("\u{1B}[Z\u{1B}OM", .backTab, .enter),
    Sample("\u{1B}[1;5C\u{1B}[5;2~\u{1B}[1;2P", .right, .pageUp, .function(1)),
    Sample("\u{1B}x\u{1B}é\u{1B} ", .alternate("x"), .alternate("é"), .alternate(" ")),
    Sample("\u{1B}\r", .enter),
    Sample("\u{1B}\u{1B}[A", .escape, .up),
    // Reports and replies: swallowed whole, and the key after them is not.
    Sample("\u{1B}[12;40Rq", .character("q")),
    Sample("\u{1B}[?62;4;6cq", .character("q")),
    Sample("\u{1B}[<0;12;5Mq", .character("q")),
    Sample("\u{1B}[M !!q", .character("q")),
    Sample("\u{1B}[32;5;6Mq", .character("q")),
    Sample("\u{1B}[Iq\u{1B}[Oq", .character("q"), .character("q")),
    Sample("\u{1B}[200~a\u{1B}[201~", .character("a")),
    Sample("\u{1B}[?2026;2$yq", .character("q")),
    Sample("\u{1B}[97;5uq\u{1B}[99999999999999999999~q", .character("q"), .character("q")),
    Sample("\u{1B}_Gi=1;OK\u{1B}\\q", .character("q")),
    Sample("\u{1B}P>|kitty\u{1B}\\q", .character("q")),
    Sample("\u{1B}]11;rgb:00/00/00\u{07}q", .character("q")),
    Sample("\u{1B}]11;rgb:00/00/00\u{1B}\\q", .character("q")),
    Sample("\u{1B}Oyq\u{1B}[[Zq", .character("q"), .character("q")),
    // Cut off: what comes after must not be lost.
    Sample("\u{1B}[12\u{03}", .control("c")),
    Sample("\u{1B}[12\u{1B}[A", .up),
    Sample("\u{1B}[1é", .character("é")),
    Sample("\u{1B}O\u{1B}[A", .up),
    Sample("\u{1B}_Gi=1\u{1B}[A", .up),
    Sample("\u{1B}_Gi=1\u{18}q", .character("q")),
    // Not UTF-8: a stray continuation, an overlong slash, a surrogate, beyond U+10FFFF, C1, a letter cut
    // short.
    Sample(bytes: [0x80, 0x61], .character("a")),
    Sample(bytes: [0xC0, 0xAF, 0x61], .character("a")),
    Sample(bytes: [0xE0, 0x80, 0xAF, 0x61], .character("a")),
    Sample(bytes: [0xED, 0xA0, 0x80, 0x61], .character("a")),
    Sample(bytes: [0xF4, 0x90, 0x80, 0x80, 0x61], .character("a")),
    Sample(bytes: [0xF0, 0x8F, 0xBF, 0xBF, 0xFF, 0x61], .character("a")),
    Sample(bytes: [0xC2, 0x9B, 0x61], .character("a")),
    Sample(bytes: [0xE2, 0x86, 0x61], .character("a")),
    Sample(bytes: [0xE2, 0x1B, 0x5B, 0x41], .up),
  ]

  @Test(arguments: samples) func everySplitGivesTheSameKeys(_ sample: Sample) {
    // Each bit of the mask says whether to cut after a byte; long samples are cut at one and at two places.
    let gaps = sample.bytes.count - 1
    var cuts: [Set<Int>] = [[], Set(0..<gaps)]
    if gaps <= 10 {
      for mask in 0..<(1 << gaps) { cuts.append(Set((0..<gaps).filter { mask >> $0 & 1 == 1 })) }
    } else {
      for first in 0..<gaps { for second in first..<gaps { cuts.append([first, second]) } }
    }
    for cut in cuts {
      var parser = KeyParser()
      var keys: [Key] = []
      var chunk: [UInt8] = []
      for (index, byte) in sample.bytes.enumerated() {
        chunk.append(byte)
        if cut.contains(index) {
          keys += parser.feed(chunk)
          chunk = []
        }
      }
      keys += parser.feed(chunk)
      #expect(keys == sample.keys)
      #expect(!parser.isPending)
      #expect(parser.flush() == [])
    }
  }

  /// All samples in a row, in which no sample may disturb the next.
  @Test func samplesFollowEachOther() {
    var parser = KeyParser()
    let keys = parser.feed(Self.samples.flatMap(\.bytes))
    #expect(keys == Self.samples.flatMap(\.keys))
  }

  @Test(arguments: [
    ("\u{1B}", [Key.escape]), ("\u{1B}[", [.alternate("[")]), ("\u{1B}O", [.alternate("O")]),
    ("\u{1B}P", [.alternate("P")]), ("\u{1B}]", [.alternate("]")]), ("\u{1B}_", [.alternate("_")]),
    ("\u{1B}[1", []), ("\u{1B}[[", []), ("\u{1B}[M!", []), ("\u{1B}_Gi", []), ("\u{1B}_Gi\u{1B}", [.escape]),
  ])
  func flushSettlesWhatIsOpen(_ text: String, _ keys: [Key]) {
    var parser = KeyParser()
    #expect(parser.feed(text.utf8) == [])
    #expect(parser.isPending)
    #expect(parser.flush() == keys)
    #expect(!parser.isPending)
    #expect(parser.feed("a".utf8) == [.character("a")])
  }

  @Test func twoEscapesAreTwoKeys() {
    var parser = KeyParser()
    #expect(parser.feed([0x1B, 0x1B]) == [.escape])
    #expect(parser.flush() == [.escape])
  }

  @Test func everyScalarComesThrough() {
    // One of every length and both sides of every border.
    for value: UInt32 in [0x21, 0x7E, 0xA0, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var parser = KeyParser()
      #expect(parser.feed(String(scalar).utf8) == [.character(Character(scalar))])
    }
  }

  /// No three bytes whatever leave the parser unable to hear a key afterwards.
  @Test func nothingDeafensTheParser() {
    let interesting: [UInt8] = [
      0x00, 0x03, 0x07, 0x18, 0x1B, 0x20, 0x30, 0x3B, 0x3F, 0x41, 0x4D, 0x4F, 0x50, 0x5B, 0x5C, 0x5D, 0x5F,
      0x7E,
      0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF,
    ]
    for first in interesting {
      for second in interesting {
        for third in interesting {
          var parser = KeyParser()
          _ = parser.feed([first, second, third])
          _ = parser.flush()
          #expect(parser.feed("\u{1B}[A".utf8) == [.up])
        }
      }
    }
  }
}

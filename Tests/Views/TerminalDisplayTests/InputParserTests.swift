import GIFStage
import TerminalDisplay
import Testing

@Suite("Terminal input") struct InputParserTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let items: [InputParser.Item]

    init(_ text: String, _ keys: Key...) {
      bytes = Array(text.utf8)
      items = keys.map(InputParser.Item.key)
    }

    init(_ text: String, _ report: MouseReport, _ keys: Key...) {
      bytes = Array(text.utf8)
      items = [.mouse(report)] + keys.map(InputParser.Item.key)
    }

    init(_ text: String, _ reply: TerminalReply, _ keys: Key...) {
      bytes = Array(text.utf8)
      items = [.reply(reply)] + keys.map(InputParser.Item.key)
    }

    init(bytes: [UInt8], _ keys: Key...) {
      self.bytes = bytes
      items = keys.map(InputParser.Item.key)
    }

    var testDescription: String { "\(bytes) -> \(items)" }
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
    // Answers to our questions, and the key after them.
    Sample("\u{1B}[?62;4;6cq", .attributes(hasSixel: true), .character("q")),
    Sample("\u{1B}[?1;2;4c", .attributes(hasSixel: true)),
    Sample("\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\q", .directColor(true), .character("q")),
    Sample("\u{1B}P1$r48;2;1;2;3m\u{1B}\\", .directColor(true)),
    Sample("\u{1B}P1$r0;48;5;16m\u{1B}\\q", .directColor(false), .character("q")),
    Sample("\u{1B}P0$r\u{1B}\\q", .character("q")),
    Sample("\u{1B}[?64;14;40c", .attributes(hasSixel: false)),
    Sample("\u{1B}[?6cq", .attributes(hasSixel: false), .character("q")),
    Sample("\u{1B}[6;18;9tq", .cell(TerminalCell(width: 9, height: 18)), .character("q")),
    Sample("\u{1B}[4;600;800t", .area(width: 800, height: 600)),
    Sample("\u{1B}_Gi=31;OK\u{1B}\\q", .kittyGraphics(true), .character("q")),
    Sample("\u{1B}_Gi=31;EINVAL:no\u{1B}\\", .kittyGraphics(false)),
    Sample("\u{1B}]11;rgb:00/80/FF\u{07}q", .background(Color(0x0080FF)), .character("q")),
    Sample("\u{1B}]11;rgb:0000/8080/ffff\u{1B}\\q", .background(Color(0x0080FF)), .character("q")),
    Sample("\u{1B}]11;rgba:f/0/0/8\u{07}", .background(Color(0xFF0000))),
    // Other reports and answers: swallowed whole, and the key after them is not.
    Sample("\u{1B}[12;40Rq\u{1B}[?cq\u{1B}[8;24;80tq", .character("q"), .character("q"), .character("q")),
    Sample("\u{1B}[6;0;9tq\u{1B}[6;9tq\u{1B}[>1;2cq", .character("q"), .character("q"), .character("q")),
    Sample("\u{1B}]10;rgb:00/80/FF\u{07}q", .character("q")),
    Sample("\u{1B}]11;rgb:00/80\u{07}q\u{1B}]11;#000000\u{07}q", .character("q"), .character("q")),
    Sample("\u{1B}]11;rgb:+1/00/00\u{07}q\u{1B}]11;rgb:00000/0/0\u{07}q", .character("q"), .character("q")),
    Sample("\u{1B}]11;rgb:00/00/\u{18}q", .character("q")),
    // Mouse reports: press, release, drag, wheel, with modifiers, at the far end.
    Sample("\u{1B}[<0;12;5Mq", MouseReport(.press, column: 11, row: 4), .character("q")),
    Sample("\u{1B}[<0;12;5mq", MouseReport(.release, column: 11, row: 4), .character("q")),
    Sample("\u{1B}[<2;1;1M", MouseReport(.press, button: .right, column: 0, row: 0)),
    Sample("\u{1B}[<1;1;1m", MouseReport(.release, button: .middle, column: 0, row: 0)),
    Sample("\u{1B}[<32;80;24M", MouseReport(.drag, column: 79, row: 23)),
    Sample("\u{1B}[<28;3;4M", MouseReport(.press, column: 2, row: 3)),
    Sample("\u{1B}[<64;3;4M", MouseReport(.scroll(-1), column: 2, row: 3)),
    Sample("\u{1B}[<65;3;4M", MouseReport(.scroll(1), column: 2, row: 3)),
    Sample("\u{1B}[<0;65535;65535M", MouseReport(.press, column: 65534, row: 65534)),
    Sample("\u{1B}[<35;3;4Mq", MouseReport(.move, column: 2, row: 3), .character("q")),
    // Of no use: a wheel to the side, places and codes that cannot be, numbers missing or
    // too many, another ending, a marker in the wrong place.
    Sample("\u{1B}[<35;3;4mq", .character("q")),
    Sample("\u{1B}[<66;3;4Mq", .character("q")),
    Sample("\u{1B}[<128;3;4Mq", .character("q")),
    Sample("\u{1B}[<0;0;4Mq\u{1B}[<0;4;0Mq", .character("q"), .character("q")),
    Sample("\u{1B}[<0;65536;1Mq\u{1B}[<0;1;9999999999Mq", .character("q"), .character("q")),
    Sample("\u{1B}[<0;12Mq\u{1B}[<Mq\u{1B}[<0;1;1;1Mq", .character("q"), .character("q"), .character("q")),
    Sample("\u{1B}[<0;12;5Aq\u{1B}[0<;1;1Mq", .character("q"), .character("q")),
    Sample("\u{1B}[>0;1;1Mq\u{1B}[?1;1Aq", .character("q"), .character("q")),
    Sample("\u{1B}[<0;12\u{03}", .control("c")),
    Sample("\u{1B}[M !!q", .character("q")),
    Sample("\u{1B}[32;5;6Mq", .character("q")),
    Sample("\u{1B}[Iq\u{1B}[Oq", .character("q"), .character("q")),
    Sample("\u{1B}[200~a\u{1B}[201~", .character("a")),
    Sample("\u{1B}[?2026;2$yq", .character("q")),
    Sample("\u{1B}[97;5uq\u{1B}[99999999999999999999~q", .character("q"), .character("q")),
    Sample("\u{1B}_Gi=1;OK\u{1B}\\q", .character("q")),
    Sample("\u{1B}P>|kitty\u{1B}\\q", .character("q")),
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

  @Test(arguments: samples) func everySplitGivesTheSameItems(_ sample: Sample) {
    // Each bit of the mask says whether to cut after a byte; long samples are cut at one and at two places.
    let gaps = sample.bytes.count - 1
    var cuts: [Set<Int>] = [[], Set(0..<gaps)]
    if gaps <= 10 {
      for mask in 0..<(1 << gaps) { cuts.append(Set((0..<gaps).filter { mask >> $0 & 1 == 1 })) }
    } else {
      for first in 0..<gaps { for second in first..<gaps { cuts.append([first, second]) } }
    }
    for cut in cuts {
      var parser = InputParser()
      var items: [InputParser.Item] = []
      var chunk: [UInt8] = []
      for (index, byte) in sample.bytes.enumerated() {
        chunk.append(byte)
        if cut.contains(index) {
          items += parser.feed(chunk)
          chunk = []
        }
      }
      items += parser.feed(chunk)
      #expect(items == sample.items)
      #expect(!parser.isPending)
      #expect(parser.flush() == [])
    }
  }

  /// A string may have any length; only the beginning is kept.
  @Test func longStringsAreSwallowed() {
    var parser = InputParser()
    let long = "\u{1B}]11;" + String(repeating: "x", count: 100_000) + "\u{07}q"
    #expect(parser.feed(long.utf8) == [.key(.character("q"))])
  }

  /// All samples in a row, in which no sample may disturb the next.
  @Test func samplesFollowEachOther() {
    var parser = InputParser()
    let items = parser.feed(Self.samples.flatMap(\.bytes))
    #expect(items == Self.samples.flatMap(\.items))
  }

  @Test(arguments: [
    ("\u{1B}", [Key.escape]), ("\u{1B}[", [.alternate("[")]), ("\u{1B}O", [.alternate("O")]),
    ("\u{1B}P", [.alternate("P")]), ("\u{1B}]", [.alternate("]")]), ("\u{1B}_", [.alternate("_")]),
    ("\u{1B}[1", []), ("\u{1B}[[", []), ("\u{1B}[M!", []), ("\u{1B}_Gi", []), ("\u{1B}_Gi\u{1B}", [.escape]),
  ])
  func flushSettlesWhatIsOpen(_ text: String, _ keys: [Key]) {
    var parser = InputParser()
    #expect(parser.feed(text.utf8) == [])
    #expect(parser.isPending)
    #expect(parser.flush() == keys.map(InputParser.Item.key))
    #expect(!parser.isPending)
    #expect(parser.feed("a".utf8) == [.key(.character("a"))])
  }

  @Test func twoEscapesAreTwoKeys() {
    var parser = InputParser()
    #expect(parser.feed([0x1B, 0x1B]) == [.key(.escape)])
    #expect(parser.flush() == [.key(.escape)])
  }

  @Test func everyScalarIsDecoded() {
    // One of every length and both sides of every border.
    for value: UInt32 in [0x21, 0x7E, 0xA0, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var parser = InputParser()
      #expect(parser.feed(String(scalar).utf8) == [.key(.character(Character(scalar)))])
    }
  }

  /// No three bytes whatever leave the parser unable to hear a key afterwards.
  @Test func noThreeBytesBlockTheParser() {
    let interesting: [UInt8] = [
      0x00, 0x03, 0x07, 0x18, 0x1B, 0x20, 0x30, 0x3B, 0x3F, 0x41, 0x4D, 0x4F, 0x50, 0x5B, 0x5C, 0x5D, 0x5F,
      0x7E,
      0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF,
    ]
    for first in interesting {
      for second in interesting {
        for third in interesting {
          var parser = InputParser()
          _ = parser.feed([first, second, third])
          _ = parser.flush()
          #expect(parser.feed("\u{1B}[A".utf8) == [.key(.up)])
        }
      }
    }
  }
}

import Testing

@testable import TerminalDisplay

@Suite("Entries of the terminfo database")
struct TerminfoEntryTests {
  /// A compiled entry (term(5)) whose number 13 is the colours.
  private func entry(
    colors: Int, isWide: Bool = false, names: String = "x|a terminal", flags: Int = 3, numbers: Int = 15
  ) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] {
      [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    var bytes = [isWide ? 0o1036 : 0o432, names.utf8.count + 1, flags, numbers, 0, 0].flatMap(short)
    bytes += Array(names.utf8) + [0] + Array(repeating: 1, count: flags)
    if bytes.count % 2 == 1 { bytes.append(0) }
    for place in 0..<numbers {
      let value = place == 13 ? colors : 1000 + place
      bytes += short(value) + (isWide ? short(value >> 16) : [])
    }
    return bytes
  }

  @Test(
    "Colours are number 13, in either width, after names and flags of any length", arguments: [false, true])
  func colors(isWide: Bool) {
    for names in ["x", "xy", "xyz|some terminal"] {
      for flags in [0, 1, 2, 37] {
        for colors in [0, 8, 256] {
          let bytes = entry(colors: colors, isWide: isWide, names: names, flags: flags)
          #expect(TerminfoEntry(bytes)?.colors == colors)
        }
      }
    }
    #expect(TerminfoEntry(entry(colors: 1 << 24, isWide: true))?.colors == 1 << 24)
  }

  @Test("An absent number is no colours")
  func absent() {
    #expect(TerminfoEntry(entry(colors: -1))?.colors == 0)
    #expect(TerminfoEntry(entry(colors: -1, isWide: true))?.colors == 0)
    #expect(TerminfoEntry(entry(colors: 8, numbers: 13))?.colors == 0)
  }

  @Test("Other bytes, and any that are cut off, are no entry")
  func malformed() {
    let whole = entry(colors: 8, isWide: true)
    // Colours are the last number but one.
    for count in 0..<whole.count - 4 { #expect(TerminfoEntry(Array(whole.prefix(count))) == nil) }
    #expect(TerminfoEntry(Array("#!/bin/sh -e".utf8)) == nil)
    var negative = whole
    negative[3] = 0xFF
    #expect(TerminfoEntry(negative) == nil)
  }

  @Test("Entries are sought where ncurses seeks them; a name is no path")
  func places() {
    let folders = TerminfoEntry.folders([
      "TERMINFO": "/a", "HOME": "/h", "TERMINFO_DIRS": "/b::relative:/c",
    ])
    #expect(folders.prefix(4) == ["/a", "/h/.terminfo", "/b", "/c"])
    #expect(folders.contains("/usr/share/terminfo"))
    for name in ["", ".", "..", "../../etc/passwd", "x/../../../etc/passwd"] {
      #expect(TerminfoEntry.read(name, environment: [:]) == nil)
    }
    #expect(TerminfoEntry.read("no-such-terminal", environment: [:]) == nil)
  }
}

import Glibc

/// What the system's terminfo database says of a terminal, as far as it is of use here; only
/// ``read(_:environment:)`` reads files.
struct TerminfoEntry: Hashable {
  /// How many colours there are; 0 for none.
  let colors: Int

  /// The place of `max_colors` among the numbers of an entry (term.h).
  private static let colorsPlace = 13

  init(colors: Int) { self.colors = colors }

  /// Reads a compiled entry (term(5)); nil for other bytes.
  init?(_ bytes: [UInt8]) {
    func short(_ place: Int) -> Int? {
      guard place >= 0, place + 1 < bytes.count else { return nil }
      return Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
    }
    guard let magic = short(0), let names = short(2), let flags = short(4), let numbers = short(6),
      names >= 0, flags >= 0
    else { return nil }
    // Numbers have 16 bits in older entries, 32 in newer ones, and begin at an even place.
    let isWide = magic == 0o1036
    guard isWide || magic == 0o432 else { return nil }
    let start = (12 + names + flags + 1) / 2 * 2
    guard numbers > Self.colorsPlace else {
      colors = 0
      return
    }
    let place = start + Self.colorsPlace * (isWide ? 4 : 2)
    guard let low = short(place) else { return nil }
    guard isWide else {
      colors = max(0, low)
      return
    }
    guard let high = short(place + 2) else { return nil }
    colors = max(0, high << 16 | low & 0xFFFF)
  }

  /// The entry of a terminal, from the places where ncurses looks; nil if there is none.
  static func read(_ term: String, environment: [String: String]) -> TerminfoEntry? {
    // The name becomes part of a path.
    guard let first = term.utf8.first, !term.utf8.contains(UInt8(ascii: "/")), term != ".", term != ".."
    else { return nil }
    let initial = String(Unicode.Scalar(first))
    // Systems whose file names know no case name the folder by the letter's number.
    let number = String(first, radix: 16)
    for folder in folders(environment) {
      for part in [initial, number] {
        if let bytes = file("\(folder)/\(part)/\(term)") { return TerminfoEntry(bytes) }
      }
    }
    return nil
  }

  static func folders(_ environment: [String: String]) -> [String] {
    let standard = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo"]
    var folders: [String] = []
    if let own = environment["TERMINFO"], own.hasPrefix("/") { folders.append(own) }
    if let home = environment["HOME"], home.hasPrefix("/") { folders.append(home + "/.terminfo") }
    for part in (environment["TERMINFO_DIRS"] ?? "").split(separator: ":") where part.hasPrefix("/") {
      folders.append(String(part))
    }
    return folders + standard
  }

  /// The bytes of a file; nil if it cannot be read at once. Entries have at most 32 KiB.
  private static func file(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32_768)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}

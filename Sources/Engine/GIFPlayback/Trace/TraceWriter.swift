/// An entry of a trace: what a player or a thread did at an instant, or over some time.
struct TraceEntry: Sendable, Hashable {
  enum Phase: String, Sendable, Hashable {
    /// Something that takes time.
    case complete = "X"
    /// Something that happens.
    case instant = "i"
    /// Numbers that change.
    case counter = "C"
    /// What a track is called.
    case metadata = "M"
  }

  /// What tracks stand for: a process each in the terms of the format.
  enum Group: Int, Sendable, Hashable {
    case players = 1
    case decoding = 2
  }

  enum Value: Sendable, Hashable {
    case number(Int64)
    case text(String)
  }

  var phase: Phase
  var name: String
  /// The kind of event: `frame`, `cache`, `decode` or `player`; empty for metadata.
  var category = ""
  var group = Group.players
  /// The player's number, or the thread's.
  var track: Int
  /// Nanoseconds since the trace began.
  var start: Int64 = 0
  /// Nanoseconds; of entries that take time.
  var duration: Int64 = 0
  /// In the order in which they are written.
  var arguments: [(name: String, value: Value)] = []

  static func == (left: TraceEntry, right: TraceEntry) -> Bool {
    (left.phase, left.name, left.category, left.group, left.track) == (
      right.phase, right.name, right.category, right.group, right.track
    )
      && (left.start, left.duration) == (right.start, right.duration)
      && left.arguments.elementsEqual(right.arguments) { $0.name == $1.name && $0.value == $1.value }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(track)
    hasher.combine(start)
  }
}

/// Writes entries as JSON in Chrome's trace event format (the object form, times in microseconds), which
/// `chrome://tracing`, Perfetto and Speedscope read.
struct TraceWriter {
  private(set) var bytes: [UInt8] = []

  static func json(_ entries: [TraceEntry], dropped: Int) -> [UInt8] {
    var writer = TraceWriter()
    writer.add("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"droppedEntries\":\(dropped)},\"traceEvents\":[")
    for (place, entry) in entries.enumerated() {
      writer.add(place == 0 ? "\n" : ",\n")
      writer.add(entry)
    }
    writer.add("\n]}\n")
    return writer.bytes
  }

  private mutating func add(_ text: String) { bytes += text.utf8 }

  private mutating func add(_ entry: TraceEntry) {
    add(
      "{\"ph\":\"\(entry.phase.rawValue)\",\"pid\":\(entry.group.rawValue),\"tid\":\(entry.track),\"name\":")
    addText(entry.name)
    if !entry.category.isEmpty {
      add(",\"cat\":")
      addText(entry.category)
    }
    if entry.phase != .metadata {
      add(",\"ts\":")
      addMicroseconds(entry.start)
    }
    if entry.phase == .complete {
      add(",\"dur\":")
      addMicroseconds(entry.duration)
    }
    // The scope of an instant: its own track.
    if entry.phase == .instant { add(",\"s\":\"t\"") }
    if !entry.arguments.isEmpty {
      add(",\"args\":{")
      for (place, argument) in entry.arguments.enumerated() {
        if place > 0 { add(",") }
        addText(argument.name)
        add(":")
        switch argument.value {
        case .number(let number): add("\(number)")
        case .text(let text): addText(text)
        }
      }
      add("}")
    }
    add("}")
  }

  /// Microseconds with three digits after the point: exact, and no floating point.
  private mutating func addMicroseconds(_ nanoseconds: Int64) {
    let size = nanoseconds.magnitude
    let digits = String(size % 1000)
    add(
      "\(nanoseconds < 0 ? "-" : "")\(size / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    )
  }

  private mutating func addText(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let hex = String(byte, radix: 16)
        add("\\u00\(hex.count < 2 ? "0" : "")\(hex)")
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

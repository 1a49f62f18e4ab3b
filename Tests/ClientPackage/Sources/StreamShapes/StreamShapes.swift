import Gallop
import Shapes
import Synchronization

/// The ways in which clients hold a ``GIFStream``, read a file with it, and give it up.
public enum StreamShapeList {
  public static let all: [Shape] = [
    Shape("local, early return", earlyReturn), Shape("local, two ways out of a throw", twoWaysOut),
    Shape("pieces in a loop", piecesInALoop), Shape("loop that ends by consuming", consumedInLoop),
    Shape("inout", passedInout), Shape("consuming", passedConsuming), Shape("borrowing", passedBorrowing),
    Shape("closure called at once", closure), Shape("field of a struct", fieldOfStruct),
    Shape("field of a class", fieldOfClass), Shape("optional, taken", optionalTaken),
    Shape("optional, chained", optionalChained), Shape("payload of an enum", payload),
    Shape("behind a lock", behindLock), Shape("box of any type", boxed),
    Shape("initialised late", initialisedLate),
    Shape("begun again", begunAnew), Shape("deferred", deferred), Shape("result of a function", returned),
    Shape("generic parameter", generic),
  ]

  private static func earlyReturn(_ file: [UInt8]) -> Int {
    func read(stop: Bool) -> Int {
      var stream = GIFStream()
      do {
        try stream.append(file)
        if stop { return -1 }
        return try stream.finish().frameCount
      } catch {
        return 0
      }
    }
    return read(stop: true) == -1 ? read(stop: false) : 0
  }

  private static func twoWaysOut(_ file: [UInt8]) throws -> Int {
    func read(_ bytes: [UInt8], stop: Bool) throws(GIFError) -> Int? {
      var stream = GIFStream()
      try stream.append(bytes)
      guard !stop else { return nil }
      return try stream.finish().frameCount
    }
    guard (try? read([1, 2, 3, 4, 5, 6, 7], stop: false)) == nil, try read(file, stop: true) == nil else {
      return 0
    }
    return try read(file, stop: false) ?? 0
  }

  private static func piecesInALoop(_ file: [UInt8]) throws -> Int {
    var stream = GIFStream()
    var most = 0
    for start in stride(from: 0, to: file.count, by: 100) {
      try stream.append(Array(file[start..<min(file.count, start + 100)]))
      guard let image = try stream.image else { continue }
      most = max(most, image.frameCount)
    }
    return try stream.finish().frameCount == most ? most : 0
  }

  private static func consumedInLoop(_ file: [UInt8]) throws -> Int {
    var stream = GIFStream()
    var rest = file[...]
    while true {
      try stream.append(Array(rest.prefix(64)))
      rest = rest.dropFirst(64)
      if rest.isEmpty { return try stream.finish().frameCount }
    }
  }

  private static func passedInout(_ file: [UInt8]) throws -> Int {
    func feed(_ stream: inout GIFStream) throws { try stream.append(file) }
    var stream = GIFStream(limits: .default)
    try feed(&stream)
    return try stream.finish().frameCount
  }

  private static func passedConsuming(_ file: [UInt8]) throws -> Int {
    func end(_ stream: consuming GIFStream) throws -> Int { try stream.finish().frameCount }
    func drop(_ stream: consuming GIFStream) {}
    var stream = GIFStream()
    drop(GIFStream())
    try stream.append(file)
    return try end(stream)
  }

  private static func passedBorrowing(_ file: [UInt8]) throws -> Int {
    func count(_ stream: borrowing GIFStream) throws -> Int { try stream.image?.frameCount ?? 0 }
    var stream = GIFStream()
    try stream.append(file)
    return try count(stream)
  }

  private static func closure(_ file: [UInt8]) throws -> Int {
    func now<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
    var stream = GIFStream()
    try now { try stream.append(file) }
    return try now { try stream.image?.frameCount ?? 0 }
  }

  private struct Holder: ~Copyable {
    var name = "holder"
    var stream = GIFStream()

    consuming func end() throws -> Int { try stream.finish().frameCount }
  }

  private static func fieldOfStruct(_ file: [UInt8]) throws -> Int {
    var holder = Holder()
    try holder.stream.append(file)
    if holder.name.isEmpty { return 0 }
    return try holder.end()
  }

  private final class Owner {
    var stream: GIFStream? = GIFStream()
    var second = GIFStream()

    func take() -> GIFStream? { stream.take() }
  }

  private static func fieldOfClass(_ file: [UInt8]) throws -> Int {
    let owner = Owner()
    try owner.stream?.append(file)
    try owner.second.append(file)
    guard let stream = owner.take() else { return 0 }
    let count = try owner.second.image?.frameCount
    return try stream.finish().frameCount == count ? count ?? 0 : 0
  }

  private static func optionalTaken(_ file: [UInt8]) throws -> Int {
    var kept: GIFStream? = GIFStream()
    try kept?.append(file)
    guard let stream = kept.take() else { return 0 }
    return kept == nil ? try stream.finish().frameCount : 0
  }

  private static func optionalChained(_ file: [UInt8]) throws -> Int {
    var kept: GIFStream? = nil
    for turn in 0..<3 {
      if turn == 1 { kept = GIFStream() }
      try kept?.append(file)
      if turn == 1, let image = try kept?.image { return image.frameCount }
    }
    return 0
  }

  private enum Phase: ~Copyable {
    case reading(GIFStream)
    case over(Int)

    consuming func next() throws -> Phase {
      switch consume self {
      case .reading(let stream): .over(try stream.finish().frameCount)
      case .over(let count): .over(count)
      }
    }
  }

  private static func payload(_ file: [UInt8]) throws -> Int {
    var stream = GIFStream()
    try stream.append(file)
    switch try Phase.reading(stream).next().next() {
    case .over(let count): return count
    case .reading: return 0
    }
  }

  private static func behindLock(_ file: [UInt8]) throws -> Int {
    let lock = Mutex<GIFStream?>(GIFStream())
    try lock.withLock { try $0?.append(file) }
    let stream = lock.withLock { $0.take() }
    return try stream?.finish().frameCount ?? 0
  }

  private struct Box<Value: ~Copyable>: ~Copyable {
    var value: Value

    consuming func open() -> Value { value }
  }

  private static func boxed(_ file: [UInt8]) throws -> Int {
    var box = Box(value: GIFStream())
    try box.value.append(file)
    return try box.open().finish().frameCount
  }

  private static func initialisedLate(_ file: [UInt8]) throws -> Int {
    var stream: GIFStream
    if file.isEmpty {
      stream = GIFStream(limits: .untrusted)
    } else {
      stream = GIFStream()
    }
    try stream.append(file.span)
    return try (consume stream).finish().frameCount
  }

  private static func begunAnew(_ file: [UInt8]) throws -> Int {
    var stream = GIFStream()
    var counts: [Int] = []
    for _ in 0..<3 {
      try stream.append(file)
      counts.append(try stream.finish().frameCount)
      stream = GIFStream()
    }
    return stream.byteCount == 0 && Set(counts).count == 1 ? counts[0] : 0
  }

  private static func deferred(_ file: [UInt8]) throws -> Int {
    var told = 0
    func read() throws -> Int {
      var stream = GIFStream()
      defer { told = stream.byteCount }
      try stream.append(file)
      return try stream.image?.frameCount ?? 0
    }
    let count = try read()
    return told == file.count ? count : 0
  }

  private static func returned(_ file: [UInt8]) throws -> Int {
    func fed() throws(GIFError) -> GIFStream {
      var stream = GIFStream()
      try stream.append(file)
      return stream
    }
    return try fed().finish().frameCount
  }

  private static func generic(_ file: [UInt8]) throws -> Int {
    func with<Value: ~Copyable>(_ value: consuming Value, _ body: (inout Value) throws -> Void) rethrows
      -> Value
    {
      try body(&value)
      return value
    }
    return try with(GIFStream()) { try $0.append(file) }.finish().frameCount
  }
}

/// XXH64 (xxHash, 64 bits, seed 0): finds changed bytes at several bytes a cycle. Not for secrets.
struct XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
  private static let stripe = 32

  private var lanes = (Self.prime1 &+ Self.prime2, Self.prime2, UInt64(0), 0 &- Self.prime1)
  private var total = 0

  /// The digest of all bytes at once.
  static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = XXHash64()
    let taken = unsafe hash.consume(bytes)
    return unsafe hash.finish(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
  }

  /// Takes as many of the next bytes as make whole stripes; returns how many those are.
  mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = bytes.count / Self.stripe * Self.stripe
    var (one, two, three, four) = lanes
    var place = 0
    while place < count {
      one = unsafe Self.round(one, bytes.word(place))
      two = unsafe Self.round(two, bytes.word(place &+ 8))
      three = unsafe Self.round(three, bytes.word(place &+ 16))
      four = unsafe Self.round(four, bytes.word(place &+ 24))
      place &+= Self.stripe
    }
    lanes = (one, two, three, four)
    total += count
    return count
  }

  /// The digest of what was consumed and these last bytes.
  consuming func finish(_ rest: UnsafeRawBufferPointer) -> UInt64 {
    let taken = unsafe consume(rest)
    var hash = Self.prime5
    if total > 0 {
      let (one, two, three, four) = lanes
      hash = one.rotated(1) &+ two.rotated(7) &+ three.rotated(12) &+ four.rotated(18)
      for lane in [one, two, three, four] {
        hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
      }
    }
    hash &+= UInt64(total + rest.count - taken)
    var place = taken
    while place + 8 <= rest.count {
      hash = unsafe (hash ^ Self.round(0, rest.word(place))).rotated(27) &* Self.prime1 &+ Self.prime4
      place += 8
    }
    if place + 4 <= rest.count {
      let half = unsafe UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      hash = (hash ^ UInt64(half) &* Self.prime1).rotated(23) &* Self.prime2 &+ Self.prime3
      place += 4
    }
    while place < rest.count {
      hash = unsafe (hash ^ UInt64(rest[place]) &* Self.prime5).rotated(11) &* Self.prime1
      place += 1
    }
    hash = (hash ^ hash >> 33) &* Self.prime2
    hash = (hash ^ hash >> 29) &* Self.prime3
    return hash ^ hash >> 32
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    (lane &+ word &* prime2).rotated(31) &* prime1
  }
}

extension UInt64 {
  @inline(__always)
  fileprivate func rotated(_ bits: UInt64) -> UInt64 { self &<< bits | self &>> (64 &- bits) }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func word(_ place: Int) -> UInt64 {
    unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}

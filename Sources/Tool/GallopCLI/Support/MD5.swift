internal import Glibc

/// The MD5 digest of RFC 1321, by which other programs compare pictures. Not for secrets.
struct MD5 {
  private static let blockSize = 64
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  /// The integer part of 2^32 times the sine of 1 to 64 (RFC 1321, 3.4).
  private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

  private var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)

  private init() {}

  /// The digest in 32 hexadecimal digits, as `md5sum` prints it. `bytes` are read during the call only.
  static func digest(_ bytes: UnsafeRawBufferPointer) -> String {
    var hash = MD5()
    let wholeBlocks = bytes.count / blockSize * blockSize
    for start in stride(from: 0, to: wholeBlocks, by: blockSize) {
      unsafe hash.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + blockSize]))
    }
    // The rest, a bit, zeros, and the number of bits in the last eight bytes of a block.
    var rest = unsafe Array(bytes[wholeBlocks...])
    rest.append(0x80)
    while rest.count % blockSize != blockSize - 8 { rest.append(0) }
    let bits = UInt64(bytes.count) &* 8
    rest += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    unsafe rest.withUnsafeBytes { rest in
      for start in stride(from: 0, to: rest.count, by: blockSize) {
        unsafe hash.add(UnsafeRawBufferPointer(rebasing: rest[start..<start + blockSize]))
      }
    }
    return hash.text
  }

  static func digest(_ bytes: [UInt8]) -> String { unsafe bytes.withUnsafeBytes { unsafe digest($0) } }

  private var text: String {
    [state.0, state.1, state.2, state.3].map { word in
      Printable.digits(word.byteSwapped, count: 8).lowercased()
    }.joined()
  }

  /// Adds a block of 64 bytes: four rounds of sixteen steps, each with another function and another order of
  /// words.
  private mutating func add(_ block: UnsafeRawBufferPointer) {
    func word(_ index: Int) -> UInt32 {
      unsafe UInt32(littleEndian: block.loadUnaligned(fromByteOffset: 4 * (index & 15), as: UInt32.self))
    }
    var (a, b, c, d) = state
    let (sines, shifts) = (Self.sines.span, Self.shifts.span)
    @inline(__always) func step(_ index: Int, _ mixed: UInt32, _ word: UInt32) {
      let sum = a &+ mixed &+ word &+ sines[index]
      let shift = shifts[index / 16 * 4 + index % 4]
      (a, d, c) = (d, c, b)
      b = b &+ (sum &<< shift | sum &>> (32 &- shift))
    }
    for index in 0..<16 { step(index, d ^ (b & (c ^ d)), word(index)) }
    for index in 16..<32 { step(index, c ^ (d & (b ^ c)), word(5 &* index &+ 1)) }
    for index in 32..<48 { step(index, b ^ c ^ d, word(3 &* index &+ 5)) }
    for index in 48..<64 { step(index, c ^ (b | ~d), word(7 &* index)) }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }
}

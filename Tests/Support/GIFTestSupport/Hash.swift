/// Digests for golden values.
public enum Hash {
  /// The SHA-256 of `bytes` as 64 lower-case hex digits.
  public static func sha256Hex(_ bytes: some Sequence<UInt8>) -> String {
    var hasher = SHA256()
    for byte in bytes { hasher.append(byte) }
    return hasher.finish()
  }

  /// The digest of a canvas in the form of the conformance set: the first 16 hex digits of the SHA-256 of its
  /// R, G, B, A bytes, where a pixel with alpha 0 counts as four zeros.
  public static func canvasDigest(pixels: [UInt32]) -> String {
    var hasher = SHA256()
    for pixel in pixels {
      hasher.append(word: pixel >> 24 == 0 ? 0 : pixel.byteSwapped)
    }
    return String(hasher.finish().prefix(16))
  }
}

/// SHA-256 (FIPS 180-4), one pass, for tests only.
private struct SHA256 {
  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The message schedule; its first 16 words are the block that is being filled.
  private var schedule = [UInt32](repeating: 0, count: 64)
  private var wordsInBlock = 0
  /// The bytes of the word that is being filled, and how many there are.
  private var pending: UInt32 = 0
  private var pendingCount = 0
  private var byteCount: UInt64 = 0

  mutating func append(_ byte: UInt8) {
    pending = pending << 8 | UInt32(byte)
    pendingCount += 1
    byteCount += 1
    if pendingCount == 4 {
      pendingCount = 0
      push(pending)
    }
  }

  /// Appends four bytes at once, the highest first; only where no single bytes are pending.
  mutating func append(word: UInt32) {
    precondition(pendingCount == 0, "words follow words")
    byteCount += 4
    push(word)
  }

  /// Pads, and gives the digest as hex digits.
  mutating func finish() -> String {
    let bitCount = byteCount * 8
    append(0x80)
    while pendingCount != 0 { append(0) }
    while wordsInBlock != 14 { push(0) }
    push(UInt32(truncatingIfNeeded: bitCount >> 32))
    push(UInt32(truncatingIfNeeded: bitCount))
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func push(_ word: UInt32) {
    schedule[wordsInBlock] = word
    wordsInBlock += 1
    if wordsInBlock == 16 {
      wordsInBlock = 0
      compress()
    }
  }

  private mutating func compress() {
    for t in 16..<64 {
      let w15 = schedule[t - 15]
      let w2 = schedule[t - 2]
      let s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >> 3)
      let s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >> 10)
      schedule[t] = schedule[t - 16] &+ s0 &+ schedule[t - 7] &+ s1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for t in 0..<64 {
      let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum1 &+ choice &+ Self.roundConstants[t] &+ schedule[t]
      let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    for (position, value) in [a, b, c, d, e, f, g, h].enumerated() {
      state[position] &+= value
    }
  }

  private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }
}

// The code loop of the LZW decoder: one of the module's kernels with unsafe pointers (the others: BlendKernel, ScaleKernel).
//
// Why not spans: a checked access for each of the five memory operations of a code costs a fifth of the speed.
//
// What bounds every access:
// - Input: a refill loads eight bytes only where at least eight are left; the rest is taken byte by byte.
// - Table: only codes below `next` are looked up, and entries are made at `next`, which never passes 4096; both tables
//   have 4097 entries.
// - Output: codes are decoded only while fewer than `wanted` indices are there. A string has at most 4096 of them and
//   is written in chunks, at least 24 bytes and at most 23 too many, so that nothing passes `wanted` +
//   `IndexPlane.padding`.
// - Sources in the output: an entry below `next` was written by this stream since its last clear, and its string ends
//   before the place where the next one begins. What is read beyond it is within the same 23 bytes, and overwritten.

/// Decodes codes until enough indices are there or something ends the stream.
///
/// A string of up to eight indices is copied from its table entry, a longer one from the output. An entry is made when
/// its last index is known, which is the first one of the string that follows; a code that refers to the entry it
/// completes itself (KwKwK) begins like the string before it.
func decodeLZW(
  _ stream: borrowing CodeStream, codeSize: Int, wanted: Int, table: inout LZWTable, output: inout IndexPlane,
  isCancelled: CancelQuestion
) -> (outcome: LZWOutcome, count: Int) {
  precondition(wanted > 0 && output.capacity >= wanted && wanted <= Int(clamping: UInt32.max))
  precondition(table.heads.count == LZWTable.count && table.places.count == LZWTable.count)
  let byteCount = stream.count
  return unsafe stream.bytes.withUnsafeBytes { codes in
    unsafe table.heads.withUnsafeMutableBufferPointer { heads in
      unsafe table.places.withUnsafeMutableBufferPointer { places in
        unsafe output.withUnsafeStorage { indices in
          guard let codes = codes.baseAddress, let heads = heads.baseAddress, let places = places.baseAddress
          else { return (.outOfData, 0) }
          if let isCancelled, wanted > askedFrom {
            return unsafe runCodesAsking(
              codes, byteCount, codeSize: codeSize, wanted: wanted, heads: heads, places: places,
              output: indices, isCancelled: isCancelled)
          }
          return unsafe runCodes(
            codes, byteCount, codeSize: codeSize, wanted: wanted, heads: heads, places: places,
            output: indices, isCancelled: nil)
        }
      }
    }
  }
}

/// The code bits that have been read and not yet taken.
@unsafe private struct CodeBits {
  private let bytes: UnsafeRawPointer
  private let byteCount: Int
  private var position = 0
  /// Above ``count`` stand bits of the next byte, which the next refill sets again to the same values.
  private var bits: UInt64 = 0
  private var count = 0

  init(_ bytes: UnsafeRawPointer, byteCount: Int) {
    unsafe self.bytes = unsafe bytes
    unsafe self.byteCount = byteCount
  }

  /// Whether `width` bits are there, after reading more where they are not.
  @inline(__always)
  mutating func hold(_ width: Int) -> Bool {
    if unsafe count >= width { return true }
    unsafe refill()
    return unsafe count >= width
  }

  /// Reads 56 bits or more where there are as many; afterwards ``count`` is exact.
  @inline(__always)
  private mutating func refill() {
    guard unsafe position &+ 8 <= byteCount else { return unsafe readRest() }
    let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    unsafe bits |= word &<< UInt64(truncatingIfNeeded: count)
    let taken = unsafe (63 &- count) &>> 3
    unsafe position &+= taken
    unsafe count &+= taken &* 8
  }

  @inline(never)
  private mutating func readRest() {
    unsafe bits &= (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    while unsafe count <= 48, unsafe position < byteCount {
      let byte = unsafe bytes.load(fromByteOffset: position, as: UInt8.self)
      unsafe bits |= UInt64(byte) &<< UInt64(truncatingIfNeeded: count)
      unsafe position &+= 1
      unsafe count &+= 8
    }
  }

  /// Takes the next code; `width` bits are there.
  @inline(__always)
  mutating func take(_ width: Int) -> Int {
    let code = unsafe bits & ((1 &<< UInt64(truncatingIfNeeded: width)) &- 1)
    unsafe bits &>>= UInt64(truncatingIfNeeded: width)
    unsafe count &-= width
    return Int(truncatingIfNeeded: code)
  }
}

/// Indices from one question to the next: some milliseconds of work.
private let askedEvery = 1 << 20
/// Only frames of more indices are asked about. All others take few milliseconds, and the question costs a tenth of the
/// speed, though it is not asked in the inner loop.
private let askedFrom = 1 << 21

/// The loop with the question. Apart, so that the compiler makes two loops of the one below.
@inline(never)
@_optimize(speed)
private func runCodesAsking(
  _ codes: UnsafeRawPointer, _ byteCount: Int, codeSize: Int, wanted: Int,
  heads: UnsafeMutablePointer<UInt64>, places: UnsafeMutablePointer<UInt64>, output: UnsafeMutableRawPointer,
  isCancelled: @escaping @Sendable () -> Bool
) -> (outcome: LZWOutcome, count: Int) {
  unsafe runCodes(
    codes, byteCount, codeSize: codeSize, wanted: wanted, heads: heads, places: places, output: output,
    isCancelled: isCancelled)
}

/// The loop itself; its bounds are stated at the top of the file.
///
/// Three loops in one another: from clear code to clear code, through the stretches of one code width, over codes. The
/// innermost one so has little to keep in registers.
@_optimize(speed)
@inline(__always)
private func runCodes(
  _ codes: UnsafeRawPointer, _ byteCount: Int, codeSize: Int, wanted: Int,
  heads: UnsafeMutablePointer<UInt64>,
  places: UnsafeMutablePointer<UInt64>, output: UnsafeMutableRawPointer, isCancelled: CancelQuestion
) -> (outcome: LZWOutcome, count: Int) {
  let clear = 1 &<< codeSize
  var bits = unsafe CodeBits(codes, byteCount: byteCount)
  var out = 0
  /// Where the loop ends, or asks whether to go on: so the question costs it nothing.
  var stop = isCancelled == nil ? wanted : min(wanted, askedEvery)

  while true {
    // At the start, and after a clear code: the first code is a literal, and makes no entry.
    var width = codeSize &+ 1
    var first: Int
    repeat {
      guard unsafe bits.hold(width) else { return (.outOfData, out) }
      first = unsafe bits.take(width)
    } while first == clear
    guard first < clear else { return (first == clear &+ 1 ? .endOfInformation : .invalidCode, out) }
    unsafe output.storeBytes(of: UInt8(truncatingIfNeeded: first), toByteOffset: out, as: UInt8.self)

    /// The entry that the next code completes: the string before it and one index more. `unit` is where that index
    /// goes in the head, and 0 where the head is full.
    var head = UInt64(truncatingIfNeeded: first)
    var unit: UInt64 = 256
    var place = UInt64(truncatingIfNeeded: out) | 2 &<< 32
    var next = clear &+ 2
    var step = 1
    out &+= 1
    if out >= wanted { return (.complete, wanted) }

    var isCleared = false
    while !isCleared {
      if next >= 1 &<< width, width < 12 { width &+= 1 }
      if next > 4095 { step = 0 }
      let growsAt = next > 4095 ? Int.max : 1 &<< width

      repeat {
        guard unsafe bits.hold(width) else { return (.outOfData, out) }
        let code = unsafe bits.take(width)
        let newPlace: UInt64
        let newHead: UInt64
        if code < next {
          newPlace = unsafe places[code]
          newHead = unsafe heads[code]
        } else {
          // A code that stands for the very entry that it completes (KwKwK).
          guard code == next else { return (.invalidCode, out) }
          newPlace = place
          newHead = head | (head & 0xFF) &* unit
        }
        let length = Int(truncatingIfNeeded: newPlace &>> 32)
        if length == 0 {
          guard code == clear else { return (.endOfInformation, out) }
          isCleared = true
          break
        }
        unsafe heads[next] = head | (newHead & 0xFF) &* unit
        unsafe places[next] = place
        unsafe output.storeBytes(of: newHead.littleEndian, toByteOffset: out, as: UInt64.self)
        // Sixteen more are copied even where the head has all: asking first is guessed wrong too often.
        var source = Int(truncatingIfNeeded: newPlace & 0xFFFF_FFFF) &+ 8
        var target = out &+ 8
        let end = out &+ length
        repeat {
          let chunk = unsafe output.loadUnaligned(fromByteOffset: source, as: SIMD16<UInt8>.self)
          unsafe output.storeBytes(of: chunk, toByteOffset: target, as: SIMD16<UInt8>.self)
          source &+= 16
          target &+= 16
        } while target < end
        head = newHead
        unit = length < 8 ? 1 &<< UInt64(truncatingIfNeeded: length &* 8) : 0
        place = (newPlace & ~0xFFFF_FFFF) &+ 1 &<< 32 | UInt64(truncatingIfNeeded: out)
        out &+= length
        next &+= step
        if out >= stop {
          if out >= wanted { return (.complete, wanted) }
          if let isCancelled, isCancelled() { return (.cancelled, out) }
          stop = min(wanted, out &+ askedEvery)
        }
      } while next < growsAt
    }
  }
}

// The code loop of the LZW decoder: one of the module's kernels with unsafe pointers (the others:
// BlendKernel, ScaleKernel).
//
// Why not spans: a checked access for each of the five memory operations of a code costs a fifth of the
// speed.
//
// What bounds every access:
// - Input: a refill loads eight bytes only where at least eight are left; the rest is taken byte by byte.
// - Table: only codes below `next` are looked up, and entries are made at `next`, which never passes 4096;
//   both tables have 4097 entries.
// - Output: codes are decoded only while fewer than `wanted` indices are there. A string has at most 4096 of
//   them and is written in chunks, at least 40 bytes and at most 39 too many, so that nothing passes `wanted`
//   + `IndexPlane.padding`.
// - Sources in the output: an entry below `next` was written by this stream since its last clear, and its
//   string ends before the place where the next one begins. What is read beyond it is within the same 39
//   bytes, and overwritten.

/// Decodes codes until enough indices are there or something ends the stream.
///
/// A string of up to eight indices is copied from its table entry, a longer one from the output. An entry is
/// made when its last index is known, which is the first one of the string that follows; a code that refers
/// to the entry it completes itself (KwKwK) begins like the string before it.
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
          return unsafe runCodes(
            codes, byteCount, codeSize: codeSize, wanted: wanted, heads: heads, places: places,
            output: indices,
            isCancelled: wanted > askedFrom ? isCancelled : nil)
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
    guard unsafe position &+ 8 <= byteCount else {
      unsafe self = unsafe withRest
      return
    }
    let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    unsafe bits |= word &<< UInt64(truncatingIfNeeded: count)
    let taken = unsafe (63 &- count) &>> 3
    unsafe position &+= taken
    unsafe count &+= taken &* 8
  }

  /// The same with the last bytes. A value, since a change in place would keep the bits in memory in the
  /// loop.
  @inline(never)
  private var withRest: CodeBits {
    var rest = unsafe self
    unsafe rest.bits &= (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    while unsafe rest.count <= 48, unsafe rest.position < byteCount {
      let byte = unsafe bytes.load(fromByteOffset: rest.position, as: UInt8.self)
      unsafe rest.bits |= UInt64(byte) &<< UInt64(truncatingIfNeeded: rest.count)
      unsafe rest.position &+= 1
      unsafe rest.count &+= 8
    }
    return unsafe rest
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
/// Only frames of more indices are asked about: all others take few milliseconds.
private let askedFrom = 1 << 21

/// Where the decoder stands between two codes.
@unsafe private struct CodePosition {
  var bits: CodeBits
  /// Indices decoded.
  var out = 0
  /// The entry that the next code completes: the string before it and one index more. `unit` is where that
  /// index goes in the head, and 0 where the head is full.
  var head: UInt64 = 0
  var unit: UInt64 = 0
  var place: UInt64 = 0
  /// The code of that entry.
  var next = 0
}

/// Why ``runStretch`` returns.
private enum StretchEnd {
  /// The entries have reached `growsAt`.
  case grown
  /// The indices have reached `stop`.
  case stopped
  /// A clear code.
  case cleared
  case ended(LZWOutcome)
}

/// The loop over clear codes and code widths; the bounds are stated at the top of the file.
private func runCodes(
  _ codes: UnsafeRawPointer, _ byteCount: Int, codeSize: Int, wanted: Int,
  heads: UnsafeMutablePointer<UInt64>, places: UnsafeMutablePointer<UInt64>, output: UnsafeMutableRawPointer,
  isCancelled: CancelQuestion
) -> (outcome: LZWOutcome, count: Int) {
  let clear = 1 &<< codeSize
  var position = unsafe CodePosition(bits: CodeBits(codes, byteCount: byteCount))
  /// Where the loop ends, or asks whether to go on: so the question costs it nothing.
  var stop = isCancelled == nil ? wanted : min(wanted, askedEvery)

  while true {
    // At the start, and after a clear code: the first code is a literal, and makes no entry.
    var width = codeSize &+ 1
    var first: Int
    repeat {
      guard unsafe position.bits.hold(width) else { return unsafe (.outOfData, position.out) }
      first = unsafe position.bits.take(width)
    } while first == clear
    guard first < clear else {
      return unsafe (first == clear &+ 1 ? .endOfInformation : .invalidCode, position.out)
    }
    unsafe output.storeBytes(of: UInt8(truncatingIfNeeded: first), toByteOffset: position.out, as: UInt8.self)
    unsafe position.head = UInt64(truncatingIfNeeded: first)
    unsafe position.unit = 256
    unsafe position.place = UInt64(truncatingIfNeeded: position.out) | 2 &<< 32
    unsafe position.next = clear &+ 2
    unsafe position.out &+= 1
    if unsafe position.out >= wanted { return (.complete, wanted) }

    stretches: while true {
      let next = unsafe position.next
      if next >= 1 &<< width, width < 12 { width &+= 1 }
      let isFull = next > 4095
      let end = unsafe runStretch(
        &position, width: width, growsAt: isFull ? Int.max : 1 &<< width, step: isFull ? 0 : 1, stop: stop,
        clear: clear, heads: heads, places: places, output: output)
      switch end {
      case .grown: continue
      case .stopped:
        let out = unsafe position.out
        if out >= wanted { return (.complete, wanted) }
        if let isCancelled, isCancelled() { return (.cancelled, out) }
        stop = min(wanted, out &+ askedEvery)
      case .cleared: break stretches
      case .ended(let outcome): return unsafe (outcome, position.out)
      }
    }
  }
}

/// The loop over codes of one width. A function of its own, so that it has all registers to itself.
@inline(never)
@_optimize(speed)
private func runStretch(
  _ position: inout CodePosition, width: Int, growsAt: Int, step: Int, stop: Int, clear: Int,
  heads: UnsafeMutablePointer<UInt64>, places: UnsafeMutablePointer<UInt64>, output: UnsafeMutableRawPointer
) -> StretchEnd {
  var local = unsafe position
  defer { unsafe position = unsafe local }
  repeat {
    guard unsafe local.bits.hold(width) else { return .ended(.outOfData) }
    let code = unsafe local.bits.take(width)
    let newPlace: UInt64
    let newHead: UInt64
    if unsafe code < local.next {
      newPlace = unsafe places[code]
      newHead = unsafe heads[code]
    } else {
      // A code that stands for the very entry that it completes (KwKwK).
      guard unsafe code == local.next else { return .ended(.invalidCode) }
      newPlace = unsafe local.place
      newHead = unsafe local.head | (local.head & 0xFF) &* local.unit
    }
    let length = Int(truncatingIfNeeded: newPlace &>> 32)
    if length == 0 { return code == clear ? .cleared : .ended(.endOfInformation) }
    let out = unsafe local.out
    unsafe heads[local.next] = local.head | (newHead & 0xFF) &* local.unit
    unsafe places[local.next] = local.place
    unsafe output.storeBytes(of: newHead.littleEndian, toByteOffset: out, as: UInt64.self)
    // 32 more are copied even where the head has all: asking first is guessed wrong too often. With 16,
    // photographs decode 7 % faster, and files with many strings of 25 to 40 indices take up to 1.75 times as
    // long.
    var source = Int(truncatingIfNeeded: newPlace & 0xFFFF_FFFF) &+ 8
    var target = out &+ 8
    let end = out &+ length
    repeat {
      let chunk = unsafe output.loadUnaligned(fromByteOffset: source, as: SIMD32<UInt8>.self)
      unsafe output.storeBytes(of: chunk, toByteOffset: target, as: SIMD32<UInt8>.self)
      source &+= 32
      target &+= 32
    } while target < end
    unsafe local.head = newHead
    unsafe local.unit = length < 8 ? 1 &<< UInt64(truncatingIfNeeded: length &* 8) : 0
    unsafe local.place = (newPlace & ~0xFFFF_FFFF) &+ 1 &<< 32 | UInt64(truncatingIfNeeded: out)
    unsafe local.out = end
    unsafe local.next &+= step
    if end >= stop { return .stopped }
  } while unsafe local.next < growsAt
  return .grown
}

// The code loop of the LZW decoder: one of the module's two kernels with unsafe pointers (the other is BlendKernel).
//
// Why not spans: a checked access for each of the five memory operations of a code costs a fifth of the speed.
//
// What bounds every access:
// - Input: a refill loads eight bytes only where at least eight are left; the rest is taken byte by byte.
// - Table: codes are below 4096, being at most twelve bits; `last` never passes 4096; both tables have 4097 entries.
// - Output: codes are decoded only while fewer than `wanted` indices are there, and a string has at most 4096, so
//   with rounding up to whole chunks nothing is written beyond `wanted` + `IndexPlane.padding`.
// - Sources in the output: an entry that `code <= last` admits was written by this stream since its last clear, and
//   its string ends at or before the place where the next one begins.

/// Decodes codes until enough indices are there or something ends the stream.
///
/// A string of up to eight indices is copied from its table entry, a longer one from the output. The entry for the next
/// free code is made in two steps, because its last index is the first of the string that follows: first as if that
/// string began like the one before it, which is what a code that refers to itself (KwKwK) means; the next code then
/// mends it.
func decodeLZW(
  _ stream: borrowing CodeStream, codeSize: Int, wanted: Int, table: inout LZWTable, output: inout IndexPlane
) -> (outcome: LZWOutcome, count: Int) {
  precondition(wanted > 0 && output.capacity >= wanted && wanted <= Int(UInt32.max))
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
            output: indices)
        }
      }
    }
  }
}

/// The loop itself; its bounds are stated at the top of the file.
private func runCodes(
  _ codes: UnsafeRawPointer, _ byteCount: Int, codeSize: Int, wanted: Int,
  heads: UnsafeMutablePointer<UInt64>,
  places: UnsafeMutablePointer<UInt64>, output: UnsafeMutableRawPointer
) -> (outcome: LZWOutcome, count: Int) {
  let clear = 1 << codeSize
  var bits: UInt64 = 0
  var bitCount = 0
  var position = 0
  var width = codeSize + 1
  var mask: UInt64 = (1 << UInt64(width)) &- 1
  /// The highest code that stands for something: the end code after a clear, 4096 when the table is full.
  var last = clear + 1
  /// When to grow: the width's first code too many, out of reach for twelve bits.
  var growsAt = 1 << width
  var out = 0
  /// The string before, for the entry to be mended.
  var head: UInt64 = 0
  var headBits: UInt64 = 0

  while true {
    // Refill to 56 bits or more while there are bytes; afterwards `bitCount` is exact.
    if position &+ 8 <= byteCount {
      let word = unsafe UInt64(littleEndian: codes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      bits |= word &<< UInt64(truncatingIfNeeded: bitCount)
      let taken = (63 &- bitCount) &>> 3
      position &+= taken
      bitCount &+= taken &* 8
      // Bits above `bitCount` are those of the next byte, which the next refill sets again to the same value.
    } else {
      bits &= (1 &<< UInt64(truncatingIfNeeded: bitCount)) &- 1
      while bitCount <= 48, position < byteCount {
        let byte = unsafe codes.load(fromByteOffset: position, as: UInt8.self)
        bits |= UInt64(byte) &<< UInt64(truncatingIfNeeded: bitCount)
        position &+= 1
        bitCount &+= 8
      }
      if bitCount < width { return (.outOfData, out) }
    }

    repeat {
      let code = Int(truncatingIfNeeded: bits & mask)
      bits &>>= UInt64(truncatingIfNeeded: width)
      bitCount &-= width
      if code > last { return (.invalidCode, out) }
      let place = unsafe places[code]
      let length = Int(truncatingIfNeeded: place &>> 32)
      if length == 0 {
        if code != clear { return (.endOfInformation, out) }
        last = clear + 1
        width = codeSize + 1
        mask = (1 << UInt64(width)) &- 1
        growsAt = 1 << width
        // Mending the end code's entry below does no harm: it is never copied from.
        continue
      }

      let newHead = unsafe heads[code]
      unsafe heads[last] = head | (newHead & 0xFF) << headBits
      unsafe output.storeBytes(of: newHead.littleEndian, toByteOffset: out, as: UInt64.self)
      if length > 8 {
        var source = Int(truncatingIfNeeded: place & 0xFFFF_FFFF) &+ 8
        var target = out &+ 8
        let end = out &+ length
        repeat {
          let chunk = unsafe output.loadUnaligned(fromByteOffset: source, as: SIMD16<UInt8>.self)
          unsafe output.storeBytes(of: chunk, toByteOffset: target, as: SIMD16<UInt8>.self)
          source &+= 16
          target &+= 16
        } while target < end
      }

      last = min(last &+ 1, LZWTable.count - 1)
      head = newHead
      headBits = UInt64(truncatingIfNeeded: length) &* 8
      unsafe heads[last] = head | (head & 0xFF) << headBits
      unsafe places[last] = UInt64(truncatingIfNeeded: out) | UInt64(truncatingIfNeeded: length &+ 1) &<< 32
      out &+= length
      if last >= growsAt, width < 12 {
        width &+= 1
        mask = mask &* 2 &+ 1
        growsAt &*= 2
      }
      if out >= wanted { return (.complete, wanted) }
    } while bitCount >= width
  }
}

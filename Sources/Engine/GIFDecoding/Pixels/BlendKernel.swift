// Palette indices to pixels: one of the module's kernels with unsafe pointers (the others are LZWKernel and
// ScaleKernel).
//
// What bounds every access: the caller, ``BlendTarget/blendRow(from:count:to:)``, states its ranges as
// preconditions, once a row; eight indices are taken together only where at least eight are left; an index is
// a byte and a colour table has 256 entries.

/// Draws indices of which none is transparent.
@_optimize(speed)
func blendOpaque(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int
) {
  var column = 0
  while column &+ 8 <= count {
    let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self))
    if isUniform(word) {
      column &+= unsafe fillRun(
        of: word, in: source + column, colors, target + column &* 4, count: count &- column)
    } else {
      unsafe target.storeBytes(
        of: fourColors(UInt32(truncatingIfNeeded: word), colors), toByteOffset: column &* 4,
        as: SIMD4<UInt32>.self)
      unsafe target.storeBytes(
        of: fourColors(UInt32(truncatingIfNeeded: word &>> 32), colors), toByteOffset: column &* 4 &+ 16,
        as: SIMD4<UInt32>.self)
    }
    column &+= 8
  }
  while column < count {
    let index = unsafe source.load(fromByteOffset: column, as: UInt8.self)
    unsafe target.storeBytes(of: colors[Int(index)], toByteOffset: column &* 4, as: UInt32.self)
    column &+= 1
  }
}

/// Draws indices except the transparent one.
///
/// Runs of one index are skipped or filled, and looked for in eights, since a branch that is guessed wrong
/// costs as much as twenty pixels. All others are a select by the colour, as masks are noise to the
/// predictor. The transparent index alone has colour 0 in the table: every palette colour is opaque.
@_optimize(speed)
func blendMasked(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int,
  transparent: UInt8
) {
  let pattern = UInt64(transparent) &* 0x0101_0101_0101_0101
  var column = 0
  while column &+ 8 <= count {
    let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self))
    if !isUniform(word) {
      unsafe blendFour(UInt32(truncatingIfNeeded: word), colors, target + column &* 4)
      unsafe blendFour(UInt32(truncatingIfNeeded: word &>> 32), colors, target + column &* 4 + 16)
    } else if word != pattern {
      column &+= unsafe fillRun(
        of: word, in: source + column, colors, target + column &* 4, count: count &- column)
    } else {
      while column &+ 40 <= count, unsafe differences(from: pattern, in: source + column + 8) == 0 {
        column &+= 32
      }
    }
    column &+= 8
  }
  while column < count {
    let index = unsafe source.load(fromByteOffset: column, as: UInt8.self)
    if index != transparent {
      unsafe target.storeBytes(of: colors[Int(index)], toByteOffset: column &* 4, as: UInt32.self)
    }
    column &+= 1
  }
}

/// Draws indices from column `x` of a row on; returns the blocks in which a pixel has become another one.
///
/// Eight pixels at a time lie in one block, since all begin at a multiple of eight.
@_optimize(speed)
func blendNoting(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int,
  transparent: UInt8?, x: Int, shift: Int
) -> UInt64 {
  let pattern = UInt64(transparent ?? 0) &* 0x0101_0101_0101_0101
  let isMasked = transparent != nil
  let head = min(count, -x & 7)
  var blocks = unsafe blendNotingSingly(source, colors, target, 0..<head, x: x, shift: shift)
  var column = head
  while column &+ 8 <= count {
    let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self))
    if isMasked, word == pattern {
      while column &+ 40 <= count, unsafe differences(from: pattern, in: source + column + 8) == 0 {
        column &+= 32
      }
      column &+= 8
    } else if isUniform(word) {
      let color = unsafe SIMD4<UInt32>(repeating: colors[Int(word & 0xFF)])
      repeat {
        let isChange = unsafe fillNoting(target + column &* 4, with: color)
        blocks |= (isChange ? 1 : 0) &<< UInt64(truncatingIfNeeded: (x &+ column) &>> shift)
        column &+= 8
      } while unsafe column &+ 8 <= count
        && UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self)) == word
    } else {
      let place = unsafe target + column &* 4
      let changes =
        unsafe blendFourNoting(UInt32(truncatingIfNeeded: word), colors, place)
        | blendFourNoting(UInt32(truncatingIfNeeded: word &>> 32), colors, place + 16)
      blocks |= (isAnyBitSet(changes) ? 1 : 0) &<< UInt64(truncatingIfNeeded: (x &+ column) &>> shift)
      column &+= 8
    }
  }
  return unsafe blocks | blendNotingSingly(source, colors, target, column..<count, x: x, shift: shift)
}

/// Draws a few indices for ``blendNoting``, one after another.
private func blendNotingSingly(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer,
  _ columns: Range<Int>, x: Int, shift: Int
) -> UInt64 {
  var blocks: UInt64 = 0
  for column in columns {
    let color = unsafe colors[Int(source.load(fromByteOffset: column, as: UInt8.self))]
    guard color != 0, unsafe target.load(fromByteOffset: column &* 4, as: UInt32.self) != color else {
      continue
    }
    unsafe target.storeBytes(of: color, toByteOffset: column &* 4, as: UInt32.self)
    blocks |= 1 &<< UInt64(truncatingIfNeeded: (x &+ column) &>> shift)
  }
  return blocks
}

/// Draws four pixels; those of colour 0 stay as they are. Returns the bits that change.
@inline(__always)
private func blendFourNoting(
  _ word: UInt32, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer
) -> SIMD4<UInt32> {
  let above = unsafe fourColors(word, colors)
  let below = unsafe target.loadUnaligned(as: SIMD4<UInt32>.self)
  let drawn = above | (below & ~opaque(above))
  unsafe target.storeBytes(of: drawn, as: SIMD4<UInt32>.self)
  return drawn ^ below
}

/// Writes one colour to eight pixels; returns whether any of them was another one.
@inline(__always)
private func fillNoting(_ target: UnsafeMutableRawPointer, with color: SIMD4<UInt32>) -> Bool {
  let first = unsafe target.loadUnaligned(as: SIMD4<UInt32>.self)
  let second = unsafe target.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self)
  unsafe target.storeBytes(of: color, as: SIMD4<UInt32>.self)
  unsafe target.storeBytes(of: color, toByteOffset: 16, as: SIMD4<UInt32>.self)
  return isAnyBitSet((first ^ color) | (second ^ color))
}

@inline(__always)
private func isAnyBitSet(_ bits: SIMD4<UInt32>) -> Bool {
  let halves = unsafe unsafeBitCast(bits, to: SIMD2<UInt64>.self)
  return halves[0] | halves[1] != 0
}

/// All bits of those of four colours that are not 0.
@inline(__always)
private func opaque(_ colors: SIMD4<UInt32>) -> SIMD4<UInt32> {
  // Colours are opaque or 0, so the highest bit distinguishes them. Arithmetic, since masks are slow outside
  // x86.
  SIMD4<UInt32>(truncatingIfNeeded: SIMD4<Int32>(truncatingIfNeeded: colors) &>> 31)
}

/// Whether eight indices are all the same.
@inline(__always)
private func isUniform(_ word: UInt64) -> Bool { word == word &<< 8 | word &>> 56 }

/// Draws a run that begins with the eight indices of `word`; returns how many of `count` indices follow these
/// in it, in steps of 32.
@inline(__always)
private func fillRun(
  of word: UInt64, in source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>,
  _ target: UnsafeMutableRawPointer, count: Int
) -> Int {
  let color = unsafe colors[Int(word & 0xFF)]
  unsafe fill(target, with: color, eights: 1)
  var more = 0
  while more &+ 40 <= count, unsafe differences(from: word, in: source + more + 8) == 0 {
    unsafe fill(target + more &* 4 + 32, with: color, eights: 4)
    more &+= 32
  }
  return more
}

/// Writes one colour to eights of pixels.
@inline(__always)
private func fill(_ target: UnsafeMutableRawPointer, with color: UInt32, eights: Int) {
  let four = SIMD4<UInt32>(repeating: color)
  for part in 0..<eights &* 2 {
    unsafe target.storeBytes(of: four, toByteOffset: part &* 16, as: SIMD4<UInt32>.self)
  }
}

/// The bits in which the next 32 indices differ from four times the pattern, combined.
@inline(__always)
private func differences(from pattern: UInt64, in source: UnsafeRawPointer) -> UInt64 {
  let first = unsafe source.loadUnaligned(fromByteOffset: 0, as: UInt64.self) ^ pattern
  let second = unsafe source.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ pattern
  let third = unsafe source.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ pattern
  let fourth = unsafe source.loadUnaligned(fromByteOffset: 24, as: UInt64.self) ^ pattern
  return first | second | third | fourth
}

/// Draws four pixels; those of colour 0 stay as they are.
@inline(__always)
private func blendFour(
  _ word: UInt32, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer
) {
  let above = unsafe fourColors(word, colors)
  let below = unsafe target.loadUnaligned(as: SIMD4<UInt32>.self)
  let kept = below & ~opaque(above)
  unsafe target.storeBytes(of: above | kept, as: SIMD4<UInt32>.self)
}

/// The colours of the four indices in a word, the lowest byte first.
@inline(__always)
private func fourColors(_ word: UInt32, _ colors: UnsafePointer<UInt32>) -> SIMD4<UInt32> {
  unsafe SIMD4(
    colors[Int(word & 0xFF)], colors[Int(word &>> 8 & 0xFF)], colors[Int(word &>> 16 & 0xFF)],
    colors[Int(word &>> 24)])
}

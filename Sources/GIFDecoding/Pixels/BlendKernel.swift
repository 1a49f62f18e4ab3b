// Palette indices to pixels: one of the module's kernels with unsafe pointers (the others are LZWKernel and ScaleKernel).
//
// What bounds every access: `blendRow` states its ranges as preconditions, once a row; eight indices are taken
// together only where at least eight are left; an index is a byte and a colour table has 256 entries. How long the
// memory lives when other threads draw, too, is stated at `BandSharing`.

/// How a frame's indices become pixels.
struct Paint {
  /// 256 pixels; that of the transparent index is 0. No other one is, since all are opaque.
  private(set) var colors: [UInt32]
  private(set) var transparentIndex: UInt8?
  /// The palette's pixel for the transparent index.
  private var hidden: UInt32 = 0

  init(_ table: ColorTable, transparentIndex: UInt8?) {
    colors = table.colors
    hide(transparentIndex)
  }

  /// Makes another index the transparent one, in place: a table a frame would cost more than drawing a small one.
  mutating func hide(_ index: UInt8?) {
    guard index != transparentIndex else { return }
    if let transparentIndex { colors[Int(transparentIndex)] = hidden }
    transparentIndex = index
    guard let index else { return }
    hidden = colors[Int(index)]
    colors[Int(index)] = 0
  }
}

/// Indices and pixels of one drawing, for as long as their memory stands still.
@unsafe struct BlendTarget {
  let indices: UnsafeRawPointer
  let indexCount: Int
  let colors: UnsafePointer<UInt32>
  let pixels: UnsafeMutableRawPointer
  let pixelCount: Int
  let transparentIndex: UInt8?
  /// Where changes are noted; nil where all pixels are drawn without a look at what is there.
  let notes: ChangeNotes?

  /// Writes `count` indices from `first` on as pixels from `pixel` on.
  @inline(__always)
  func blendRow(from first: Int, count: Int, to pixel: Int) {
    unsafe precondition(first >= 0 && count >= 0 && first <= indexCount - count)
    unsafe precondition(pixel >= 0 && pixel <= pixelCount - count)
    let source = unsafe indices + first
    let target = unsafe pixels + pixel * 4
    guard count > 0, let notes = unsafe notes else {
      unsafe blend(source, target, count: count)
      return
    }
    let (row, x) = unsafe pixel.quotientAndRemainder(dividingBy: notes.grid.width)
    unsafe precondition(row < notes.rows.count && count <= notes.grid.width - x)
    let (noted, touched) = unsafe (notes.rows[row], notes.grid.bits(of: x..<x + count))
    if noted & touched == touched {
      unsafe blend(source, target, count: count)
    } else {
      unsafe notes.rows[row] |= blendNoting(
        source, colors, target, count: count, transparent: transparentIndex, x: x, shift: notes.grid.shift)
    }
  }

  @inline(__always)
  private func blend(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, count: Int) {
    if let transparent = unsafe transparentIndex {
      unsafe blendMasked(source, colors, target, count: count, transparent: transparent)
    } else {
      unsafe blendOpaque(source, colors, target, count: count)
    }
  }
}

/// The memory of ``ChangedBlocks``, for as long as it stands still. Threads that draw different rows note different words.
@unsafe struct ChangeNotes {
  let rows: UnsafeMutableBufferPointer<UInt64>
  let grid: ChangedBlocks.Grid
}

extension Canvas {
  /// Gives `body` the memory of this canvas and of what is drawn on it.
  mutating func withBlendTarget(
    _ indices: Span<UInt8>, _ paint: Paint, _ notes: ChangeNotes?, _ body: (BlendTarget) -> Void
  ) {
    precondition(paint.colors.count == 256)
    unsafe indices.withUnsafeBytes { indices in
      unsafe paint.colors.withUnsafeBufferPointer { colors in
        unsafe withUnsafePixels { pixels in
          guard let source = indices.baseAddress, let table = colors.baseAddress,
            let target = pixels.baseAddress
          else { return }
          unsafe body(
            BlendTarget(
              indices: source, indexCount: indices.count, colors: table, pixels: target,
              pixelCount: pixels.count / 4, transparentIndex: paint.transparentIndex, notes: notes))
        }
      }
    }
  }
}

/// One drawing, divided into bands that several threads may draw: the memory, and what goes where.
///
/// Holds no reference, so that a copy left behind keeps nothing alive. Valid while ``BandSharing/draw(_:)`` runs.
@unsafe package struct BandedDrawing {
  private let target: BlendTarget
  private let placement: RowPlacement
  private let bands: RowBands

  init(target: BlendTarget, placement: RowPlacement) {
    unsafe self.target = unsafe target
    unsafe self.placement = placement
    unsafe bands = RowBands(placement)
  }

  /// At most 65,535.
  package var bandCount: Int { unsafe bands.count }

  /// Draws one band. Different bands write to different rows of the canvas (``RowPlacement``), so different threads may
  /// draw them.
  package func draw(band: Int) { unsafe draw(bands[band]) }

  /// Draws some of the stored rows.
  @_optimize(speed)
  func draw(_ rows: Range<Int>) {
    unsafe placement.forEachRun(in: rows) { first, count, pixel in
      unsafe target.blendRow(from: first, count: count, to: pixel)
    }
  }
}

/// What has several threads draw the bands of a large drawing. The module above brings the threads.
package protocol BandSharing: AnyObject {
  /// Draws every band once; returns when all of them are finished and no thread looks at the drawing any more.
  func draw(_ drawing: BandedDrawing)
}

@_optimize(speed)
private func blendOpaque(
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

/// Runs of one index are skipped or filled, and looked for in eights, since a branch that is guessed wrong costs as much
/// as twenty pixels. All others are a select by the colour, as masks are noise to the predictor. The transparent index
/// alone has colour 0 in the table: every palette colour is opaque.
@_optimize(speed)
private func blendMasked(
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
private func blendNoting(
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
  // Colours are opaque or 0, so the highest bit distinguishes them. Arithmetic, since masks are slow outside x86.
  SIMD4<UInt32>(truncatingIfNeeded: SIMD4<Int32>(truncatingIfNeeded: colors) &>> 31)
}

/// Whether eight indices are all the same.
@inline(__always)
private func isUniform(_ word: UInt64) -> Bool { word == word &<< 8 | word &>> 56 }

/// Draws a run that begins with the eight indices of `word`; returns how many of `count` indices follow these in it, in
/// steps of 32.
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

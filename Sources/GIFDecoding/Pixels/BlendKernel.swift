// Palette indices to pixels: one of the module's kernels with unsafe pointers (the others are LZWKernel and ScaleKernel).
//
// What bounds every access: `blendRow` states its ranges as preconditions, once a row; eight indices are taken
// together only where at least eight are left; an index is a byte and a colour table has 256 entries. How long the
// memory lives when other threads draw, too, is stated at `BlendBoard`.

internal import Synchronization

/// How a frame's indices become pixels.
struct Paint {
  /// 256 pixels; that of the transparent index is 0, all others are opaque.
  let colors: [UInt32]
  let transparentIndex: UInt8?

  init(_ table: ColorTable, transparentIndex: UInt8?) {
    colors = table.colors(transparentIndex: transparentIndex)
    self.transparentIndex = transparentIndex
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

  /// Writes `count` indices from `first` on as pixels from `pixel` on.
  @inline(__always)
  func blendRow(from first: Int, count: Int, to pixel: Int) {
    unsafe precondition(first >= 0 && count >= 0 && first <= indexCount - count)
    unsafe precondition(pixel >= 0 && pixel <= pixelCount - count)
    let source = unsafe indices + first
    let target = unsafe pixels + pixel * 4
    if let transparent = unsafe transparentIndex {
      unsafe blendMasked(source, colors, target, count: count, transparent: transparent)
    } else {
      unsafe blendOpaque(source, colors, target, count: count)
    }
  }
}

extension Canvas {
  /// Gives `body` the memory of this canvas and of what is drawn on it.
  mutating func withBlendTarget(_ plane: borrowing IndexPlane, _ paint: Paint, _ body: (BlendTarget) -> Void)
  {
    precondition(paint.colors.count == 256)
    unsafe plane.indices.withUnsafeBytes { indices in
      unsafe paint.colors.withUnsafeBufferPointer { colors in
        unsafe withUnsafePixels { pixels in
          guard let source = indices.baseAddress, let table = colors.baseAddress,
            let target = pixels.baseAddress
          else { return }
          unsafe body(
            BlendTarget(
              indices: source, indexCount: indices.count, colors: table, pixels: target,
              pixelCount: pixels.count / 4, transparentIndex: paint.transparentIndex))
        }
      }
    }
  }
}

/// One drawing: the memory, and what goes where. Holds no reference, so that a copy left behind keeps nothing alive.
@unsafe struct BlendJob {
  let target: BlendTarget
  let placement: RowPlacement

  /// Draws some of the stored rows.
  func blend(_ rows: Range<Int>) {
    unsafe placement.forEachRun(in: rows) { first, count, pixel in
      unsafe target.blendRow(from: first, count: count, to: pixel)
    }
  }
}

/// Where the thread that draws offers bands of a large drawing to threads that have nothing better to do.
///
/// The one that draws takes bands from the top, helpers from the bottom, so that each keeps to the part of the canvas
/// that its processor already holds. Nobody is waited for but those who have taken a band: without helpers the
/// drawing is done alone.
///
/// What makes it safe: the job's memory stands still while ``run(_:_:)`` runs, and that returns only when no band is
/// left to take and every band taken is finished. A helper looks at the job only after taking a band. Bands write to
/// different rows of the canvas (``RowPlacement``). One thread at a time may call ``run(_:_:)``.
@safe package final class BlendBoard: @unchecked Sendable {
  /// The drawing's number in the high 32 bits, so that a claim meant for an older one fails; then the first band that
  /// is left and the one behind the last, 16 bits each.
  private let offer = Atomic<UInt64>(0)
  /// Bands that helpers have finished.
  private let finished = Atomic<Int>(0)
  private var job: (work: BlendJob, bands: RowBands)?
  private let pause: @Sendable () -> Void

  /// - Parameter pause: gives way to other threads for a moment; called while a helper is slow to finish its band.
  package init(pause: @escaping @Sendable () -> Void) { self.pause = pause }

  /// Whether ``help()`` would find a band now.
  package var hasWork: Bool { Self.isOpen(offer.load(ordering: .relaxed)) }

  /// Draws one band, if one is left. For any thread, at any time.
  package func help() -> Bool {
    guard let band = take(fromTop: false), let job = unsafe job else { return false }
    unsafe job.work.blend(job.bands[band])
    finished.add(1, ordering: .releasing)
    return true
  }

  /// Draws everything, with whoever helps. There are at most 65,535 bands.
  func run(_ work: BlendJob, _ bands: RowBands) {
    precondition(bands.count <= Int(UInt16.max))
    unsafe job = unsafe (work, bands)
    finished.store(0, ordering: .relaxed)
    let number = offer.load(ordering: .relaxed) &>> 32 &+ 1
    offer.store(number &<< 32 | UInt64(bands.count), ordering: .releasing)
    var own = 0
    while let band = take(fromTop: true) {
      unsafe work.blend(bands[band])
      own += 1
    }
    var looks = 0
    while finished.load(ordering: .acquiring) < bands.count - own {
      looks += 1
      if looks > 1000 { pause() }
    }
    unsafe job = nil
  }

  private static func isOpen(_ offer: UInt64) -> Bool { offer &>> 16 & 0xFFFF < offer & 0xFFFF }

  private func take(fromTop: Bool) -> Int? {
    var seen = offer.load(ordering: .relaxed)
    while Self.isOpen(seen) {
      let (exchanged, now) = offer.compareExchange(
        expected: seen, desired: fromTop ? seen &+ 1 &<< 16 : seen &- 1, ordering: .acquiringAndReleasing)
      if exchanged { return Int(fromTop ? seen &>> 16 & 0xFFFF : seen & 0xFFFF &- 1) }
      seen = now
    }
    return nil
  }
}

private func blendOpaque(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int
) {
  var column = 0
  while column &+ 8 <= count {
    let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self))
    unsafe target.storeBytes(
      of: fourColors(UInt32(truncatingIfNeeded: word), colors), toByteOffset: column &* 4,
      as: SIMD4<UInt32>.self)
    unsafe target.storeBytes(
      of: fourColors(UInt32(truncatingIfNeeded: word &>> 32), colors), toByteOffset: column &* 4 &+ 16,
      as: SIMD4<UInt32>.self)
    column &+= 8
  }
  while column < count {
    let index = unsafe source.load(fromByteOffset: column, as: UInt8.self)
    unsafe target.storeBytes(of: colors[Int(index)], toByteOffset: column &* 4, as: UInt32.self)
    column &+= 1
  }
}

/// Most frames with transparency are runs: eight indices that are all transparent cost one comparison. The rest is a
/// select by the colour, not a branch: masks are noise to the predictor. The transparent index has colour 0 in the
/// table, which no other has, every palette colour being opaque.
private func blendMasked(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int,
  transparent: UInt8
) {
  let pattern = UInt64(transparent) &* 0x0101_0101_0101_0101
  var column = 0
  while column &+ 8 <= count {
    let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self))
    if word != pattern {
      unsafe blendFour(UInt32(truncatingIfNeeded: word), colors, target + column &* 4)
      unsafe blendFour(UInt32(truncatingIfNeeded: word &>> 32), colors, target + column &* 4 + 16)
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

/// Draws four pixels; those of colour 0 stay as they are.
@inline(__always)
private func blendFour(
  _ word: UInt32, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer
) {
  let above = unsafe fourColors(word, colors)
  let below = unsafe target.loadUnaligned(as: SIMD4<UInt32>.self)
  unsafe target.storeBytes(of: above.replacing(with: below, where: above .== 0), as: SIMD4<UInt32>.self)
}

/// The colours of the four indices in a word, the lowest byte first.
@inline(__always)
private func fourColors(_ word: UInt32, _ colors: UnsafePointer<UInt32>) -> SIMD4<UInt32> {
  unsafe SIMD4(
    colors[Int(word & 0xFF)], colors[Int(word &>> 8 & 0xFF)], colors[Int(word &>> 16 & 0xFF)],
    colors[Int(word &>> 24)])
}

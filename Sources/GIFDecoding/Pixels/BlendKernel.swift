// Palette indices to pixels: one of the module's two kernels with unsafe pointers (the other is LZWKernel).
//
// What bounds every access: `blendRow` states its ranges as preconditions, once a row; eight indices are taken
// together only where at least eight are left; an index is a byte and a colour table has 256 entries.

/// How a frame's indices become pixels.
struct Paint {
  let colors: [UInt32]
  let transparentIndex: UInt8?
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

/// Eight pixels a turn, written in pairs.
@inline(__always)
private func blendEight(_ word: UInt64, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer) {
  for pair in 0..<4 {
    let two = word &>> UInt64(pair * 16)
    let low = unsafe UInt64(colors[Int(two & 0xFF)])
    let high = unsafe UInt64(colors[Int(two &>> 8 & 0xFF)])
    unsafe target.storeBytes(of: (low | high &<< 32).littleEndian, toByteOffset: pair * 8, as: UInt64.self)
  }
}

private func blendOpaque(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int
) {
  var column = 0
  while column &+ 8 <= count {
    let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self))
    unsafe blendEight(word, colors, target + column &* 4)
    column &+= 8
  }
  while column < count {
    let index = unsafe source.load(fromByteOffset: column, as: UInt8.self)
    unsafe target.storeBytes(of: colors[Int(index)], toByteOffset: column &* 4, as: UInt32.self)
    column &+= 1
  }
}

/// Most frames with transparency are runs: eight indices that are all transparent cost one comparison, eight of which
/// none is go the opaque way. The rest is a select for each pixel, not a branch: masks are noise to the predictor.
private func blendMasked(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int,
  transparent: UInt8
) {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let pattern = UInt64(transparent) &* ones
  var column = 0
  while column &+ 8 <= count {
    let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: column, as: UInt64.self))
    let difference = word ^ pattern
    if difference != 0 {
      // Some byte is zero exactly where this is not.
      let zeros = (difference &- ones) & ~difference & (ones &* 0x80)
      if zeros == 0 {
        unsafe blendEight(word, colors, target + column &* 4)
      } else {
        unsafe blendSelected(
          source + column, colors, target + column &* 4, count: 8, transparent: transparent)
      }
    }
    column &+= 8
  }
  unsafe blendSelected(
    source + column, colors, target + column &* 4, count: count &- column, transparent: transparent)
}

@inline(__always)
private func blendSelected(
  _ source: UnsafeRawPointer, _ colors: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, count: Int,
  transparent: UInt8
) {
  for column in 0..<count {
    let index = unsafe source.load(fromByteOffset: column, as: UInt8.self)
    let color = unsafe colors[Int(index)]
    let below = unsafe target.loadUnaligned(fromByteOffset: column &* 4, as: UInt32.self)
    unsafe target.storeBytes(
      of: index == transparent ? below : color, toByteOffset: column &* 4, as: UInt32.self)
  }
}

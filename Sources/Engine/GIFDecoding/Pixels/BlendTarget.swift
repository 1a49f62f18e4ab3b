internal import CVectorBlend

// Where a drawing's indices and pixels are, and which kernel draws them: CVectorBlend where the processor has
// its instructions and the frame is large enough, otherwise BlendKernel.
//
// What bounds every access: `blendRow` states its ranges as preconditions, once a row. How long the memory
// lives when other threads draw, too, is stated at `BandSharing`.

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

  /// Makes another index the transparent one, in place: a table a frame would cost more than drawing a small
  /// one.
  mutating func hide(_ index: UInt8?) {
    guard index != transparentIndex else { return }
    if let transparentIndex { colors[Int(transparentIndex)] = hidden }
    transparentIndex = index
    guard let index else { return }
    hidden = colors[Int(index)]
    colors[Int(index)] = 0
  }
}

/// The paint of each frame of an image: of its own palette, or of the global one.
struct FramePaints: Sendable {
  private let format: PixelFormat
  private var global: Paint

  init(_ image: GIFImage, format: PixelFormat) {
    self.format = format
    global = Paint(
      ColorTable(image.index.globalPalette, of: image.storage.head, format: format), transparentIndex: nil)
  }

  /// - Parameter image: a later state of the same image may have more frames.
  mutating func paint(for frame: FrameInfo, of image: GIFImage) throws(GIFError) -> Paint {
    if let colors = try image.localColors(of: frame, format: format) {
      return Paint(colors, transparentIndex: frame.transparentIndex)
    }
    global.hide(frame.transparentIndex)
    return global
  }
}

/// Indices and pixels of one drawing, for as long as their memory stands still.
@unsafe struct BlendTarget {
  let indices: UnsafeRawPointer
  let indexCount: Int
  let colors: UnsafePointer<UInt32>
  let pixels: UnsafeMutableRawPointer
  let pixelCount: Int
  /// The index whose pixels stay as they are.
  let keptIndex: UInt8?
  /// The index whose pixels become transparent; its colour is 0. None where changes are noted.
  let clearedIndex: UInt8?
  /// The colours as ``vector_blend`` takes them; nil where the kernel in Swift draws.
  let vectorTable: UnsafePointer<UInt8>?
  /// Where changes are noted; nil where all pixels are drawn without a look at what is there.
  let notes: ChangeNotes?

  /// An index for ``vector_blend``; -1 for none.
  private func number(_ index: UInt8?) -> Int32 { index.map(Int32.init) ?? -1 }

  /// Writes `count` indices from `first` on as pixels from `pixel` on.
  @inline(__always)
  func blendRow(from first: Int, count: Int, to pixel: Int) {
    unsafe precondition(first >= 0 && count >= 0 && first <= indexCount - count)
    unsafe precondition(pixel >= 0 && pixel <= pixelCount - count)
    let source = unsafe indices + first
    let target = unsafe pixels + pixel * 4
    guard let notes = unsafe notes, count > 0 else {
      unsafe blend(source, target, count: count)
      return
    }
    let (row, x) = unsafe pixel.quotientAndRemainder(dividingBy: notes.grid.width)
    unsafe precondition(row < notes.rows.count && count <= notes.grid.width - x)
    let (noted, touched) = unsafe (notes.rows[row], notes.grid.bits(of: x..<x + count))
    if noted & touched == touched {
      unsafe blend(source, target, count: count)
    } else if let table = unsafe vectorTable {
      unsafe notes.rows[row] |= vector_blend_noting(
        source.assumingMemoryBound(to: UInt8.self), table, target.assumingMemoryBound(to: UInt32.self), count,
        number(keptIndex), x, UInt32(notes.grid.shift))
    } else {
      unsafe notes.rows[row] |= blendNoting(
        source, colors, target, count: count, transparent: keptIndex, x: x, shift: notes.grid.shift)
    }
  }

  @inline(__always)
  private func blend(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, count: Int) {
    if let table = unsafe vectorTable {
      unsafe vector_blend(
        source.assumingMemoryBound(to: UInt8.self), table, target.assumingMemoryBound(to: UInt32.self), count,
        number(keptIndex), number(clearedIndex))
    } else if let kept = unsafe keptIndex {
      unsafe blendMasked(source, colors, target, count: count, transparent: kept)
    } else {
      unsafe blendOpaque(source, colors, target, count: count)
    }
  }
}

/// The memory of ``ChangedBlocks``, for as long as it stands still. Threads that draw different rows note
/// different words.
@unsafe struct ChangeNotes {
  let rows: UnsafeMutableBufferPointer<UInt64>
  let grid: ChangedBlocks.Grid
}

extension Canvas {
  /// Gives `body` the memory of this canvas and of what is drawn on it.
  ///
  /// - Parameter replaces: see ``draw(_:rect:isInterlaced:paint:replaces:fillsGaps:sharing:)``.
  mutating func withBlendTarget(
    _ indices: Span<UInt8>, _ paint: Paint, replaces: Bool, _ notes: ChangeNotes?,
    _ body: (BlendTarget) -> Void
  ) {
    precondition(paint.colors.count == 256)
    unsafe indices.withUnsafeBytes { indices in
      unsafe paint.colors.withUnsafeBufferPointer { colors in
        unsafe withUnsafePixels { pixels in
          guard let source = indices.baseAddress, let table = colors.baseAddress,
            let target = pixels.baseAddress
          else { return }
          unsafe withVectorTable(of: table, drawing: indices.count) { vectorTable in
            unsafe body(
              BlendTarget(
                indices: source, indexCount: indices.count, colors: table, pixels: target,
                pixelCount: pixels.count / 4, keptIndex: replaces ? nil : paint.transparentIndex,
                clearedIndex: replaces ? paint.transparentIndex : nil,
                vectorTable: vectorTable, notes: notes))
          }
        }
      }
    }
  }
}

/// Gives `body` the colours as ``vector_blend`` takes them; nil where the processor lacks the instructions,
/// or where so few indices do not repay the table.
func withVectorTable(
  of colors: UnsafePointer<UInt32>, drawing count: Int, _ body: (UnsafePointer<UInt8>?) -> Void
) {
  let leastCount = 1024
  guard count >= leastCount, vector_blend_is_available() else {
    body(nil)
    return
  }
  unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: vector_blend_table_bytes) { table in
    guard let table = table.baseAddress else { return }
    unsafe vector_blend_prepare(colors, table)
    unsafe body(UnsafePointer(table))
  }
}

/// One drawing, divided into bands that several threads may draw: the memory, and what goes where.
///
/// Holds no reference, so that a copy left behind keeps nothing alive. Valid while ``BandSharing/draw(_:)``
/// runs.
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

  /// Draws one band. Different bands write to different rows of the canvas (``RowPlacement``), so different
  /// threads may draw them.
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
  /// Draws every band once; returns when all of them are finished and no thread looks at the drawing any
  /// more.
  func draw(_ drawing: BandedDrawing)
}

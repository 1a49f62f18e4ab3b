/// An animation as plain values: what a decoder should find in a GIF, and what `PlainCompositor` draws.
public struct PlainAnimation: Sendable, Equatable {
  /// The logical screen's size as stored.
  public var screenWidth: Int
  public var screenHeight: Int
  /// The global colour table.
  public var globalPalette: [RGB]?
  /// The number in the loop extension, or nil without one (0 = for ever, N = N + 1 plays).
  public var loopCount: Int?
  /// The frames in the order of the file.
  public var frames: [PlainFrame]

  /// Makes an animation.
  public init(
    screenWidth: Int, screenHeight: Int, globalPalette: [RGB]?, loopCount: Int? = nil,
    frames: [PlainFrame] = []
  ) {
    self.screenWidth = screenWidth
    self.screenHeight = screenHeight
    self.globalPalette = globalPalette
    self.loopCount = loopCount
    self.frames = frames
  }

  /// The canvas width: the screen's, or more where the first frame reaches beyond it.
  public var canvasWidth: Int {
    max(screenWidth, frames.first.map { $0.x + $0.width } ?? 0)
  }

  /// The canvas height: the screen's, or more where the first frame reaches beyond it.
  public var canvasHeight: Int {
    max(screenHeight, frames.first.map { $0.y + $0.height } ?? 0)
  }
}

/// One frame as plain values.
public struct PlainFrame: Sendable, Equatable {
  /// The rectangle as stored; it may reach beyond the canvas.
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int
  /// The palette indices in stored order; fewer than `width * height` leave the rest undrawn.
  public var indices: [UInt8]
  /// The local colour table.
  public var localPalette: [RGB]?
  /// The index that draws nothing.
  public var transparentIndex: UInt8?
  /// The disposal number, 0 to 7.
  public var disposal: Int
  /// The delay as stored, in hundredths of a second.
  public var delay: Int
  /// Whether the rows in `indices` are in interlaced order.
  public var isInterlaced: Bool

  /// Makes a frame; the defaults are those of a frame without a graphics control extension.
  public init(
    x: Int, y: Int, width: Int, height: Int, indices: [UInt8], localPalette: [RGB]? = nil,
    transparentIndex: UInt8? = nil, disposal: Int = 0, delay: Int = 0, isInterlaced: Bool = false
  ) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.indices = indices
    self.localPalette = localPalette
    self.transparentIndex = transparentIndex
    self.disposal = disposal
    self.delay = delay
    self.isInterlaced = isInterlaced
  }

  /// The delay as browsers play it: 0 and 1 hundredths become 100 ms.
  public var milliseconds: Int { delay <= 1 ? 100 : delay * 10 }
}

/// The reference for composing: draws every frame of a well-formed animation pixel by pixel, by Chromium's
/// rules. A test compares a fast renderer's canvases with it.
public enum PlainCompositor {
  /// The canvas after each frame, rows from the top: R in the lowest byte, straight alpha, transparent = 0.
  public static func canvases(of animation: PlainAnimation) -> [[UInt32]] {
    let canvasWidth = animation.canvasWidth
    let canvasHeight = animation.canvasHeight
    var canvas = [UInt32](repeating: 0, count: canvasWidth * canvasHeight)
    var result: [[UInt32]] = []

    for frame in animation.frames {
      let before = canvas
      let palette = frame.localPalette ?? animation.globalPalette ?? []
      let rows = frame.isInterlaced ? InterlacedRows.order(height: frame.height) : Array(0..<frame.height)

      for (number, index) in frame.indices.prefix(frame.width * frame.height).enumerated() {
        let column = frame.x + number % frame.width
        let row = frame.y + rows[number / frame.width]
        if column < canvasWidth, row < canvasHeight, index != frame.transparentIndex {
          canvas[row * canvasWidth + column] = pixel(of: index, in: palette)
        }
      }
      result.append(canvas)

      switch frame.disposal {
      case 2:
        for row in 0..<canvasHeight where row >= frame.y && row < frame.y + frame.height {
          for column in 0..<canvasWidth where column >= frame.x && column < frame.x + frame.width {
            canvas[row * canvasWidth + column] = 0
          }
        }
      case 3, 4:
        canvas = before
      default:
        break
      }
    }
    return result
  }

  /// The colour of `index`: opaque black where the palette does not reach.
  private static func pixel(of index: UInt8, in palette: [RGB]) -> UInt32 {
    Int(index) < palette.count ? palette[Int(index)].opaquePixel : 0xFF00_0000
  }
}

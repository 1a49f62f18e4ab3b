/// The treatment of a frame's rectangle when its time is over, before the next frame is drawn.
///
/// The file stores three bits. Browsers read 4 as `previous` and 5 - 7 as `keep`.
public enum Disposal: UInt8, Sendable, Hashable {
  /// The rectangle stays as it is (stored 0, 1, 5, 6, 7).
  case keep
  /// The frame's rectangle becomes transparent (stored 2). The background colour plays no part, as in
  /// browsers.
  case background
  /// The state before the frame comes back (stored 3, 4).
  case previous

  /// The effective disposal for the three stored bits.
  package init(stored bits: UInt8) {
    switch bits {
    case 2: self = .background
    case 3, 4: self = .previous
    default: self = .keep
    }
  }
}

/// The policy that turns the stored delay of a frame into the time for which it shows.
public enum DelayPolicy: Sendable, Hashable {
  /// As every browser: a delay of 10 ms or less plays as 100 ms, all others as stored.
  case browser
  /// As stored, also 0.
  case encoded
  /// As stored, but never shorter than this; whole milliseconds count.
  case minimum(Duration)
  /// The same time for every frame; whole milliseconds count.
  case constant(Duration)

  /// The time in milliseconds for which a frame shows; `centiseconds` is the delay as stored.
  package func milliseconds(centiseconds: Int) -> Int {
    switch self {
    case .browser: centiseconds <= 1 ? 100 : centiseconds * 10
    case .encoded: centiseconds * 10
    case .minimum(let least): max(least.wholeMilliseconds, centiseconds * 10)
    case .constant(let value): max(0, value.wholeMilliseconds)
    }
  }
}

/// One frame of the index: what is known of it without decoding a pixel.
public struct FrameInfo: Sendable, Hashable {
  /// The position in the animation, from 0.
  public let index: Int
  /// The frame's rectangle as stored; it may reach beyond the canvas.
  public let rect: PixelRect
  /// The stored delay in centiseconds; 0 where the frame has no graphics control extension.
  package let delayCentiseconds: Int
  /// The stored disposal bits, 0 - 7.
  package let storedDisposal: UInt8
  /// The palette index that draws nothing, if there is one. It may lie beyond the palette.
  public let transparentIndex: UInt8?
  /// Whether the rows are stored in four passes (8, 8, 4, 2).
  public let isInterlaced: Bool
  /// The earlier frame that this one is drawn on; nil for a key frame, which starts from nothing.
  ///
  /// Follows Chromium's rule (Skia, `SkFrameHolder::setAlphaAndRequiredFrame`).
  package let requiredFrame: Int?
  /// Where this frame's own palette lies, if it has one.
  let localPalette: PaletteLocation?
  /// The minimum LZW code size; nil where the file ends before it.
  package let codeSize: UInt8?
  /// Offset of the image separator in the file.
  public let offset: Int
  /// The code blocks with their length bytes, as far as the file has them.
  package let data: Range<Int>
  /// Whether the file ends inside this frame, or what has come of a growing one does.
  public let isTruncated: Bool

  /// The effective disposal.
  public var disposal: Disposal { Disposal(stored: storedDisposal) }

  /// The number of colours of the frame's own palette, 2 to 256; nil if it uses the global palette.
  public var paletteSize: Int? { localPalette?.count }

  /// Bytes that the frame's LZW data takes in the file, as far as the file has them, with the blocks' length
  /// bytes.
  public var compressedByteCount: Int { data.count }

  /// Whether the frame can be rendered without any other.
  public var isKeyframe: Bool { requiredFrame == nil }

  /// The same frame at another place, for a file that is edited.
  package func placed(_ rect: PixelRect) -> FrameInfo {
    FrameInfo(
      index: index, rect: rect, delayCentiseconds: delayCentiseconds, storedDisposal: storedDisposal,
      transparentIndex: transparentIndex, isInterlaced: isInterlaced, requiredFrame: requiredFrame,
      localPalette: localPalette, codeSize: codeSize, offset: offset, data: data, isTruncated: isTruncated)
  }

  /// For each row of the frame, from the top, its place among the stored rows.
  package var storedRows: [Int] {
    var rows = [Int](repeating: 0, count: rect.height)
    let order = RowOrder(height: rect.height, isInterlaced: isInterlaced)
    order.forEachRow(in: 0..<rect.height) { stored, row, _ in rows[row] = stored }
    return rows
  }

  /// The time for which this frame shows under a policy; the delay as stored with ``DelayPolicy/encoded``.
  public func delay(_ policy: DelayPolicy = .browser) -> Duration { .milliseconds(delayMilliseconds(policy)) }

  /// The time for which this frame shows under a policy, in milliseconds.
  package func delayMilliseconds(_ policy: DelayPolicy = .browser) -> Int {
    policy.milliseconds(centiseconds: delayCentiseconds)
  }
}

extension FrameInfo {
  /// Makes a frame without a palette of its own and without code, for decisions that need neither.
  package init(
    index: Int, rect: PixelRect, delayCentiseconds: Int, disposal: Disposal = .keep,
    requiredFrame: Int? = nil, data: Range<Int> = 0..<0, isTruncated: Bool = false
  ) {
    self.init(
      index: index, rect: rect, delayCentiseconds: delayCentiseconds,
      storedDisposal: disposal == .keep ? 1 : disposal == .background ? 2 : 3, transparentIndex: nil,
      isInterlaced: false, requiredFrame: requiredFrame, localPalette: nil, codeSize: nil, offset: 0,
      data: data, isTruncated: isTruncated)
  }
}

/// Where a palette lies in the file.
struct PaletteLocation: Sendable, Hashable {
  /// Offset of the first red byte.
  var offset: Int
  /// Number of colours, 2 - 256.
  var count: Int
}

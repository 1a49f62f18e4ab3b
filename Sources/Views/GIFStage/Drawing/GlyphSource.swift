/// A letter as a mask of coverage.
public struct Glyph: Sendable, Hashable {
  /// The columns of the mask.
  public let width: Int
  /// The rows of the mask.
  public let height: Int
  /// The mask's first column, from the place of the letter.
  public let left: Int
  /// The rows of the mask above the baseline.
  public let top: Int
  /// The distance to the next letter.
  public let advance: Int
  /// How much of each pixel is covered, in 255ths, row by row.
  public let coverage: [UInt8]

  /// Creates a glyph; a mask without `width * height` values is dropped.
  public init(width: Int, height: Int, left: Int, top: Int, advance: Int, coverage: [UInt8]) {
    let isValid = width > 0 && height > 0 && width <= 1024 && height <= 1024
    let hasMask = isValid && coverage.count == width * height
    self.width = hasMask ? width : 0
    self.height = hasMask ? height : 0
    self.left = min(1024, max(-1024, left))
    self.top = min(1024, max(-1024, top))
    self.advance = min(1024, max(0, advance))
    self.coverage = hasMask ? coverage : []
  }
}

/// A font, or several that complete each other. It belongs to the stage's thread.
public protocol GlyphSource: AnyObject {
  /// The glyph of a character; nil if no font has it. `pixelSize` is the height of a line's letters with
  /// their accents and descenders.
  func glyph(_ letter: Unicode.Scalar, pixelSize: Int) -> Glyph?
}

/// The glyphs of a source, each asked for once.
final class StageFont {
  private struct Key: Hashable {
    let letter: Unicode.Scalar
    let pixelSize: Int
  }

  /// Enough for several alphabets and a screen of ideographs.
  private static let capacity = 4096

  private let source: any GlyphSource
  private var glyphs: [Key: Glyph] = [:]

  init(_ source: any GlyphSource) { self.source = source }

  /// The glyph of a character, or of the replacement character; an empty one if there is neither.
  func glyph(_ letter: Unicode.Scalar, pixelSize: Int) -> Glyph {
    let key = Key(letter: letter, pixelSize: pixelSize)
    if let glyph = glyphs[key] { return glyph }
    let glyph =
      (Self.isShowable(letter) ? source.glyph(letter, pixelSize: pixelSize) : nil)
      ?? source.glyph("\u{FFFD}", pixelSize: pixelSize)
      ?? Glyph(width: 0, height: 0, left: 0, top: 0, advance: pixelSize / 2, coverage: [])
    if glyphs.count == Self.capacity { glyphs.removeAll() }
    glyphs[key] = glyph
    return glyph
  }

  /// Controls, and marks that would reorder or hide letters, show as the replacement character.
  private static func isShowable(_ letter: Unicode.Scalar) -> Bool {
    switch letter.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
    default: true
    }
  }
}

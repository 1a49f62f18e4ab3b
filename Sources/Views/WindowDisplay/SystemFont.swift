internal import CFreeType
public import GIFStage

/// The desktop's sans-serif font, completed by the installed fonts that have the characters it lacks.
///
/// Belongs to the window's thread.
@safe public final class SystemFont: GlyphSource {
  /// An installed font; its face is opened at the first character that needs it.
  @safe private struct Font {
    let pattern: FontLibraries.Handle
    var face: FontLibraries.Face?
    var isUnusable = false
  }

  private let libraries: FontLibraries
  private let freeType: FontLibraries.Handle
  private let fontSet: FontLibraries.FontSet
  private var fonts: [Font] = []

  /// FT_LOAD_RENDER with FT_LOAD_TARGET_LIGHT: antialiased, aligned to rows only.
  private static let loadFlags: Int32 = 4 | 1 << 16
  /// FT_FACE_FLAG_SCALABLE.
  private static let scalableFlag = 1
  /// FT_PIXEL_MODE_GRAY.
  private static let grayMode = 2

  /// Finds the fonts; nil if the libraries are not installed or there is no font.
  public init?() {
    guard let libraries = try? FontLibraries(), let configuration = unsafe libraries.loadConfiguration()
    else {
      return nil
    }
    // One of its own: the configuration that fontconfig shares stays allocated until the process ends.
    defer { unsafe libraries.destroyConfiguration(configuration) }
    guard let pattern = unsafe libraries.parsePattern("sans-serif") else { return nil }
    unsafe _ = libraries.substitute(configuration, pattern, 0)
    unsafe libraries.substituteDefaults(pattern)
    var result: CInt = 0
    // In order of preference, without fonts that add no characters.
    let sorted = unsafe libraries.sortFonts(configuration, pattern, 1, nil, &result)
    unsafe libraries.destroyPattern(pattern)
    guard let fontSet = unsafe sorted else { return nil }
    var freeType: FontLibraries.Handle?
    guard unsafe libraries.start(&freeType) == 0, let freeType = unsafe freeType else {
      unsafe libraries.destroyFonts(fontSet)
      return nil
    }
    self.libraries = libraries
    unsafe self.freeType = freeType
    unsafe self.fontSet = fontSet
    for index in 0..<Int(unsafe fontSet.pointee.nfont) {
      guard let pattern = unsafe fontSet.pointee.fonts[index] else { continue }
      unsafe fonts.append(Font(pattern: pattern))
    }
    if glyph("H", pixelSize: 13) == nil { return nil }
  }

  deinit {
    // Closes the faces, too.
    unsafe _ = libraries.finish(freeType)
    unsafe libraries.destroyFonts(fontSet)
  }

  public func glyph(_ letter: Unicode.Scalar, pixelSize: Int) -> Glyph? {
    for index in fonts.indices where has(letter, fontAt: index) {
      if let glyph = glyph(letter, pixelSize: pixelSize, fontAt: index) { return glyph }
    }
    return nil
  }

  private func has(_ letter: Unicode.Scalar, fontAt index: Int) -> Bool {
    guard !fonts[index].isUnusable else { return false }
    var characters: FontLibraries.Handle?
    guard unsafe libraries.characters(fonts[index].pattern, "charset", 0, &characters) == 0 else {
      return false
    }
    return unsafe libraries.hasCharacter(characters, letter.value) != 0
  }

  private func glyph(_ letter: Unicode.Scalar, pixelSize: Int, fontAt index: Int) -> Glyph? {
    let side = UInt32(min(256, max(1, pixelSize)))
    guard let face = unsafe openedFace(at: index), unsafe libraries.setPixelSizes(face, 0, side) == 0 else {
      return nil
    }
    let number = unsafe libraries.glyphIndex(face, CUnsignedLong(letter.value))
    guard number != 0, unsafe libraries.loadGlyph(face, number, Self.loadFlags) == 0,
      let slot = unsafe face.pointee.glyph
    else { return nil }
    let bitmap = unsafe slot.pointee.bitmap
    let (width, height) = unsafe (Int(bitmap.width), Int(bitmap.rows))
    var coverage: [UInt8] = []
    if width > 0, height > 0 {
      // Emoji come as coloured bitmaps, which are no masks.
      guard unsafe Int(bitmap.pixel_mode) == Self.grayMode, let buffer = unsafe bitmap.buffer,
        width <= 1024, height <= 1024, unsafe Int(bitmap.pitch) >= width
      else { return nil }
      for row in 0..<height {
        let line = unsafe buffer + row * Int(bitmap.pitch)
        unsafe coverage.append(contentsOf: UnsafeBufferPointer(start: line, count: width))
      }
    }
    // The advance is in 64ths of a pixel.
    return unsafe Glyph(
      width: width, height: height, left: Int(slot.pointee.bitmap_left), top: Int(slot.pointee.bitmap_top),
      advance: (slot.pointee.advance.x + 32) >> 6, coverage: coverage)
  }

  @unsafe private func openedFace(at index: Int) -> FontLibraries.Face? {
    if let face = unsafe fonts[index].face { return unsafe face }
    fonts[index].isUnusable = true
    var path: UnsafePointer<CChar>?
    var number: CInt = 0
    var face: FontLibraries.Face?
    let pattern = unsafe fonts[index].pattern
    guard unsafe libraries.string(pattern, "file", 0, &path) == 0 else { return nil }
    unsafe _ = libraries.integer(pattern, "index", 0, &number)
    guard unsafe libraries.openFace(freeType, path, CLong(number), &face) == 0, let face = unsafe face,
      unsafe face.pointee.face_flags & Self.scalableFlag != 0
    else { return nil }
    unsafe (fonts[index].face, fonts[index].isUnusable) = (face, false)
    return unsafe face
  }
}

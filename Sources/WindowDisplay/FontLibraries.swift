internal import CFreeType
internal import Glibc

/// The functions of FreeType and fontconfig that are used, found in the libraries when a window needs letters.
///
/// The libraries stay loaded, so every pointer stays valid; each has the type that the libraries' headers give it.
@safe struct FontLibraries {
  typealias Face = UnsafeMutablePointer<gallop_ft_face>
  typealias FontSet = UnsafeMutablePointer<gallop_fc_font_set>
  /// A library of FreeType, or a configuration, a pattern or a set of characters of fontconfig.
  typealias Handle = UnsafeMutableRawPointer

  let start: @convention(c) (UnsafeMutablePointer<Handle?>?) -> CInt
  let finish: @convention(c) (Handle?) -> CInt
  let openFace: @convention(c) (Handle?, UnsafePointer<CChar>?, CLong, UnsafeMutablePointer<Face?>?) -> CInt
  let setPixelSizes: @convention(c) (Face?, UInt32, UInt32) -> CInt
  let glyphIndex: @convention(c) (Face?, CUnsignedLong) -> UInt32
  let loadGlyph: @convention(c) (Face?, UInt32, Int32) -> CInt

  let loadConfiguration: @convention(c) () -> Handle?
  let destroyConfiguration: @convention(c) (Handle?) -> Void
  let parsePattern: @convention(c) (UnsafePointer<CChar>?) -> Handle?
  let substitute: @convention(c) (Handle?, Handle?, CInt) -> CInt
  let substituteDefaults: @convention(c) (Handle?) -> Void
  let sortFonts:
    @convention(c) (
      Handle?, Handle?, CInt, UnsafeMutablePointer<Handle?>?, UnsafeMutablePointer<CInt>?
    ) -> FontSet?
  let string:
    @convention(c) (
      Handle?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> CInt
  let integer: @convention(c) (Handle?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<CInt>?) -> CInt
  let characters:
    @convention(c) (Handle?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<Handle?>?) -> CInt
  let hasCharacter: @convention(c) (Handle?, UInt32) -> CInt
  let destroyPattern: @convention(c) (Handle?) -> Void
  let destroyFonts: @convention(c) (FontSet?) -> Void

  /// Opens the libraries; nil if one of them or a function is missing.
  init?() {
    guard let freeType = unsafe dlopen("libfreetype.so.6", RTLD_NOW | RTLD_LOCAL),
      let fontconfig = unsafe dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL)
    else { return nil }
    guard let start = unsafe dlsym(freeType, "FT_Init_FreeType"),
      let finish = unsafe dlsym(freeType, "FT_Done_FreeType"),
      let openFace = unsafe dlsym(freeType, "FT_New_Face"),
      let setPixelSizes = unsafe dlsym(freeType, "FT_Set_Pixel_Sizes"),
      let glyphIndex = unsafe dlsym(freeType, "FT_Get_Char_Index"),
      let loadGlyph = unsafe dlsym(freeType, "FT_Load_Glyph"),
      let loadConfiguration = unsafe dlsym(fontconfig, "FcInitLoadConfigAndFonts"),
      let destroyConfiguration = unsafe dlsym(fontconfig, "FcConfigDestroy"),
      let parsePattern = unsafe dlsym(fontconfig, "FcNameParse"),
      let substitute = unsafe dlsym(fontconfig, "FcConfigSubstitute"),
      let substituteDefaults = unsafe dlsym(fontconfig, "FcDefaultSubstitute"),
      let sortFonts = unsafe dlsym(fontconfig, "FcFontSort"),
      let string = unsafe dlsym(fontconfig, "FcPatternGetString"),
      let integer = unsafe dlsym(fontconfig, "FcPatternGetInteger"),
      let characters = unsafe dlsym(fontconfig, "FcPatternGetCharSet"),
      let hasCharacter = unsafe dlsym(fontconfig, "FcCharSetHasChar"),
      let destroyPattern = unsafe dlsym(fontconfig, "FcPatternDestroy"),
      let destroyFonts = unsafe dlsym(fontconfig, "FcFontSetDestroy")
    else { return nil }
    unsafe self.start = Self.function(start)
    unsafe self.finish = Self.function(finish)
    unsafe self.openFace = Self.function(openFace)
    unsafe self.setPixelSizes = Self.function(setPixelSizes)
    unsafe self.glyphIndex = Self.function(glyphIndex)
    unsafe self.loadGlyph = Self.function(loadGlyph)
    unsafe self.loadConfiguration = Self.function(loadConfiguration)
    unsafe self.destroyConfiguration = Self.function(destroyConfiguration)
    unsafe self.parsePattern = Self.function(parsePattern)
    unsafe self.substitute = Self.function(substitute)
    unsafe self.substituteDefaults = Self.function(substituteDefaults)
    unsafe self.sortFonts = Self.function(sortFonts)
    unsafe self.string = Self.function(string)
    unsafe self.integer = Self.function(integer)
    unsafe self.characters = Self.function(characters)
    unsafe self.hasCharacter = Self.function(hasCharacter)
    unsafe self.destroyPattern = Self.function(destroyPattern)
    unsafe self.destroyFonts = Self.function(destroyFonts)
  }

  /// - Precondition: `Function` is the type of a pointer to the C function.
  @unsafe private static func function<Function>(_ symbol: UnsafeMutableRawPointer) -> Function {
    unsafe unsafeBitCast(symbol, to: Function.self)
  }
}

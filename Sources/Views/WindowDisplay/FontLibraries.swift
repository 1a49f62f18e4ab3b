internal import CFreeType
internal import EngineSupport

/// The functions of FreeType and fontconfig that are used, found in the libraries when a window needs
/// letters.
///
/// The libraries stay loaded, so every pointer stays valid; each has the type that the libraries' headers
/// give it.
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

  /// Opens the libraries; nil if one of them is not installed.
  ///
  /// - Throws: ``MissingFunction`` if one is too old.
  init?() throws(MissingFunction) {
    guard let freeType = FunctionTable(fileName: "libfreetype.so.6"),
      let fontconfig = FunctionTable(fileName: "libfontconfig.so.1")
    else { return nil }
    unsafe start = try freeType.find("FT_Init_FreeType")
    unsafe finish = try freeType.find("FT_Done_FreeType")
    unsafe openFace = try freeType.find("FT_New_Face")
    unsafe setPixelSizes = try freeType.find("FT_Set_Pixel_Sizes")
    unsafe glyphIndex = try freeType.find("FT_Get_Char_Index")
    unsafe loadGlyph = try freeType.find("FT_Load_Glyph")
    unsafe loadConfiguration = try fontconfig.find("FcInitLoadConfigAndFonts")
    unsafe destroyConfiguration = try fontconfig.find("FcConfigDestroy")
    unsafe parsePattern = try fontconfig.find("FcNameParse")
    unsafe substitute = try fontconfig.find("FcConfigSubstitute")
    unsafe substituteDefaults = try fontconfig.find("FcDefaultSubstitute")
    unsafe sortFonts = try fontconfig.find("FcFontSort")
    unsafe string = try fontconfig.find("FcPatternGetString")
    unsafe integer = try fontconfig.find("FcPatternGetInteger")
    unsafe characters = try fontconfig.find("FcPatternGetCharSet")
    unsafe hasCharacter = try fontconfig.find("FcCharSetHasChar")
    unsafe destroyPattern = try fontconfig.find("FcPatternDestroy")
    unsafe destroyFonts = try fontconfig.find("FcFontSetDestroy")
  }
}

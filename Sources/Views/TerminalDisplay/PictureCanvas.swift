import CChafa
internal import GIFDecoding
internal import GIFStage

/// A chafa canvas, set up for one placement.
///
/// Owns the canvas, its configuration and its symbols, and frees them in `deinit`. All of chafa's pointers
/// stay within this file and `TermDatabase.swift`.
@safe struct PictureCanvas: ~Copyable {
  private let config: OpaquePointer
  private let canvas: OpaquePointer

  init(placement: TerminalPlacement, capabilities: TerminalCapabilities, background: Color?) {
    unsafe config = chafa_canvas_config_new()
    let area = placement.area
    unsafe chafa_canvas_config_set_geometry(config, CInt(area.columns), CInt(area.rows))
    // Of two colours, what is not the background is text.
    unsafe chafa_canvas_config_set_fg_color(config, (background ?? .black).isLight ? 0 : 0xFF_FFFF)
    let isSixel = capabilities.graphics == .sixel
    unsafe chafa_canvas_config_set_pixel_mode(
      config, isSixel ? CHAFA_PIXEL_MODE_SIXELS : CHAFA_PIXEL_MODE_SYMBOLS)
    unsafe chafa_canvas_config_set_bg_color(config, (background ?? .black).rgb)
    unsafe chafa_canvas_config_set_transparency_threshold(config, 0.5)
    // The contrast of an animation must not change between frames.
    unsafe chafa_canvas_config_set_preprocessing_enabled(config, 0)

    if !isSixel {
      unsafe Self.configureSymbols(config, placement, capabilities)
    } else {
      let cell = placement.cell
      unsafe chafa_canvas_config_set_cell_geometry(config, CInt(cell.width), CInt(cell.height))
    }
    unsafe canvas = chafa_canvas_new(config)
  }

  deinit {
    unsafe chafa_canvas_unref(canvas)
    unsafe chafa_canvas_config_unref(config)
  }

  private static func configureSymbols(
    _ config: OpaquePointer, _ placement: TerminalPlacement, _ capabilities: TerminalCapabilities
  ) {
    unsafe chafa_canvas_config_set_canvas_mode(config, capabilities.colors.canvasMode)
    // Ordered dithering, as error diffusion makes still parts of an animation flicker.
    let dither = capabilities.colors == .trueColor ? CHAFA_DITHER_MODE_NONE : CHAFA_DITHER_MODE_ORDERED
    unsafe chafa_canvas_config_set_dither_mode(config, dither)
    // With few symbols the exhaustive search is the fastest: chafa takes lower factors to mean heuristics,
    // which only pay with its hundreds of symbols (measured: 6 ms against 14 ms for 64x24 cells).
    unsafe chafa_canvas_config_set_work_factor(config, capabilities.glyphs >= .braille ? 0.5 : 1)
    let map = unsafe chafa_symbol_map_new()
    unsafe chafa_symbol_map_add_by_tags(map, capabilities.glyphs.tags)
    unsafe chafa_canvas_config_set_symbol_map(config, map)
    unsafe chafa_symbol_map_unref(map)
  }

  /// Draws a picture over the whole canvas.
  ///
  /// - Parameter pixels: exactly `size.width * size.height` pixels, straight-alpha RGBA, red in the lowest
  ///   byte.
  func draw(_ pixels: Span<UInt32>, size: PixelSize) {
    precondition(pixels.count == size.width * size.height)
    // chafa reads no further than the sides say, and keeps nothing after it returns.
    unsafe pixels.withUnsafeBytes { bytes in
      unsafe chafa_canvas_draw_all_pixels(
        canvas, PixelOrder.redLowest, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        CInt(size.width), CInt(size.height), CInt(size.width * 4))
    }
  }

  /// The cell of `symbols` at a position on the canvas.
  ///
  /// - Parameter own: the colour that counts as the terminal's own background; nil for none.
  func cell(column: Int, row: Int, colors: TerminalColors, own: CellColor?) -> ScreenCell {
    var (foreground, background): (CInt, CInt) = (-1, -1)
    unsafe chafa_canvas_get_raw_colors_at(canvas, CInt(column), CInt(row), &foreground, &background)
    let character = unsafe chafa_canvas_get_char_at(canvas, CInt(column), CInt(row))
    let scalar = Unicode.Scalar(character) ?? " "
    let (ink, ground) = (colors.color(foreground, own: own), colors.color(background, own: own))
    // Cells that look the same compare equal.
    if scalar == " " || (ink == ground && colors != .monochrome) {
      return ScreenCell(content: .character(" "), style: CellStyle(background: ground))
    }
    // The terminal's background is no foreground colour, so such a cell is inverse.
    let style =
      ink == .standard && ground != .standard
      ? CellStyle(foreground: ground, isInverse: true) : CellStyle(foreground: ink, background: ground)
    return ScreenCell(content: .character(scalar), style: style)
  }

  /// Encodes the canvas as sixels.
  func print(_ info: borrowing TermInfo, _ body: (Span<UInt8>) -> Void) {
    guard let string = unsafe chafa_canvas_print(canvas, info.handle) else { return }
    defer { unsafe _ = g_string_free(string, 1) }
    unsafe UnsafeRawBufferPointer(start: string.pointee.str, count: Int(string.pointee.len))
      .withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
  }
}

extension Color {
  /// Whether dark text shows better on it (Rec. 601 luma).
  fileprivate var isLight: Bool {
    let (red, green, blue) = (rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF)
    let luma = 299 * red + 587 * green + 114 * blue
    return luma > 127_500
  }
}

private enum PixelOrder {
  /// chafa counts channels as bytes in memory; ours are counted from the low end of a word.
  #if _endian(little)
    static var redLowest: ChafaPixelType { CHAFA_PIXEL_RGBA8_UNASSOCIATED }
  #else
    static var redLowest: ChafaPixelType { CHAFA_PIXEL_ABGR8_UNASSOCIATED }
  #endif
}

extension TerminalColors {
  /// A colour as chafa gives it: `0xRRGGBB` or the number in the palette, negative where transparent.
  fileprivate func color(_ raw: CInt, own: CellColor?) -> CellColor {
    if raw < 0 { return .standard }
    if self == .monochrome { return .standard }
    guard self == .trueColor else { return .palette(UInt8(truncatingIfNeeded: raw)) }
    let color = CellColor(code: UInt32(raw) & 0xFF_FFFF)
    return color == own ? .standard : color
  }

  fileprivate var canvasMode: ChafaCanvasMode {
    switch self {
    case .trueColor: CHAFA_CANVAS_MODE_TRUECOLOR
    case .palette256: CHAFA_CANVAS_MODE_INDEXED_240
    case .ansi16: CHAFA_CANVAS_MODE_INDEXED_16
    case .ansi8: CHAFA_CANVAS_MODE_INDEXED_8
    case .monochrome: CHAFA_CANVAS_MODE_FGBG
    }
  }
}

extension TerminalGlyphs {
  fileprivate var tags: ChafaSymbolTags {
    let half = [CHAFA_SYMBOL_TAG_SPACE, CHAFA_SYMBOL_TAG_VHALF]
    let quarter = half + [CHAFA_SYMBOL_TAG_HHALF, CHAFA_SYMBOL_TAG_QUAD]
    let tags =
      switch self {
      case .ascii: [CHAFA_SYMBOL_TAG_ASCII]
      case .halfBlocks: half
      case .quarterBlocks: quarter
      case .sextants: quarter + [CHAFA_SYMBOL_TAG_SEXTANT]
      case .braille: [CHAFA_SYMBOL_TAG_SPACE, CHAFA_SYMBOL_TAG_BRAILLE]
      case .all:
        quarter + [
          CHAFA_SYMBOL_TAG_BLOCK, CHAFA_SYMBOL_TAG_BORDER, CHAFA_SYMBOL_TAG_DIAGONAL,
          CHAFA_SYMBOL_TAG_SEXTANT, CHAFA_SYMBOL_TAG_WEDGE, CHAFA_SYMBOL_TAG_BRAILLE,
        ]
      }
    return ChafaSymbolTags(rawValue: tags.reduce(0) { $0 | $1.rawValue })
  }
}

import CChafa
internal import GIFDecoding
public import GIFStage
import Glibc
import Synchronization

/// A renderer of one animation's pictures.
///
/// With `symbols` a picture becomes cells of a ``CellGrid``; with the pixel protocols it becomes bytes, and
/// its cells are left to them. A renderer deletes the kitty image that it replaces, so that the terminal's
/// memory does not grow. It is used from one thread at a time, and its bytes are written in order.
///
/// If the picture is transparent, the terminal's background shows. `kitty` mixes by itself. `sixel` and
/// `iterm2` get the picture blended onto ``background``, since they are drawn over the last frame, and so do
/// `symbols` with 24-bit colours if the background is known. Otherwise a pixel of `symbols` is transparent if
/// its alpha is below one half.
public final class TerminalRenderer {
  /// What the terminal can do.
  public let capabilities: TerminalCapabilities
  /// The colour of the terminal's background; nil if it is unknown, and then assumed to be black.
  public let background: Color?

  private let info = TermInfo()
  /// chafa's canvas, for characters and for sixels of more colours than there are registers.
  private var canvas: PictureCanvas?
  /// The placement ``canvas`` was made for.
  private var canvasPlacement: TerminalPlacement?
  private var composer: PictureComposer
  private var indexer = PictureIndexer()
  private var sixels = SixelEncoder()
  private var kittyImages = KittyImages()

  /// Has libchafa draw on the thread that asks: it would start threads for each picture, and wait for ever
  /// where the system gives none.
  private static let drawsOnOneThread: Void = chafa_set_n_threads(1)

  /// Makes a renderer that has drawn nothing yet.
  public init(capabilities: TerminalCapabilities, background: Color? = nil) {
    _ = Self.drawsOnOneThread
    self.capabilities = capabilities
    self.background = background
    switch capabilities.graphics {
    case .kitty: composer = PictureComposer(background: nil)
    case .sixel, .iterm2: composer = PictureComposer(background: background ?? .black)
    case .symbols:
      composer = PictureComposer(background: capabilities.colors == .trueColor ? background : nil)
    }
  }

  /// Draws a picture.
  ///
  /// - Parameters:
  ///   - pixels: straight-alpha RGBA, red in the lowest byte, row after row from the top, exactly as many as
  ///     the placement's picture has.
  ///   - placement: where, from ``TerminalPlacement/place(_:into:cell:graphics:mode:maximumScale:)``. What an
  ///     earlier placement covered beyond this one stays; clear the screen when places change.
  ///   - grid: the screen that takes the cells.
  /// - Returns: the bytes to write besides what the grid's update says; none with `symbols`. They leave the
  ///   cursor anywhere and the attributes as they were.
  /// - Throws: `invalidPicture` if the number of pixels is wrong.
  public func draw(
    _ pixels: Span<UInt32>, at placement: TerminalPlacement, on grid: inout CellGrid
  ) throws(TerminalError) -> [UInt8] {
    let size = placement.picture
    guard pixels.count == size.width * size.height else {
      throw TerminalError(
        .invalidPicture, operation: "\(pixels.count) pixels for \(size.width)x\(size.height)")
    }
    let part = placement.part
    let padded =
      capabilities.graphics.isPixelExact
      ? placement.padded : PixelSize(clampingWidth: part.width, height: part.height)
    if composer.isNeeded(part: part, of: size, to: padded) {
      let composed = composer.compose(pixels, part: part, of: size, to: padded)
      return try draw(composed.span, size: padded, at: placement, on: &grid)
    }
    return try draw(pixels, size: size, at: placement, on: &grid)
  }

  /// Draws a picture that is composed for its placement.
  private func draw(
    _ pixels: Span<UInt32>, size: PixelSize, at placement: TerminalPlacement, on grid: inout CellGrid
  ) throws(TerminalError) -> [UInt8] {
    if capabilities.graphics == .symbols {
      drawCells(pixels, size: size, at: placement, on: &grid)
      return []
    }
    let area = placement.area
    grid.reserveForPixels(area)
    var bytes: [UInt8] = []
    bytes.appendMove(column: area.column, row: area.row)
    switch capabilities.graphics {
    case .symbols: break
    case .sixel: bytes += sixels(pixels, size: size, at: placement)
    case .iterm2: bytes += InlineImage.iterm2(try file(pixels, size: size, at: placement), in: area)
    case .kitty:
      let file = try file(pixels, size: size, at: placement)
      let replaced = kittyImages.current
      bytes += InlineImage.kitty(file, image: kittyImages.next(), in: area)
      // Only now, so that a terminal without synchronized updates never shows a gap between two frames.
      if let replaced { bytes.append(ControlSequence.deleteKittyImage(replaced)) }
    }
    return bytes
  }

  /// Removes the picture's image from the terminal, when it moves or is no longer shown.
  ///
  /// - Returns: the bytes to write; none if clearing the screen removes the image.
  public func removeImage() -> [UInt8] {
    kittyImages.remove().map { Array(ControlSequence.deleteKittyImage($0).utf8) } ?? []
  }

  // MARK: Characters

  private func drawCells(
    _ pixels: Span<UInt32>, size: PixelSize, at placement: TerminalPlacement, on grid: inout CellGrid
  ) {
    draw(pixels, size: size, at: placement)
    let area = placement.area
    let own = composer.background.map { CellColor.rgb($0) }
    for row in 0..<area.rows {
      for column in 0..<area.columns {
        grid[area.column + column, area.row + row] =
          canvas?.cell(column: column, row: row, colors: capabilities.colors, own: own) ?? .blank
      }
    }
  }

  /// Draws on chafa's canvas.
  private func draw(_ pixels: Span<UInt32>, size: PixelSize, at placement: TerminalPlacement) {
    if canvas == nil || canvasPlacement != placement {
      canvas = PictureCanvas(placement: placement, capabilities: capabilities, background: background)
      canvasPlacement = placement
    }
    canvas?.draw(pixels, size: size)
  }

  // MARK: Pixels

  /// A picture as a file, at its own size; only one that is more than twice as large as the terminal shows it
  /// is reduced.
  ///
  /// One of few colours has a byte a pixel at most: reduced to a quarter of its pixels, it would have four.
  private func file(
    _ pixels: Span<UInt32>, size: PixelSize, at placement: TerminalPlacement
  ) throws(TerminalError) -> [UInt8] {
    let shown = placement.imageSize
    guard size.width > 2 * shown.width || size.height > 2 * shown.height else {
      if indexer.take(pixels) {
        return try PictureFile.png(indexer.indices, palette: indexer.palette, size: size)
      }
      return try PictureFile.png(pixels, size: size)
    }
    let target = PixelSize(
      clampingWidth: min(size.width, shown.width), height: min(size.height, shown.height))
    let reduced = PictureReducer.reduce(pixels, of: size, to: target)
    return try PictureFile.png(reduced.span, size: target)
  }

  /// A picture as sixels: in its own colours if they fit and it is not reduced, else by chafa in those that
  /// fit best.
  private func sixels(_ pixels: Span<UInt32>, size: PixelSize, at placement: TerminalPlacement) -> [UInt8] {
    let target = placement.imageSize
    if size.width <= target.width, size.height <= target.height, indexer.take(pixels) {
      return sixels.encode(indexer.indices, palette: indexer.palette, size: size, to: target)
    }
    draw(pixels, size: size, at: placement)
    var bytes: [UInt8] = []
    canvas?.print(info) { text in bytes.append(text) }
    return bytes
  }
}

/// The two alternating image numbers of a renderer.
///
/// Other programs' images live in the same terminal, so the numbers are made of the process's and the
/// renderer's own.
private struct KittyImages {
  private static let renderers = Atomic<Int>(0)

  private let base: Int
  private(set) var current: Int?

  init() {
    let renderer = Self.renderers.wrappingAdd(1, ordering: .relaxed).newValue
    base = 1 + (Int(getpid()) & 0x3F_FFFF) << 9 | (renderer & 0xFF) << 1
  }

  /// Makes the other number the current one, and returns it.
  mutating func next() -> Int {
    let image = current == base ? base + 1 : base
    current = image
    return image
  }

  /// Removes the current image and returns its number.
  mutating func remove() -> Int? {
    defer { current = nil }
    return current
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: Span<UInt8>) {
    reserveCapacity(count + bytes.count)
    for index in bytes.indices { append(bytes[index]) }
  }
}

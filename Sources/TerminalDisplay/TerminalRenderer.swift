import CChafa
import Glibc
import Synchronization

/// Turns pictures into the bytes that draw them.
///
/// A renderer remembers what it drew last: it takes away what a changed placement would leave behind, and
/// deletes the kitty image it replaces, so that a terminal's memory does not grow with the animation. Keep
/// one for as long as one animation is shown, and write its output in order. A renderer is used from one
/// thread at a time.
///
/// Where the picture is transparent, the terminal's background shows with `symbols` (a pixel counts as
/// transparent if its alpha is below one half) and with `kitty` (which mixes exactly); `sixel` and `iterm2`
/// get the picture blended onto ``background``, since what they are to cover is the last frame.
public final class TerminalRenderer {
  /// What the terminal can do.
  public let capabilities: TerminalCapabilities
  /// The colour the terminal's background is taken to have.
  public let background: TerminalRGB

  private let info = TermInfo()
  private var canvas: PictureCanvas?
  /// The placement ``canvas`` was made for.
  private var canvasPlacement: TerminalPlacement?
  private var composer: PictureComposer
  /// What the terminal shows of us.
  private var shown: TerminalPlacement?
  private var kittyImages = KittyImages()

  /// Makes a renderer that has drawn nothing yet.
  public init(capabilities: TerminalCapabilities, background: TerminalRGB = .black) {
    self.capabilities = capabilities
    self.background = background
    let blends = capabilities.graphics == .sixel || capabilities.graphics == .iterm2
    composer = PictureComposer(background: blends ? background : nil)
  }

  /// Draws a picture.
  ///
  /// - Parameters:
  ///   - pixels: straight-alpha RGBA, red in the lowest byte, row after row from the top, exactly as many as
  ///     the placement's picture has.
  ///   - placement: where, from ``TerminalPlacement/fit(_:into:cell:graphics:maximumScale:)``.
  /// - Returns: the bytes to write, wrapped as one synchronized update. They leave the cursor anywhere and
  ///   the attributes reset.
  /// - Throws: `invalidPicture` if the number of pixels is wrong.
  public func render(_ pixels: Span<UInt32>, at placement: TerminalPlacement) throws(TerminalError) -> [UInt8]
  {
    let size = placement.picture
    guard pixels.count == size.width * size.height else {
      throw TerminalError(
        .invalidPicture, operation: "\(pixels.count) pixels for \(size.width)x\(size.height)")
    }
    draw(pixels, at: placement)

    var bytes: [UInt8] = []
    bytes.append(ControlSequence.beginUpdate)
    if let shown, shown.area != placement.area, capabilities.graphics != .kitty {
      bytes.appendErase(shown.area)
    }
    append(placement.area, to: &bytes)
    bytes.append(ControlSequence.endUpdate)
    shown = placement
    return bytes
  }

  /// Draws a picture; see ``render(_:at:)-(Span<UInt32>,_)``.
  public func render(_ pixels: [UInt32], at placement: TerminalPlacement) throws(TerminalError) -> [UInt8] {
    try render(pixels.span, at: placement)
  }

  /// Takes the picture off the screen, and nothing else.
  ///
  /// - Returns: the bytes to write; none if nothing is shown.
  public func erase() -> [UInt8] {
    guard let area = shown?.area else { return [] }
    shown = nil
    var bytes: [UInt8] = []
    bytes.append(ControlSequence.beginUpdate)
    if let image = kittyImages.remove() { bytes.append(ControlSequence.deleteKittyImage(image)) }
    if capabilities.graphics != .kitty { bytes.appendErase(area) }
    bytes.append(ControlSequence.endUpdate)
    return bytes
  }

  /// Clears the whole screen, as is called for after a change of the terminal's size or when it comes back
  /// from another program: what it shows then is anybody's guess.
  ///
  /// - Returns: the bytes to write.
  public func clearScreen() -> [UInt8] {
    shown = nil
    var bytes: [UInt8] = []
    if let image = kittyImages.remove() { bytes.append(ControlSequence.deleteKittyImage(image)) }
    bytes.append(ControlSequence.clearScreen)
    return bytes
  }

  private func draw(_ pixels: Span<UInt32>, at placement: TerminalPlacement) {
    if canvas == nil || canvasPlacement != placement {
      canvas = PictureCanvas(placement: placement, capabilities: capabilities, background: background)
      canvasPlacement = placement
    }
    let size = placement.picture
    let padded = capabilities.graphics.isPixelExact ? placement.padded : size
    if composer.isNeeded(from: size, to: padded) {
      let composed = composer.compose(pixels, from: size, to: padded)
      canvas?.draw(composed.span, size: padded)
    } else {
      canvas?.draw(pixels, size: size)
    }
  }

  /// Appends what the canvas holds, put at the right place.
  private func append(_ area: TerminalArea, to bytes: inout [UInt8]) {
    switch capabilities.graphics {
    case .symbols:
      canvas?.print(info) { text in Self.append(rows: text, of: area, to: &bytes) }
    case .kitty:
      let replaced = kittyImages.current
      info.set(CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1, to: kittyImages.next())
      bytes.appendMove(column: area.column, row: area.row)
      canvas?.print(info) { text in bytes.append(text) }
      // Only now, so that a terminal without synchronized updates never shows a gap between two frames.
      if let replaced { bytes.append(ControlSequence.deleteKittyImage(replaced)) }
    case .sixel, .iterm2:
      bytes.appendMove(column: area.column, row: area.row)
      canvas?.print(info) { text in bytes.append(text) }
    }
  }

  /// chafa parts rows by line feeds, which would lead to column 0; each row is put into its place instead.
  private static func append(rows text: Span<UInt8>, of area: TerminalArea, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + text.count + area.rows * 12)
    var row = area.row
    bytes.appendMove(column: area.column, row: row)
    for index in text.indices {
      if text[index] == UInt8(ascii: "\n") {
        row += 1
        bytes.appendMove(column: area.column, row: row)
      } else {
        bytes.append(text[index])
      }
    }
    bytes.append(ControlSequence.resetAttributes)
  }
}

/// The two image numbers a renderer draws under by turns.
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

  /// The spelling of the sequence that begins the next image.
  ///
  /// `C=1` leaves the cursor alone, so that a picture on the last row does not scroll; `q=2` forbids answers,
  /// which would come in with the keys.
  mutating func next() -> String {
    let image = current == base ? base + 1 : base
    current = image
    return "\u{1B}_Ga=T,f=%1,s=%2,v=%3,c=%4,r=%5,i=\(image),C=1,q=2,m=1\u{1B}\\"
  }

  /// Forgets the current image and returns its number.
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

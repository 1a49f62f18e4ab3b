extension GIFWriter {
  /// How a graphics control extension is put together; all but the first are faults.
  public enum GraphicsControlForm: Sendable, Equatable {
    /// One sub-block of four bytes, and the terminator.
    case wellFormed
    /// One sub-block of this many bytes: the four cut off, or filled up with zeros. 0 leaves the terminator
    /// only.
    case blockSize(UInt8)
    /// A second sub-block of these bytes before the terminator.
    case extraSubBlock([UInt8])
    /// No terminator: the next piece follows at once.
    case noTerminator
  }

  /// Appends a graphics control extension; `delay` is in hundredths of a second.
  @discardableResult
  public mutating func graphicsControl(
    disposal: Int = 0, delay: Int = 0, transparent: UInt8? = nil, userInput: Bool = false,
    form: GraphicsControlForm = .wellFormed
  ) -> Range<Int> {
    precondition((0...7).contains(disposal), "disposal has three bits")
    let packed = UInt8(disposal) << 2 | (userInput ? 2 : 0) | (transparent == nil ? 0 : 1)
    let fields = [packed] + Self.number(delay) + [transparent ?? 0]
    let introducer: [UInt8] = [0x21, 0xF9]
    switch form {
    case .wellFormed:
      return append(.graphicsControl, introducer + [4] + fields + [0])
    case .blockSize(0):
      return append(.graphicsControl, introducer + [0])
    case .blockSize(let size):
      let filled = fields + [UInt8](repeating: 0, count: 255)
      return append(.graphicsControl, introducer + [size] + filled.prefix(Int(size)) + [0])
    case .extraSubBlock(let extra):
      return append(.graphicsControl, introducer + [4] + fields + Self.subBlocks(extra) + [0])
    case .noTerminator:
      return append(.graphicsControl, introducer + [4] + fields)
    }
  }

  /// Appends a loop extension; a browser plays the file `count + 1` times, or for ever if `count` is 0.
  @discardableResult
  public mutating func loop(_ count: Int, identifier: String = "NETSCAPE2.0") -> Range<Int> {
    application(Array(identifier.utf8), subBlocks: [[1] + Self.number(count)])
  }

  /// Appends an application extension with any identifier (11 bytes in a right file) and any sub-blocks.
  @discardableResult
  public mutating func application(
    _ identifier: [UInt8], subBlocks: [[UInt8]], hasTerminator: Bool = true
  ) -> Range<Int> {
    appendExtension(.application, label: 0xFF, [identifier] + subBlocks, hasTerminator)
  }

  /// Appends a comment, cut into sub-blocks of `subBlockSize` bytes.
  @discardableResult
  public mutating func comment(
    _ text: String, subBlockSize: Int = 255, hasTerminator: Bool = true
  ) -> Range<Int> {
    let blocks = Self.subBlocks(Array(text.utf8), size: subBlockSize)
    return append(.comment, [0x21, 0xFE] + blocks + (hasTerminator ? [0] : []))
  }

  /// Appends a plain text extension of one cell a letter; browsers draw nothing and take no time for it.
  @discardableResult
  public mutating func plainText(
    _ text: String, x: Int = 0, y: Int = 0, width: Int = 8, height: Int = 8,
    foreground: UInt8 = 1, background: UInt8 = 0, hasTerminator: Bool = true
  ) -> Range<Int> {
    let rectangle = [x, y, width, height].flatMap(Self.number)
    let grid = [12] + rectangle + [8, 8, foreground, background]
    let blocks = Self.subBlocks(Array(text.utf8))
    return append(.plainText, [0x21, 0x01] + grid + blocks + (hasTerminator ? [0] : []))
  }

  /// Appends an extension with any label and any sub-blocks; without sub-blocks it has zero length.
  @discardableResult
  public mutating func unknownExtension(
    label: UInt8, subBlocks: [[UInt8]] = [], hasTerminator: Bool = true
  ) -> Range<Int> {
    appendExtension(.unknownExtension, label: label, subBlocks, hasTerminator)
  }

  private mutating func appendExtension(
    _ kind: PartKind, label: UInt8, _ subBlocks: [[UInt8]], _ hasTerminator: Bool
  ) -> Range<Int> {
    let blocks = subBlocks.flatMap { block in
      precondition(block.count <= 255, "a sub-block holds at most 255 bytes")
      return [UInt8(block.count)] + block
    }
    return append(kind, [0x21, label] + blocks + (hasTerminator ? [0] : []))
  }
}

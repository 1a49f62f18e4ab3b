extension GIFWriter {
  /// How an image's indices become sub-blocks; the defaults write what most encoders write.
  public struct ImageCoding: Sendable, Equatable {
    /// The bits of a literal, 0 to 8, or nil for the smallest number that holds the indices (at least 2).
    public var minimumCodeSize: Int?
    /// The byte written before the sub-blocks where it shall differ from the true code size.
    public var declaredCodeSize: UInt8?
    /// Whether a clear code comes first.
    public var startsWithClear: Bool
    /// When the table is emptied.
    public var clearing: LZWEncoder.Clearing
    /// Whether an end code (EOI) comes last.
    public var endsWithEnd: Bool
    /// Keeps only this many indices, counted in stored order: too few pixels.
    public var pixelLimit: Int?
    /// Indices after those of the image: too many pixels.
    public var extraPixels: [UInt8]
    /// How many bytes a sub-block holds, 1 to 255.
    public var subBlockSize: Int
    /// Whether the zero byte ends the sub-blocks.
    public var hasTerminator: Bool

    /// Makes a coding.
    public init(
      minimumCodeSize: Int? = nil, declaredCodeSize: UInt8? = nil, startsWithClear: Bool = true,
      clearing: LZWEncoder.Clearing = .whenFull, endsWithEnd: Bool = true, pixelLimit: Int? = nil,
      extraPixels: [UInt8] = [], subBlockSize: Int = 255, hasTerminator: Bool = true
    ) {
      self.minimumCodeSize = minimumCodeSize
      self.declaredCodeSize = declaredCodeSize
      self.startsWithClear = startsWithClear
      self.clearing = clearing
      self.endsWithEnd = endsWithEnd
      self.pixelLimit = pixelLimit
      self.extraPixels = extraPixels
      self.subBlockSize = subBlockSize
      self.hasTerminator = hasTerminator
    }
  }

  /// Appends an image of `indices`, given in rows from the top; with `interlaced` they are stored in that
  /// order.
  @discardableResult
  public mutating func image(
    x: Int = 0, y: Int = 0, width: Int, height: Int, indices: [UInt8], palette: [RGB]? = nil,
    interlaced: Bool = false, flags: UInt8? = nil, coding: ImageCoding = ImageCoding()
  ) -> Range<Int> {
    var stored = interlaced ? InterlacedRows.store(indices, width: width, height: height) : indices
    if let limit = coding.pixelLimit { stored = Array(stored.prefix(limit)) }
    stored += coding.extraPixels

    let encoder = LZWEncoder(
      minimumCodeSize: coding.minimumCodeSize ?? LZWEncoder.smallestCodeSize(for: stored),
      startsWithClear: coding.startsWithClear, clearing: coding.clearing, endsWithEnd: coding.endsWithEnd)
    let start = imageDescriptor(
      x: x, y: y, width: width, height: height, palette: palette, interlaced: interlaced, flags: flags
    ).lowerBound
    imageData(
      minimumCodeSize: coding.declaredCodeSize ?? UInt8(encoder.minimumCodeSize),
      compressed: encoder.encode(stored), subBlockSize: coding.subBlockSize,
      hasTerminator: coding.hasTerminator)
    return start..<bytes.count
  }

  /// Appends an image whose LZW codes are given, right or wrong; an empty stream leaves it without data
  /// blocks.
  @discardableResult
  public mutating func image(
    x: Int = 0, y: Int = 0, width: Int, height: Int, codes: LZWCodeStream, palette: [RGB]? = nil,
    interlaced: Bool = false, flags: UInt8? = nil, subBlockSize: Int = 255, hasTerminator: Bool = true
  ) -> Range<Int> {
    let start = imageDescriptor(
      x: x, y: y, width: width, height: height, palette: palette, interlaced: interlaced, flags: flags
    ).lowerBound
    imageData(
      minimumCodeSize: UInt8(codes.minimumCodeSize), compressed: codes.bytes, subBlockSize: subBlockSize,
      hasTerminator: hasTerminator)
    return start..<bytes.count
  }

  /// Appends an image descriptor and its local palette alone, for a test that writes the data by other means.
  ///
  /// A palette is filled up with black to 2, 4, 8 ... 256 entries. With `flags` the packed byte is written as
  /// given (`interlaced` is then not looked at) and the palette exactly as long as it is.
  @discardableResult
  public mutating func imageDescriptor(
    x: Int = 0, y: Int = 0, width: Int, height: Int, palette: [RGB]? = nil, interlaced: Bool = false,
    flags: UInt8? = nil
  ) -> Range<Int> {
    let table = flags == nil ? palette.map(Self.padded) : palette
    let packed = flags ?? (interlaced ? 0x40 : 0) | (table.map { 0x80 | Self.sizeBits(of: $0) } ?? 0)
    let start = bytes.count
    append(.imageDescriptor, [0x2C] + [x, y, width, height].flatMap(Self.number) + [packed])
    if let table { append(.localPalette, table.flatMap(\.bytes)) }
    return start..<bytes.count
  }

  /// Appends the code size byte, `compressed` in sub-blocks, and the terminator.
  @discardableResult
  public mutating func imageData(
    minimumCodeSize: UInt8, compressed: [UInt8], subBlockSize: Int = 255, hasTerminator: Bool = true
  ) -> Range<Int> {
    let start = bytes.count
    append(.minimumCodeSize, [minimumCodeSize])
    append(.imageData, Self.subBlocks(compressed, size: subBlockSize))
    if hasTerminator { append(.imageTerminator, [0]) }
    return start..<bytes.count
  }
}

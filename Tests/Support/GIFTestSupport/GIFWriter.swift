/// Writes GIF files byte by byte, well-formed ones as well as ones that are broken in a chosen place.
///
/// Every method appends one piece and returns the range of its bytes; `parts` lists all pieces again, in
/// finer grain, so that a test can cut the file exactly at, before or inside any of them. Nothing is checked
/// against anything: pieces may come in any order, any number of times or not at all.
public struct GIFWriter: Sendable {
  /// A kind of written piece.
  public enum PartKind: Sendable, Hashable {
    case header
    case logicalScreen
    case globalPalette
    case graphicsControl
    case application
    case comment
    case plainText
    case unknownExtension
    case imageDescriptor
    case localPalette
    /// The byte before an image's sub-blocks.
    case minimumCodeSize
    /// An image's sub-blocks without their terminator.
    case imageData
    /// The zero byte after an image's sub-blocks.
    case imageTerminator
    case raw
    case trailer
  }

  /// A written piece: what it is and which bytes it takes.
  public struct Part: Sendable, Hashable {
    public let kind: PartKind
    public let range: Range<Int>
  }

  /// Everything written so far.
  public private(set) var bytes: [UInt8] = []
  /// Every piece written so far, in order.
  public private(set) var parts: [Part] = []
  private var marks: [String: Int] = [:]

  /// Makes a writer that has written nothing yet.
  public init() {}

  /// Makes a writer that has written a GIF89a header and a logical screen.
  public init(width: Int, height: Int, palette: [RGB]? = nil) {
    header()
    logicalScreen(width: width, height: height, palette: palette)
  }

  // MARK: - Finding places

  /// Remembers the present end of the file under a name.
  public mutating func mark(_ name: String) {
    marks[name] = bytes.count
  }

  /// Where `name` was marked.
  public func offset(of name: String) -> Int? {
    marks[name]
  }

  /// The ranges of all pieces of one kind, such as the pixel data of every frame.
  public func ranges(of kind: PartKind) -> [Range<Int>] {
    parts.filter { $0.kind == kind }.map(\.range)
  }

  /// The file cut off after its first `count` bytes; lets a test truncate it.
  public func bytes(upTo count: Int) -> [UInt8] {
    Array(bytes.prefix(count))
  }

  /// The file cut off at a mark, or all of it if there is no such mark.
  public func bytes(upToMark name: String) -> [UInt8] {
    bytes(upTo: marks[name] ?? bytes.count)
  }

  // MARK: - The frame of the file

  /// Appends a version string, six bytes in a right file.
  @discardableResult
  public mutating func header(_ version: String = "GIF89a") -> Range<Int> {
    append(.header, Array(version.utf8))
  }

  /// Appends a logical screen, and a global palette if there is one.
  ///
  /// A palette is filled up with black to 2, 4, 8 ... 256 entries. With `flags` the packed byte is written as
  /// given and the palette exactly as long as it is, so the two can contradict each other.
  @discardableResult
  public mutating func logicalScreen(
    width: Int, height: Int, palette: [RGB]? = nil, background: UInt8 = 0, aspect: UInt8 = 0,
    flags: UInt8? = nil
  ) -> Range<Int> {
    let table = flags == nil ? palette.map(Self.padded) : palette
    let packed = flags ?? table.map { 0x80 | 0x70 | Self.sizeBits(of: $0) } ?? 0x70
    let start = bytes.count
    append(.logicalScreen, Self.number(width) + Self.number(height) + [packed, background, aspect])
    if let table { append(.globalPalette, table.flatMap(\.bytes)) }
    return start..<bytes.count
  }

  /// Appends any bytes, anywhere.
  @discardableResult
  public mutating func raw(_ bytes: [UInt8]) -> Range<Int> {
    append(.raw, bytes)
  }

  /// Appends the trailer; without it the file just ends.
  @discardableResult
  public mutating func trailer() -> Range<Int> {
    append(.trailer, [0x3B])
  }

  // MARK: - Building blocks

  /// `palette` filled up with black to the next size that the format knows.
  public static func padded(_ palette: [RGB]) -> [RGB] {
    precondition(palette.count <= 256, "a palette has at most 256 entries")
    var size = 2
    while size < palette.count { size *= 2 }
    return palette + [RGB](repeating: 0, count: size - palette.count)
  }

  /// `data` cut into sub-blocks of `size` (1 to 255) bytes, each behind its length; no terminator.
  public static func subBlocks(_ data: [UInt8], size: Int = 255) -> [UInt8] {
    precondition((1...255).contains(size), "a sub-block holds 1 to 255 bytes")
    return stride(from: 0, to: data.count, by: size).flatMap { start in
      let block = data[start..<min(start + size, data.count)]
      return [UInt8(block.count)] + block
    }
  }

  /// The size field of a packed byte: the palette has 2 << field entries.
  static func sizeBits(of palette: [RGB]) -> UInt8 {
    UInt8(palette.count.trailingZeroBitCount - 1)
  }

  /// A 16-bit number, low byte first.
  static func number(_ value: Int) -> [UInt8] {
    precondition((0...65535).contains(value), "\(value) does not fit in 16 bits")
    return [UInt8(value & 0xFF), UInt8(value >> 8)]
  }

  /// Appends one piece; an empty one is listed too, with an empty range.
  @discardableResult
  mutating func append(_ kind: PartKind, _ newBytes: [UInt8]) -> Range<Int> {
    let start = bytes.count
    bytes += newBytes
    parts.append(Part(kind: kind, range: start..<bytes.count))
    return start..<bytes.count
  }
}

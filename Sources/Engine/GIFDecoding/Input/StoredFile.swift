/// What is kept in memory of a file that stays where it is.
///
/// A file may be overwritten while it plays. Therefore the bytes of each frame have a digest from when the
/// file was opened: they are the same when the frame is decoded, or the frame cannot be read. Other programs
/// may append to the file, touch it or rename it.
final class StoredFile: Sendable {
  let source: any ByteSource
  /// The header, the logical screen descriptor and the global palette.
  let head: HeapBlock
  let edges: (first: [UInt8], last: [UInt8])
  /// By the frames' indices.
  let digests: [FrameDigest]

  static let edgeLength = 64

  init(_ source: any ByteSource, head: HeapBlock, digests: [FrameDigest]) throws(GIFError) {
    self.source = source
    self.head = head
    self.digests = digests
    let length = min(Self.edgeLength, source.count)
    edges = (
      try Self.read(0..<length, of: source), try Self.read(source.count - length..<source.count, of: source)
    )
  }

  private static func read(_ range: Range<Int>, of source: any ByteSource) throws(GIFError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    try unsafe bytes.withUnsafeMutableBufferPointer { (target) throws(GIFError) in
      try unsafe source.read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(target))
    }
    return bytes
  }

  /// Reads a frame's code blocks.
  ///
  /// - Parameter isVerified: whether they are surely the same as when the file was opened.
  func readCodes(
    of frame: FrameInfo, into target: UnsafeMutableRawBufferPointer, isVerified: Bool = true
  ) throws(GIFError) {
    do throws(GIFError) {
      try unsafe source.read(at: frame.data.lowerBound, into: target)
    } catch {
      throw GIFError(error.code, frame: frame.index, offset: frame.offset, value: error.value)
    }
    guard isVerified else { return }
    guard let known = digest(of: frame), unsafe XXHash64.digest(UnsafeRawBufferPointer(target)) == known.codes
    else { throw GIFError(.fileChanged, frame: frame.index, offset: frame.offset) }
  }

  /// A frame's own palette, the same as it was when the file was opened.
  func palette(of frame: FrameInfo, at location: PaletteLocation) throws(GIFError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(GIFError) {
      let end = min(location.offset + location.byteCount, source.count)
      bytes = try Self.read(min(location.offset, end)..<end, of: source)
    } catch {
      throw GIFError(error.code, frame: frame.index, offset: frame.offset, value: error.value)
    }
    let found = unsafe bytes.withUnsafeBytes { unsafe XXHash64.digest($0) }
    guard found == digest(of: frame)?.palette else {
      throw GIFError(.fileChanged, frame: frame.index, offset: frame.offset)
    }
    return bytes
  }

  /// The digest of a frame's bytes as they were when the file was opened.
  func digest(of frame: FrameInfo) -> FrameDigest? {
    guard frame.index < digests.count, digests[frame.index].offset == frame.offset else { return nil }
    return digests[frame.index]
  }
}

/// By what the bytes of a frame are known again.
struct FrameDigest: Sendable, Hashable {
  /// Where the frame's record begins.
  var offset: Int
  /// Of the code blocks with their length bytes.
  var codes: UInt64
  /// Of the frame's own palette, as far as the file has it.
  var palette: UInt64
}

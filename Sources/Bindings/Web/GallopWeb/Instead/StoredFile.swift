/// The web has no files that stay where they are: without a value of this type nothing that reads one is in
/// the module.
enum StoredFile: Sendable {
  static let edgeLength = 64

  init(_ source: any ByteSource, head: HeapBlock, digests: [FrameDigest]) throws(GIFError) {
    throw GIFError(.unreadable)
  }

  var source: any ByteSource { switch self {} }
  var head: HeapBlock { switch self {} }
  var edges: (first: [UInt8], last: [UInt8]) { switch self {} }
  var digests: [FrameDigest] { switch self {} }

  func digest(of frame: FrameInfo) -> FrameDigest? { switch self {} }

  func readCodes(
    of frame: FrameInfo, into target: UnsafeMutableRawBufferPointer, isVerified: Bool = true
  ) throws(GIFError) {
    switch self {}
  }

  func palette(of frame: FrameInfo, at location: PaletteLocation) throws(GIFError) -> [UInt8] {
    switch self {}
  }
}

/// By what the bytes of a frame in such a file are known again.
struct FrameDigest: Sendable, Hashable {
  var offset: Int
  var codes: UInt64
  var palette: UInt64
}

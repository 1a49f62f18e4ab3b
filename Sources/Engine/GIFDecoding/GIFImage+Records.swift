// The stored bytes of a file's records, for editing: what is copied into another file.

extension GIFImage {
  /// The bytes of the global palette, three a colour; nil if the file has none.
  package var globalPaletteBytes: [UInt8]? {
    guard let location = index.globalPalette else { return nil }
    let head = storage.head
    return (location.offset..<location.offset + location.byteCount).map { $0 < head.count ? head[$0] : 0 }
  }

  /// The last three bytes of the logical screen: its flags, the background's index, the aspect ratio.
  package var screenBytes: [UInt8] { (10..<13).map { storage.head[$0] } }

  /// The bytes of a frame's own palette, three a colour; nil if it uses the global one.
  ///
  /// - Throws: ``GIFError/Code/unreadable`` or ``GIFError/Code/fileChanged``.
  package func paletteBytes(of frame: FrameInfo) throws(GIFError) -> [UInt8]? {
    guard let location = frame.localPalette else { return nil }
    if let file = storage.file { return try file.palette(of: frame, at: location) }
    return try bytes(in: location.offset..<min(location.offset + location.byteCount, storage.count))
  }

  /// A frame's code blocks as stored, with their length bytes and the terminator.
  ///
  /// - Throws: ``GIFError/Code/unreadable`` or ``GIFError/Code/fileChanged``.
  package func codeBlocks(of frame: FrameInfo) throws(GIFError) -> [UInt8] {
    try [UInt8](capacity: frame.data.count) { output throws(GIFError) in
      try appendCodeBlocks(of: frame, isVerified: true, to: &output)
    }
  }

  /// Appends a frame's code blocks as ``codeBlocks(of:)`` gives them.
  ///
  /// - Parameters:
  ///   - isVerified: whether those of a file are surely the same as when it was opened.
  ///   - output: has room for them.
  /// - Throws: ``GIFError/Code/unreadable`` or ``GIFError/Code/fileChanged``.
  package func appendCodeBlocks(
    of frame: FrameInfo, isVerified: Bool, to output: inout OutputSpan<UInt8>
  ) throws(GIFError) {
    guard let file = storage.file else { return try append(frame.data, to: &output) }
    try unsafe output.append(count: frame.data.count) { target throws(GIFError) in
      try unsafe file.readCodes(of: frame, into: target, isVerified: isVerified)
    }
  }

  /// An application extension as stored.
  ///
  /// - Throws: ``GIFError/Code/unreadable``.
  package func bytes(of application: ApplicationExtension) throws(GIFError) -> [UInt8] {
    try bytes(in: application.offset..<application.offset + application.byteCount)
  }

  /// Whether a frame's own palette and its code blocks are the same bytes as those of another image's frame.
  ///
  /// Of files, their digests are compared.
  package func hasSameData(
    of frame: FrameInfo, as otherFrame: FrameInfo, of other: GIFImage
  ) throws(GIFError) -> Bool {
    if let digest = storage.file?.digest(of: frame), let known = other.storage.file?.digest(of: otherFrame) {
      return digest.codes == known.codes && digest.palette == known.palette
    }
    guard try paletteBytes(of: frame) == other.paletteBytes(of: otherFrame) else { return false }
    return try codeBlocks(of: frame) == other.codeBlocks(of: otherFrame)
  }

  private func bytes(in range: Range<Int>) throws(GIFError) -> [UInt8] {
    try [UInt8](capacity: range.count) { output throws(GIFError) in try append(range, to: &output) }
  }

  private func append(_ range: Range<Int>, to output: inout OutputSpan<UInt8>) throws(GIFError) {
    guard let file = storage.file else {
      for place in range { output.append(storage.bytes[place]) }
      return
    }
    try unsafe output.append(count: range.count) { target throws(GIFError) in
      try unsafe file.source.read(at: range.lowerBound, into: target)
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends bytes that `body` fills in, all of them unless it throws.
  ///
  /// Their bounds: the span has room for `count` more, or the program ends.
  fileprivate mutating func append(
    count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(GIFError) -> Void
  ) throws(GIFError) {
    precondition(count <= freeCapacity)
    try unsafe withUnsafeMutableBufferPointer { buffer, initialized throws(GIFError) in
      try unsafe body(
        UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized..<initialized + count]))
      initialized += count
    }
  }
}

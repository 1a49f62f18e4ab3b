/// Gathers a frame's code blocks into one run of bytes, so that the code loop meets no block border.
///
/// Reused from frame to frame; holds at most the compressed bytes of one frame.
struct CodeStream: Sendable {
  /// Bytes readable past the end, zero, so that eight can always be loaded at once.
  static let padding = 8

  private(set) var bytes: [UInt8] = []
  /// Number of code bytes, without the padding.
  private(set) var count = 0

  /// Reads a frame's blocks, from memory or from the file.
  mutating func gather(_ frame: FrameInfo, of storage: ByteStorage) throws(GIFError) {
    guard let file = storage.file else { return try gather(frame.data, of: storage.bytes) }
    count = 0
    let length = frame.data.count
    try makeRoom(for: length)
    count = try unsafe bytes.withUnsafeMutableBufferPointer { (buffer) throws(GIFError) in
      let codes = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<length])
      try unsafe file.readCodes(of: frame, into: codes)
      let count = unsafe Self.compact(codes)
      for place in count..<count + Self.padding { unsafe buffer[place] = 0 }
      return count
    }
  }

  /// Moves the blocks together over their length bytes; returns how many code bytes there are.
  private static func compact(_ blocks: UnsafeMutableRawBufferPointer) -> Int {
    guard let start = blocks.baseAddress else { return 0 }
    var (source, target) = (0, 0)
    while source < blocks.count {
      let length = unsafe min(Int(blocks[source]), blocks.count - source - 1)
      if length == 0 { break }
      unsafe (start + target).copyMemory(from: start + source + 1, byteCount: length)
      source += 1 + length
      target += length
    }
    return target
  }

  /// Reads the blocks in `range`, which may break off anywhere.
  mutating func gather(_ range: Range<Int>, of file: Span<UInt8>) throws(GIFError) {
    try makeRoom(for: range.count)
    count = unsafe bytes.withUnsafeMutableBytes { target in
      var blocks = SubBlocks(range)
      var count = 0
      while let block = blocks.next(in: file) {
        // Block by block: elsewhere than on x86 an array takes bytes one at a time. The slice checks the
        // range.
        let place = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count..<count + block.count])
        unsafe file.extracting(block).withUnsafeBytes { unsafe place.copyMemory(from: $0) }
        count += block.count
      }
      for place in count..<count + Self.padding { unsafe target[place] = 0 }
      return count
    }
  }

  /// Makes room for this many bytes of codes and the padding.
  private mutating func makeRoom(for length: Int) throws(GIFError) {
    let needed = length + Self.padding
    if bytes.capacity < needed {
      try SystemMemory.require(needed)
      bytes = Array(repeating: 0, count: needed)
    } else if bytes.count < needed {
      bytes.append(contentsOf: repeatElement(0, count: needed - bytes.count))
    }
  }

  /// The most indices that this many bytes of codes can stand for: n codes give at most 1 + 2 + ... + n, and
  /// no code more than 4,096.
  static func mostIndices(codeBytes: Int, codeSize: UInt8) -> Int64 {
    let codes = Int64(codeBytes) * 8 / (Int64(codeSize) + 1)
    return codes * min(codes, 4096)
  }
}

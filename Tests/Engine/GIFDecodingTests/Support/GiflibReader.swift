import CGiflib

/// What giflib by itself finds in a file: all records in order, with the palette indices that its own decoder
/// gives.
struct GiflibReader {
  struct Image: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var isInterlaced: Bool
    /// The local palette's bytes, red, green, blue; empty where there is none.
    var localPalette: [UInt8]
    /// In stored order.
    var indices: [UInt8]
    /// The four fields of the last graphics control before it, as stored; empty where there is none.
    var control: [UInt8]
  }

  var width: Int
  var height: Int
  var globalPalette: [UInt8]
  var images: [Image] = []
  var comments: [[UInt8]] = []

  /// Reads a sound file whole; nil where giflib reports any error.
  ///
  /// The unsafe part of the tests: giflib reads from `source` through a pointer that is valid for the time of
  /// this call, and all that it hands out is copied before the next call of one of its functions.
  init?(_ bytes: [UInt8]) {
    var source = Source(bytes: bytes)
    var result: GiflibReader?
    unsafe withUnsafeMutablePointer(to: &source) { source in
      var fault: Int32 = 0
      guard let gif = unsafe DGifOpen(source, readFromSource, &fault) else { return }
      var reader = unsafe GiflibReader(screenOf: gif)
      if unsafe reader.readRecords(of: gif) { result = reader }
      unsafe _ = DGifCloseFile(gif, nil)
    }
    guard let result else { return nil }
    self = result
  }

  private init(screenOf gif: UnsafeMutablePointer<GifFileType>) {
    unsafe width = Int(gif.pointee.SWidth)
    unsafe height = Int(gif.pointee.SHeight)
    unsafe globalPalette = colors(of: gif.pointee.SColorMap)
  }

  /// Reads up to the trailer; false at the first error.
  private mutating func readRecords(of gif: UnsafeMutablePointer<GifFileType>) -> Bool {
    var control: [UInt8] = []
    while true {
      var type = UNDEFINED_RECORD_TYPE
      guard unsafe DGifGetRecordType(gif, &type) == GIF_OK else { return false }
      switch type {
      case TERMINATE_RECORD_TYPE:
        return true
      case IMAGE_DESC_RECORD_TYPE:
        guard let image = unsafe readImage(of: gif, control: control) else { return false }
        images.append(image)
        control = []
      case EXTENSION_RECORD_TYPE:
        guard let (label, blocks) = unsafe readExtension(of: gif) else { return false }
        if label == GRAPHICS_EXT_FUNC_CODE { control = blocks }
        if label == COMMENT_EXT_FUNC_CODE { comments.append(blocks) }
      default:
        return false
      }
    }
  }

  private func readImage(of gif: UnsafeMutablePointer<GifFileType>, control: [UInt8]) -> Image? {
    guard unsafe DGifGetImageDesc(gif) == GIF_OK else { return nil }
    let stored = unsafe gif.pointee.Image
    var indices = [UInt8](repeating: 0, count: unsafe Int(stored.Width * stored.Height))
    let count = Int32(indices.count)
    guard
      unsafe indices.withUnsafeMutableBufferPointer({ unsafe DGifGetLine(gif, $0.baseAddress, count) })
        == GIF_OK
    else { return nil }
    return unsafe Image(
      x: Int(stored.Left), y: Int(stored.Top), width: Int(stored.Width), height: Int(stored.Height),
      isInterlaced: stored.Interlace, localPalette: colors(of: stored.ColorMap), indices: indices,
      control: control)
  }

  /// The label and the joined bytes of all sub-blocks.
  private func readExtension(of gif: UnsafeMutablePointer<GifFileType>) -> (label: Int32, bytes: [UInt8])? {
    var label: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    var bytes: [UInt8] = []
    guard unsafe DGifGetExtension(gif, &label, &block) == GIF_OK else { return nil }
    while let current = unsafe block {
      // The first byte is the block's length.
      for position in 1..<1 + Int(unsafe current[0]) { unsafe bytes.append(current[position]) }
      guard unsafe DGifGetExtensionNext(gif, &block) == GIF_OK else { return nil }
    }
    return (label, bytes)
  }
}

/// The bytes that giflib reads, and how far it has come.
private struct Source {
  let bytes: [UInt8]
  var offset = 0
}

private func readFromSource(
  _ gif: UnsafeMutablePointer<GifFileType>?, _ target: UnsafeMutablePointer<GifByteType>?, _ wanted: Int32
) -> Int32 {
  guard let source = unsafe gif?.pointee.UserData?.assumingMemoryBound(to: Source.self),
    let target = unsafe target
  else { return 0 }
  let start = unsafe source.pointee.offset
  let part = unsafe source.pointee.bytes[start...].prefix(Int(wanted))
  for (position, byte) in part.enumerated() { unsafe target[position] = byte }
  unsafe source.pointee.offset += part.count
  return Int32(part.count)
}

/// A colour map's bytes; none for no map.
private func colors(of map: UnsafeMutablePointer<ColorMapObject>?) -> [UInt8] {
  guard let map = unsafe map else { return [] }
  return unsafe (0..<Int(map.pointee.ColorCount)).flatMap { position in
    let color = unsafe map.pointee.Colors[position]
    return [color.Red, color.Green, color.Blue]
  }
}

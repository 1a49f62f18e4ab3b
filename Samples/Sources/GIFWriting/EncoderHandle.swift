import CGifEncoder

// All unsafe code of the module is in this file. Three rules keep it sound:
// - `file` and `sink` are owned by exactly one non-copyable handle, which gives them up exactly once, either
//   in `close()` or in `deinit`;
// - giflib calls the output function only during a call made here, so the sink is never used concurrently;
// - every pointer handed to giflib is either copied by it (colour maps, extension blocks) or used only during
//   the call (lines), so nothing outlives its `withUnsafe...` closure.

/// Where giflib's output function puts the bytes of the file.
private final class ByteSink {
  var bytes: [UInt8] = []
}

/// An open giflib encoder that writes into memory.
struct EncoderHandle: ~Copyable {
  private let file: UnsafeMutablePointer<GifFileType>
  private let sink: Unmanaged<ByteSink>

  /// Opens an encoder of a GIF89a file.
  init() throws(GIFWritingError) {
    let sink = Unmanaged.passRetained(ByteSink())
    var code: Int32 = 0
    let opened = EGifOpen(
      sink.toOpaque(),
      { file, bytes, count in
        guard let bytes, let context = file?.pointee.UserData else { return 0 }
        let sink = Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
        sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
      },
      &code
    )
    guard let opened else {
      sink.release()
      throw .encoder(step: "open an encoder", reason: Self.reason(for: code))
    }
    EGifSetGifVersion(opened, true)
    self.file = opened
    self.sink = sink
  }

  deinit {
    EGifCloseFile(file, nil)
    sink.release()
  }

  /// Writes the trailer and gives back the whole file.
  consuming func close() throws(GIFWritingError) -> [UInt8] {
    var code: Int32 = 0
    let result = EGifCloseFile(file, &code)
    let bytes = sink.takeRetainedValue().bytes
    // giflib has freed the file and the sink is released: there is nothing left for `deinit` to do.
    discard self
    guard result == GIF_OK else {
      throw .encoder(step: "close the file", reason: Self.reason(for: code))
    }
    return bytes
  }

  /// Writes the header, the size of the canvas and the file's palette.
  func putScreen(width: Int, height: Int, palette: GIFPalette?) throws(GIFWritingError) {
    let result = Self.withColorMap(palette) { map in
      EGifPutScreenDesc(file, Int32(width), Int32(height), 8, 0, map)
    }
    try check(result, "write the screen descriptor")
  }

  /// Writes an extension of one or more data blocks, each of at most 255 bytes.
  func putExtension(_ function: Int32, blocks: [[UInt8]]) throws(GIFWritingError) {
    try check(EGifPutExtensionLeader(file, function), "start an extension")
    for block in blocks {
      let result = block.withUnsafeBytes { bytes in
        EGifPutExtensionBlock(file, Int32(bytes.count), bytes.baseAddress)
      }
      try check(result, "write an extension block")
    }
    try check(EGifPutExtensionTrailer(file), "end an extension")
  }

  /// Writes a frame's position, size and palette; its lines must follow.
  func putImageDescriptor(of frame: GIFFrame) throws(GIFWritingError) {
    let result = Self.withColorMap(frame.palette) { map in
      EGifPutImageDesc(
        file, Int32(frame.left), Int32(frame.top), Int32(frame.width), Int32(frame.height),
        frame.isInterlaced, map
      )
    }
    try check(result, "write an image descriptor")
  }

  /// Writes the next line in the order of the file.
  ///
  /// giflib masks the line in place, so it has to be a copy that may change.
  func putLine(_ line: consuming [UInt8]) throws(GIFWritingError) {
    let result = line.withUnsafeMutableBufferPointer { pixels in
      EGifPutLine(file, pixels.baseAddress, Int32(pixels.count))
    }
    try check(result, "write a line")
  }

  private func check(_ result: Int32, _ step: String) throws(GIFWritingError) {
    guard result == GIF_OK else {
      throw .encoder(step: step, reason: Self.reason(for: file.pointee.Error))
    }
  }

  /// Lends `body` a palette in giflib's form for the time of the call.
  private static func withColorMap(
    _ palette: GIFPalette?, _ body: (UnsafeMutablePointer<ColorMapObject>?) -> Int32
  ) -> Int32 {
    guard let palette else { return body(nil) }
    let colors = palette.paddedColors.map { GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue) }
    let map = colors.withUnsafeBufferPointer { GifMakeMapObject(Int32($0.count), $0.baseAddress) }
    defer { GifFreeMapObject(map) }
    // A nil map means that there is no memory; passing it on would silently drop the palette.
    return map == nil ? GIF_ERROR : body(map)
  }

  private static func reason(for code: Int32) -> String {
    guard let text = GifErrorString(code) else { return "error \(code)" }
    return String(cString: text)
  }
}

internal import CGallop
internal import Gallop

// What an image has several of, written to the caller's memory. Every bound is the capacity that the caller
// states.

extension ImageObject {
  /// Fills in an array of structs, each of `size` bytes.
  func writeFrames(
    _ first: Int64, _ count: Int64, to target: UnsafeMutablePointer<gallop_frame_info>?, size: Int
  ) throws(Failure) {
    guard first >= 0, count >= 0, count <= Int64(image.frameCount) - first else {
      throw Failure(.missingFrame(first, of: image.frameCount), source: name)
    }
    guard size >= MemoryLayout<Int>.size, size <= 1 << 12 else {
      throw .argument("the size of an element is \(size)")
    }
    if count == 0 { return }
    let start = unsafe UnsafeMutableRawPointer(try given(target, "the array"))
    for place in 0..<Int(count) {
      let element = unsafe start + place * size
      unsafe element.storeBytes(of: size, as: Int.self)
      unsafe write(image.info(of: image.frames[Int(first) + place]), to: element, size: size)
    }
  }

  func writeComment(
    _ index: Int32, to buffer: UnsafeMutablePointer<CChar>?, capacity: Int,
    length: UnsafeMutablePointer<Int>?
  ) throws(Failure) -> Status {
    guard index >= 0, capacity >= 0 else { throw .argument("a negative number") }
    let comments = image.metadata.commentTexts
    guard Int(index) < comments.count else { return .end }
    let bytes = comments[Int(index)]
    if let length = unsafe length { unsafe length.pointee = bytes.count }
    guard capacity > 0 else { return .ok }
    let buffer = try unsafe given(buffer, "the buffer")
    let count = min(bytes.count, capacity - 1)
    for place in 0..<count { unsafe buffer[place] = CChar(bitPattern: bytes[place]) }
    unsafe buffer[count] = 0
    return .ok
  }

  func writeExtension(
    _ index: Int32, to target: UnsafeMutablePointer<gallop_extension>?
  ) throws(Failure) -> Status {
    guard index >= 0 else { throw .argument("the number of an extension is \(index)") }
    let extensions = image.metadata.applicationExtensions
    guard Int(index) < extensions.count else { return .end }
    let found = extensions[Int(index)]
    var answer = gallop_extension()
    answer.offset = Int64(found.offset)
    answer.byte_count = Int64(found.byteCount)
    unsafe withUnsafeMutableBytes(of: &answer.identifier) {
      unsafe $0.copyBytes(from: found.identifierBytes.prefix($0.count - 1))
    }
    try unsafe write(answer, to: target)
    return .ok
  }

  /// The global palette for -1, or a frame's own; empty without one.
  func palette(ofFrame frame: Int64, _ format: PixelFormat) throws(Failure) -> [UInt32] {
    if frame == -1 { return image.globalPalette(format) ?? [] }
    let index = try self.frame(at: frame).index
    return try decoding(name) { () throws(GIFError) in try image.palette(ofFrame: index, format) } ?? []
  }
}

/// Copies colours as far as they fit.
func write(
  _ palette: [UInt32], to colors: UnsafeMutablePointer<UInt8>?, capacity: Int,
  count: UnsafeMutablePointer<Int>?
) throws(Failure) {
  if let count = unsafe count { unsafe count.pointee = palette.count }
  let fitting = min(palette.count, max(0, capacity))
  guard fitting > 0 else { return }
  let target = unsafe UnsafeMutableRawPointer(try given(colors, "the array of colours"))
  for place in 0..<fitting {
    unsafe target.storeBytes(of: palette[place], toByteOffset: 4 * place, as: UInt32.self)
  }
}

// Structs that begin with their size, and may be older or newer than this library's.

/// No struct is ever this large: a greater size was never set.
private let mostStructBytes = 1 << 12

/// The size that the caller has set in a struct.
///
/// Its bound: C guarantees that the memory has at least the size field, and then as many bytes as that says.
private func size(of raw: UnsafeRawPointer) throws(Failure) -> Int {
  let size = unsafe raw.loadUnaligned(as: Int.self)
  guard size >= MemoryLayout<Int>.size, size <= mostStructBytes else {
    throw .argument("struct_size is \(size): set it to sizeof the struct")
  }
  return size
}

/// Copies an answer to the caller's struct, all but its size field and no further than that says.
func write<Struct: BitwiseCopyable>(
  _ value: Struct, to target: UnsafeMutablePointer<Struct>?
) throws(Failure) {
  guard let target = unsafe target else { throw .argument("the struct to fill in is NULL") }
  let size = try unsafe size(of: UnsafeRawPointer(target))
  unsafe write(value, to: UnsafeMutableRawPointer(target), size: size)
}

/// The same where the size is known from elsewhere; the size field is left as it is.
func write<Struct: BitwiseCopyable>(_ value: Struct, to target: UnsafeMutableRawPointer, size: Int) {
  let head = MemoryLayout<Int>.size
  unsafe withUnsafeBytes(of: value) { bytes in
    let count = min(size, bytes.count) - head
    guard count > 0, let base = bytes.baseAddress else { return }
    unsafe (target + head).copyMemory(from: base + head, byteCount: count)
  }
}

/// A copy of the caller's struct, with 0 for what an older header does not have; `empty` for NULL.
/// - Throws: for a newer struct that asks for what this library does not know.
func read<Struct: BitwiseCopyable>(
  _ source: UnsafePointer<Struct>?, empty: Struct
) throws(Failure) -> Struct {
  guard let source = unsafe source else { return empty }
  let raw = unsafe UnsafeRawPointer(source)
  let size = try unsafe size(of: raw)
  var copy = empty
  let known = min(size, MemoryLayout<Struct>.size)
  unsafe withUnsafeMutableBytes(of: &copy) { target in
    unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: known))
  }
  for place in known..<size {
    guard unsafe raw.load(fromByteOffset: place, as: UInt8.self) == 0 else {
      throw .argument("the struct has options that this version of the library does not know")
    }
  }
  return copy
}

/// An out parameter, emptied.
func emptied(
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) throws(Failure) -> UnsafeMutablePointer<OpaquePointer?> {
  guard let out = unsafe out else { throw .argument("the pointer for the new handle is NULL") }
  unsafe out.pointee = nil
  return unsafe out
}

// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import EngineSupport
internal import Glibc

/// Memory for pixels: in huge pages where the system has them, and recycled.
///
/// Its bound: `bytes` are allocated or mapped with the object, and end with it. They are not initialised:
/// recycled memory has older pixels.
@safe final class PictureMemory: HandleObject, @unchecked Sendable {
  static let kind = HandleKind.memory
  static let hasThreads = false

  let bytes: UnsafeMutableRawBufferPointer
  /// What C reads beside the bytes, and which lives as long. Set before the memory is handed out.
  var companion: AnyObject?
  /// What is mapped; nil for memory of the heap.
  private let range: Range<UInt>?

  /// Whether it is mapped; then it also outlasts the processor's caches while it is filled.
  var isLarge: Bool { range != nil }

  /// Smaller requests are the heap's: a huge page more would be too much for them.
  static let leastMapped = 4 << 20

  /// - Throws: ``Status/outOfMemory``.
  init(byteCount: Int) throws(Failure) {
    let size = max(1, byteCount)
    let start: UnsafeMutableRawPointer?
    if size < Self.leastMapped {
      range = nil
      unsafe start = aligned_alloc(64, (size + 63) / 64 * 64)
    } else {
      range = RecycledMemory.map(size)
      unsafe start = range.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0.lowerBound) }
    }
    guard let start = unsafe start else {
      throw Failure(.outOfMemory, "there is no memory for \(byteCount) bytes", value: Int64(byteCount))
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  deinit {
    if let range { RecycledMemory.recycle(range) } else { unsafe free(bytes.baseAddress) }
  }
}

@c @implementation
public func gallop_memory_new(
  _ size: Int, _ address: UnsafeMutablePointer<UnsafeMutableRawPointer?>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let address = try unsafe given(address, "the pointer to the address")
    guard size >= 0 else { throw Failure(.outOfMemory, "no system has so much memory") }
    let memory = try PictureMemory(byteCount: size)
    unsafe address.pointee = memory.bytes.baseAddress
    try unsafe Handles.add(memory, to: out)
  }
}

@c @implementation
public func gallop_memory_release(_ memory: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(memory, PictureMemory.self) }
}

@c @implementation
public func gallop_memory_trim() -> gallop_status {
  answer { RecycledMemory.trim() }
}

internal import CGallop
internal import Gallop
internal import Glibc

// The numbers of the header for the engine's values.

extension gallop_rect {
  init(_ rect: PixelRect) {
    self.init(
      x: Int32(clamping: rect.x), y: Int32(clamping: rect.y), width: Int32(clamping: rect.width),
      height: Int32(clamping: rect.height))
  }
}

extension Disposal {
  var number: Int32 {
    switch self {
    case .keep: Int32(GALLOP_DISPOSAL_KEEP)
    case .background: Int32(GALLOP_DISPOSAL_BACKGROUND)
    case .previous: Int32(GALLOP_DISPOSAL_PREVIOUS)
    }
  }
}

extension DamagePolicy {
  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_DAMAGE_CHROMIUM: self = .chromium
    case GALLOP_DAMAGE_RESILIENT: self = .resilient
    default: throw .argument("there is no damage policy \(number)")
    }
  }

  var number: Int32 {
    switch self {
    case .chromium: Int32(GALLOP_DAMAGE_CHROMIUM)
    case .resilient: Int32(GALLOP_DAMAGE_RESILIENT)
    }
  }
}

extension PixelFormat {
  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_RGBA: self = .rgba
    case GALLOP_BGRA: self = .bgra
    case GALLOP_RGBA_PREMULTIPLIED: self = .rgbaPremultiplied
    case GALLOP_BGRA_PREMULTIPLIED: self = .bgraPremultiplied
    default: throw .argument("there is no pixel format \(number)")
    }
  }

  var number: Int32 {
    switch self {
    case .rgba: Int32(GALLOP_RGBA)
    case .bgra: Int32(GALLOP_BGRA)
    case .rgbaPremultiplied: Int32(GALLOP_RGBA_PREMULTIPLIED)
    case .bgraPremultiplied: Int32(GALLOP_BGRA_PREMULTIPLIED)
    }
  }
}

extension FrameStatus {
  var number: Int32 {
    switch self {
    case .complete: Int32(GALLOP_FRAME_COMPLETE)
    case .truncated: Int32(GALLOP_FRAME_TRUNCATED)
    case .failed: Int32(GALLOP_FRAME_FAILED)
    case .blank: Int32(GALLOP_FRAME_BLANK)
    }
  }
}

// MARK: - The caller's memory

/// A copy of a path: its bytes, and the 0 after them that C guarantees.
func copy(path: UnsafePointer<CChar>?) throws(Failure) -> [CChar] {
  let path = try unsafe given(path, "the path")
  return unsafe Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
}

/// A copy of the caller's bytes, of which C guarantees that there are `size`.
func copy(_ bytes: UnsafeRawPointer?, size: Int) throws(Failure) -> [UInt8] {
  guard size >= 0 else { throw .argument("\(UInt(bitPattern: size)) bytes are more than there can be") }
  guard let bytes = unsafe bytes else {
    if size == 0 { return [] }
    throw .argument("the pointer to the bytes is NULL")
  }
  return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size))
}

/// A pointer that C must not leave NULL.
func given<Pointer>(_ pointer: Pointer?, _ name: String) throws(Failure) -> Pointer {
  guard let pointer else { throw .argument("\(name) is NULL") }
  return pointer
}

internal import EngineSupport
internal import Gallop

/// JPEG files by libjpeg-turbo, opened when the first one is encoded.
enum JPEGEncoder {
  /// Opens the library now, for a process that can open no other file later.
  static func openLibrary() { _ = TurboJPEGLibrary.shared }

  /// - Parameters:
  ///   - picture: whose alpha is left out.
  ///   - quality: 0 to 100.
  static func encode(_ picture: PixelBuffer, quality: Float) throws -> [UInt8] {
    precondition(picture.format == .rgba)
    guard let library = TurboJPEGLibrary.shared else {
      throw CommandFailure(reason: "JPEGs need libjpeg-turbo: install \(TurboJPEGLibrary.package)")
    }
    guard picture.width <= 65_500, picture.height <= 65_500 else {
      throw FileFailure(reason: "a JPEG has at most 65,500 pixels a side; --fit makes pictures smaller")
    }
    guard let encoder = unsafe library.makeEncoder() else { throw CommandFailure(reason: "JPEG: no memory") }
    defer { unsafe _ = library.destroy(encoder) }
    var (buffer, count): (UnsafeMutablePointer<UInt8>?, CUnsignedLong) = (nil, 0)
    // The library allocates the buffer, and frees nothing that it has not made.
    defer { unsafe library.free(buffer) }
    // The pixels are read during the call only: four bytes each, rows without gaps.
    let status = unsafe picture.withUnsafeBytes { bytes in
      unsafe library.encode(
        encoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(picture.width), 0,
        CInt(picture.height), TurboJPEGLibrary.redFirst, &buffer, &count, TurboJPEGLibrary.halvedColors,
        CInt(max(1, quality.rounded())), 0)
    }
    guard status == 0, let buffer = unsafe buffer else {
      let reason = unsafe library.errorText(encoder).map { unsafe String(cString: $0) } ?? "unknown"
      throw CommandFailure(reason: "JPEG: \(reason)")
    }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
  }
}

/// The functions of TurboJPEG that are used. Each has the type that `turbojpeg.h` gives it, in versions 2 and
/// 3.
@safe private struct TurboJPEGLibrary: Sendable {
  typealias Encoder = UnsafeMutableRawPointer

  let makeEncoder: @convention(c) () -> Encoder?
  let encode:
    @convention(c) (
      Encoder?, UnsafePointer<UInt8>?, _ width: CInt, _ pitch: CInt, _ height: CInt, _ format: CInt,
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<CUnsignedLong>?,
      _ subsampling: CInt, _ quality: CInt, _ flags: CInt
    ) -> CInt
  let errorText: @convention(c) (Encoder?) -> UnsafeMutablePointer<CChar>?
  let free: @convention(c) (UnsafeMutablePointer<UInt8>?) -> Void
  let destroy: @convention(c) (Encoder?) -> CInt

  /// TJPF_RGBX: red, green, blue, and a byte that is left out.
  static let redFirst: CInt = 2
  /// TJSAMP_420.
  static let halvedColors: CInt = 2
  /// The Debian package of the library.
  static let package = "libturbojpeg0"

  /// The library; nil if it is not installed.
  static let shared: TurboJPEGLibrary? = FunctionTable(fileName: "libturbojpeg.so.0").flatMap {
    try? TurboJPEGLibrary($0)
  }

  private init(_ table: FunctionTable) throws(MissingFunction) {
    unsafe makeEncoder = try table.find("tjInitCompress")
    unsafe encode = try table.find("tjCompress2")
    unsafe errorText = try table.find("tjGetErrorStr2")
    unsafe free = try table.find("tjFree")
    unsafe destroy = try table.find("tjDestroy")
  }
}

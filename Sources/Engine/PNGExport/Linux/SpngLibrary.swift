internal import Glibc

/// The functions of libspng that are used, found in the library when a picture is first encoded.
///
/// So a program that writes no PNG needs no libspng, neither to build nor to start. The library is never
/// unloaded, and the addresses stay valid. Each function has the type that `spng.h` declares.
@safe struct SpngLibrary: @unchecked Sendable {
  typealias Context = OpaquePointer

  let makeContext: @convention(c) (_ flags: CInt) -> Context?
  let freeContext: @convention(c) (Context?) -> Void
  let setOption: @convention(c) (Context?, _ option: CInt, _ value: CInt) -> CInt
  /// The header is a `struct spng_ihdr`: two numbers of 32 bits and five bytes.
  let setHeader: @convention(c) (Context?, _ header: UnsafeMutableRawPointer?) -> CInt
  let encodeImage: @convention(c) (Context?, UnsafeRawPointer?, Int, _ format: CInt, _ flags: CInt) -> CInt
  let encodeRow: @convention(c) (Context?, UnsafeRawPointer?, Int) -> CInt
  let takeBuffer:
    @convention(c) (Context?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CInt>?) ->
      UnsafeMutableRawPointer?
  let errorText: @convention(c) (CInt) -> UnsafePointer<CChar>?

  /// SPNG_CTX_ENCODER.
  static let encoder: CInt = 2
  /// SPNG_IMG_COMPRESSION_LEVEL.
  static let compressionLevel: CInt = 2
  /// SPNG_FILTER_CHOICE, and its value for no filters.
  static let filterChoice: (option: CInt, none: CInt) = (10, 8)
  /// SPNG_ENCODE_TO_BUFFER.
  static let toBuffer: CInt = 12
  /// SPNG_FMT_PNG: the pixels are as the header says.
  static let sameFormat: CInt = 256
  /// SPNG_ENCODE_PROGRESSIVE and SPNG_ENCODE_FINALIZE.
  static let rowByRow: CInt = 1 | 2
  /// SPNG_EOI, the status after the last row.
  static let endOfImage: CInt = 75

  /// Frees a picture that ``takeBuffer`` has returned.
  func free(_ picture: UnsafeMutableRawPointer) { unsafe Glibc.free(picture) }

  /// The library; nil if it is not installed.
  static let shared = SpngLibrary()

  private init?() {
    guard let library = unsafe dlopen("libspng.so.0", RTLD_NOW | RTLD_LOCAL),
      let makeContext = unsafe dlsym(library, "spng_ctx_new"),
      let freeContext = unsafe dlsym(library, "spng_ctx_free"),
      let setOption = unsafe dlsym(library, "spng_set_option"),
      let setHeader = unsafe dlsym(library, "spng_set_ihdr"),
      let encodeImage = unsafe dlsym(library, "spng_encode_image"),
      let encodeRow = unsafe dlsym(library, "spng_encode_row"),
      // Of 2021, with the encoder; an older library counts as missing.
      let takeBuffer = unsafe dlsym(library, "spng_get_png_buffer"),
      let errorText = unsafe dlsym(library, "spng_strerror")
    else { return nil }
    unsafe self.makeContext = unsafeBitCast(makeContext, to: (@convention(c) (CInt) -> Context?).self)
    unsafe self.freeContext = unsafeBitCast(freeContext, to: (@convention(c) (Context?) -> Void).self)
    unsafe self.setOption = unsafeBitCast(
      setOption, to: (@convention(c) (Context?, CInt, CInt) -> CInt).self)
    unsafe self.setHeader = unsafeBitCast(
      setHeader, to: (@convention(c) (Context?, UnsafeMutableRawPointer?) -> CInt).self)
    unsafe self.encodeImage = unsafeBitCast(
      encodeImage, to: (@convention(c) (Context?, UnsafeRawPointer?, Int, CInt, CInt) -> CInt).self)
    unsafe self.encodeRow = unsafeBitCast(
      encodeRow, to: (@convention(c) (Context?, UnsafeRawPointer?, Int) -> CInt).self)
    unsafe self.takeBuffer = unsafeBitCast(
      takeBuffer,
      to: (@convention(c) (
        Context?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CInt>?
      ) -> UnsafeMutableRawPointer?).self)
    unsafe self.errorText = unsafeBitCast(
      errorText, to: (@convention(c) (CInt) -> UnsafePointer<CChar>?).self)
  }
}

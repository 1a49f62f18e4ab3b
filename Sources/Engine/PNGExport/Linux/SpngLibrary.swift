internal import EngineSupport
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
    guard let table = FunctionTable(fileName: "libspng.so.0"), let library = try? SpngLibrary(table) else {
      return nil
    }
    self = library
  }

  private init(_ table: FunctionTable) throws(MissingFunction) {
    unsafe makeContext = try table.find("spng_ctx_new")
    unsafe freeContext = try table.find("spng_ctx_free")
    unsafe setOption = try table.find("spng_set_option")
    unsafe setHeader = try table.find("spng_set_ihdr")
    unsafe encodeImage = try table.find("spng_encode_image")
    unsafe encodeRow = try table.find("spng_encode_row")
    // Of 2021, with the encoder; an older library counts as missing.
    unsafe takeBuffer = try table.find("spng_get_png_buffer")
    unsafe errorText = try table.find("spng_strerror")
  }
}

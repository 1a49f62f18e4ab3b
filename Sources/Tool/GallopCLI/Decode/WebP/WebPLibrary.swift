internal import CWebP
internal import Glibc

/// The functions of libwebp and libwebpmux that are used, found when a WebP is first written.
///
/// The libraries stay loaded, so every pointer stays valid; each has the type that their headers give it.
@safe struct WebPLibrary: Sendable {
  typealias Encoder = OpaquePointer

  let configure: @convention(c) (UnsafeMutablePointer<WebPConfig>?, WebPPreset, Float, CInt) -> CInt
  let setLosslessLevel: @convention(c) (UnsafeMutablePointer<WebPConfig>?, CInt) -> CInt
  let initPicture: @convention(c) (UnsafeMutablePointer<WebPPicture>?, CInt) -> CInt
  let importRGBA: @convention(c) (UnsafeMutablePointer<WebPPicture>?, UnsafePointer<UInt8>?, CInt) -> CInt
  let freePicture: @convention(c) (UnsafeMutablePointer<WebPPicture>?) -> Void
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let initOptions: @convention(c) (UnsafeMutablePointer<WebPAnimEncoderOptions>?, CInt) -> CInt
  let makeEncoder: @convention(c) (CInt, CInt, UnsafePointer<WebPAnimEncoderOptions>?, CInt) -> Encoder?
  let add:
    @convention(c) (Encoder?, UnsafeMutablePointer<WebPPicture>?, CInt, UnsafePointer<WebPConfig>?) -> CInt
  let assemble: @convention(c) (Encoder?, UnsafeMutablePointer<WebPData>?) -> CInt
  let errorText: @convention(c) (Encoder?) -> UnsafePointer<CChar>?
  let deleteEncoder: @convention(c) (Encoder?) -> Void

  /// The Debian packages of the libraries.
  static let packages = "libwebp7 and libwebpmux3"

  /// The libraries; nil if they are not installed, or too old to have a function.
  static let shared = WebPLibrary()

  private init?() {
    guard let webp = unsafe dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL),
      let mux = unsafe dlopen("libwebpmux.so.3", RTLD_NOW | RTLD_LOCAL)
    else { return nil }
    do throws(Missing) {
      unsafe configure = try Self.find("WebPConfigInitInternal", in: webp)
      unsafe setLosslessLevel = try Self.find("WebPConfigLosslessPreset", in: webp)
      unsafe initPicture = try Self.find("WebPPictureInitInternal", in: webp)
      unsafe importRGBA = try Self.find("WebPPictureImportRGBA", in: webp)
      unsafe freePicture = try Self.find("WebPPictureFree", in: webp)
      unsafe free = try Self.find("WebPFree", in: webp)
      unsafe initOptions = try Self.find("WebPAnimEncoderOptionsInitInternal", in: mux)
      unsafe makeEncoder = try Self.find("WebPAnimEncoderNewInternal", in: mux)
      unsafe add = try Self.find("WebPAnimEncoderAdd", in: mux)
      unsafe assemble = try Self.find("WebPAnimEncoderAssemble", in: mux)
      unsafe errorText = try Self.find("WebPAnimEncoderGetError", in: mux)
      unsafe deleteEncoder = try Self.find("WebPAnimEncoderDelete", in: mux)
    } catch {
      return nil
    }
  }

  private struct Missing: Error {}

  /// The function of a name.
  ///
  /// - Precondition: `Function` is the type of a pointer to the C function of this name.
  @unsafe private static func find<Function>(
    _ name: String, in library: UnsafeMutableRawPointer
  ) throws(Missing) -> Function {
    guard let symbol = unsafe dlsym(library, name) else { throw Missing() }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }
}

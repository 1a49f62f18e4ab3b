internal import CWebP
internal import EngineSupport

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
    guard let webp = FunctionTable(fileName: "libwebp.so.7"),
      let mux = FunctionTable(fileName: "libwebpmux.so.3"), let library = try? WebPLibrary(webp, mux)
    else { return nil }
    self = library
  }

  private init(_ webp: FunctionTable, _ mux: FunctionTable) throws(MissingFunction) {
    unsafe configure = try webp.find("WebPConfigInitInternal")
    unsafe setLosslessLevel = try webp.find("WebPConfigLosslessPreset")
    unsafe initPicture = try webp.find("WebPPictureInitInternal")
    unsafe importRGBA = try webp.find("WebPPictureImportRGBA")
    unsafe freePicture = try webp.find("WebPPictureFree")
    unsafe free = try webp.find("WebPFree")
    unsafe initOptions = try mux.find("WebPAnimEncoderOptionsInitInternal")
    unsafe makeEncoder = try mux.find("WebPAnimEncoderNewInternal")
    unsafe add = try mux.find("WebPAnimEncoderAdd")
    unsafe assemble = try mux.find("WebPAnimEncoderAssemble")
    unsafe errorText = try mux.find("WebPAnimEncoderGetError")
    unsafe deleteEncoder = try mux.find("WebPAnimEncoderDelete")
  }
}

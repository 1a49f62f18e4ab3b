import Glibc

/// A WebP of one picture, read back by libwebp's own decoder.
public enum WebPStill {
  private struct Unreadable: Error {}

  /// The pixels as RGBA, 8 bits, rows from the top.
  public static func pixels(of file: [UInt8]) throws -> [UInt8] {
    typealias Decode =
      @convention(c) (
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?
      ) -> UnsafeMutablePointer<UInt8>?
    var (width, height): (CInt, CInt) = (0, 0)
    guard let library = unsafe dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL),
      let symbol = unsafe dlsym(library, "WebPDecodeRGBA"),
      let decoded = unsafe unsafeBitCast(symbol, to: Decode.self)(file, file.count, &width, &height)
    else { throw Unreadable() }
    defer { unsafe free(decoded) }
    return unsafe Array(UnsafeBufferPointer(start: decoded, count: 4 * Int(width) * Int(height)))
  }
}

/// A finished picture: `width` x `height` pixels of four bytes, row by row from the top, no gap between rows.
///
/// Immutable and shareable; copies share the memory.
public struct PixelBuffer: Sendable {
  public let width: Int
  public let height: Int
  public let format: PixelFormat
  let words: [UInt32]
  /// Tells the canvas that the words come from whether they are in use; nil for words of another origin.
  let token: PixelToken?

  /// - Precondition: there are exactly `width` x `height` words.
  init(width: Int, height: Int, format: PixelFormat, words: [UInt32], token: PixelToken? = nil) {
    precondition(words.count == width * height)
    self.width = width
    self.height = height
    self.format = format
    self.words = words
    self.token = token
  }

  /// Size in memory.
  public var byteCount: Int { words.count * 4 }

  /// One word a pixel; the first byte in memory is the lowest.
  public var span: Span<UInt32> {
    @_lifetime(borrow self)
    get { words.span }
  }

  /// The pixel at a place on the canvas, as a word.
  public subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return words[y * width + x]
  }

  /// Hands out the bytes for the time of the call, for C functions and files.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = unsafe words.withUnsafeBytes { bytes in
      do throws(Failure) {
        return unsafe .success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

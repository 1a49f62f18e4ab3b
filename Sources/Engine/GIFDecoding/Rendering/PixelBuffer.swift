/// The pixels of a frame: `width` x `height` words of four bytes, row by row from the top, without gaps.
///
/// Immutable and sendable; copies share the memory.
public struct PixelBuffer: Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The order of a pixel's channels.
  public let format: PixelFormat
  package let memory: PixelMemory

  /// Makes pixels of words, as tests do.
  ///
  /// - Precondition: there are exactly `width` x `height` words, and memory for a copy.
  package init(width: Int, height: Int, format: PixelFormat = .rgba, words: [UInt32]) {
    guard let memory = try? PixelMemory(copying: words.span) else {
      preconditionFailure("there is no memory for a copy of the pixels")
    }
    self.init(width: width, height: height, format: format, memory: memory)
  }

  /// Makes pixels of memory that is theirs already.
  package init(width: Int, height: Int, format: PixelFormat, memory: PixelMemory) {
    precondition(memory.count == width * height)
    self.width = width
    self.height = height
    self.format = format
    self.memory = memory
  }

  /// The size in bytes.
  package var byteCount: Int { memory.count * 4 }

  /// The pixels, one word each; the lowest byte comes first in memory.
  public var span: Span<UInt32> {
    @_lifetime(borrow self)
    get { memory.span }
  }

  /// The pixel in column `x` of row `y`, as a word.
  public subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return memory.span[y * width + x]
  }

  /// Calls `body` with the bytes, for C functions and files.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = unsafe memory.span.withUnsafeBytes { bytes in
      do throws(Failure) {
        return unsafe .success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

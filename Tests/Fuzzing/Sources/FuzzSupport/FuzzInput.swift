/// What the fuzzer gave: some numbers taken from the end, which are cheap to mutate, and the rest as the
/// file.
public struct FuzzInput {
  /// The file.
  public private(set) var bytes: [UInt8]

  /// Copies the fuzzer's bytes.
  ///
  /// - Safety: `start` is valid for `count` bytes, or `count` is 0, for the time of the call. That is what
  ///   libFuzzer promises.
  @unsafe public init(start: UnsafePointer<UInt8>?, count: Int) {
    unsafe bytes = Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// Takes a number off the end; 0 where nothing is left.
  public mutating func takeNumber() -> Int { Int(bytes.popLast() ?? 0) }

  /// Takes several numbers off the end, as many as there are.
  public mutating func takeNumbers(_ count: Int) -> [Int] { (0..<count).map { _ in takeNumber() } }

  /// The file in pieces whose sizes are these numbers, over and over; 0 counts as 1.
  public func pieces(_ sizes: [Int]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + max(1, sizes[pieces.count % sizes.count]))
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    return pieces
  }
}

/// The order in which a GIF stores the rows of a frame.
enum InterlaceOrder {
  /// The passes of an interlaced image: the first row of each and the distance to the pass's next row.
  private static let passes = [
    (start: 0, step: 8), (start: 4, step: 8), (start: 2, step: 4), (start: 1, step: 2),
  ]

  /// The rows of a frame in the order of the file.
  static func rows(height: Int, isInterlaced: Bool) -> [Int] {
    guard isInterlaced else { return Array(0..<height) }
    return passes.flatMap { Array(stride(from: $0.start, to: height, by: $0.step)) }
  }
}

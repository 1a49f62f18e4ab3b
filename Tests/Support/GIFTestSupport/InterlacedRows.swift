/// The order in which an interlaced GIF stores its rows.
public enum InterlacedRows {
  /// The display row of each stored row: every 8th from 0, every 8th from 4, every 4th from 2, every 2nd from
  /// 1.
  public static func order(height: Int) -> [Int] {
    var rows: [Int] = []
    for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
      rows.append(contentsOf: stride(from: first, to: height, by: step))
    }
    return rows
  }

  /// Rearranges a whole frame from top-down rows to stored order; lets a test write interlaced data by hand.
  public static func store(_ indices: [UInt8], width: Int, height: Int) -> [UInt8] {
    precondition(indices.count == width * height, "an interlaced frame is rearranged whole")
    return order(height: height).flatMap { row in indices[(row * width)..<((row + 1) * width)] }
  }
}

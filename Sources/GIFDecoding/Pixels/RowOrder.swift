/// In which rows of the frame the stored rows belong.
///
/// Interlaced frames store every eighth row from 0, every eighth from 4, every fourth from 2, every second from 1
/// (GIF89a, appendix E).
struct RowOrder: Sendable {
  let height: Int
  let isInterlaced: Bool

  private static let passes = [
    (first: 0, step: 8), (first: 4, step: 8), (first: 2, step: 4), (first: 1, step: 2),
  ]

  /// Calls `body` with each of the first `count` stored rows' place: the stored row, its row in the frame, and
  /// how many rows below it the later passes will fill.
  @inline(__always)
  func forEachRow(_ count: Int, _ body: (_ stored: Int, _ row: Int, _ gap: Int) -> Void) {
    guard isInterlaced else {
      for row in 0..<min(count, height) { body(row, row, 0) }
      return
    }
    var stored = 0
    for (pass, gap) in zip(Self.passes, [7, 3, 1, 0]) {
      for row in stride(from: pass.first, to: height, by: pass.step) {
        guard stored < count else { return }
        body(stored, row, gap)
        stored += 1
      }
    }
  }
}

/// Why decoding a code stream stopped.
enum LZWOutcome: Sendable, Equatable {
  /// All pixels that were wanted are there. What follows in the stream was not looked at.
  case complete
  /// The end-of-information code came first.
  case endOfInformation
  /// The bytes ran out first.
  case outOfData
  /// A code that stands for nothing yet.
  case invalidCode
  /// The caller no longer wants the frame.
  case cancelled
}

/// Whether the frame under way is no longer wanted; nil where it always is.
package typealias CancelQuestion = (@Sendable () -> Bool)?

/// Decodes GIF's variable-width LZW codes to palette indices, by the rules of Wuffs, with which Chromium
/// decodes.
///
/// Rules where decoders differ (numbers are rows of the table in `BrokenGIFs.md`):
/// - code sizes 0 - 8; the width grows when the next free code reaches it, so size 1 starts at 2 bits and
///   goes on with 3 right after the first literal (38);
/// - a stream need not begin with a clear code, but the first code after one must be a literal (34);
/// - a code above the next free one is invalid (33);
/// - a full table stays as it is and codes stay 12 bits wide until the next clear (36).
///
/// The work itself is ``decodeLZW(_:codeSize:wanted:table:output:)``.
struct LZWDecoder: Sendable {
  private var table = LZWTable()

  /// Decodes up to `wanted` indices into `plane` and returns why it stopped and how many are there.
  ///
  /// - Parameters:
  ///   - stream: the gathered code bytes.
  ///   - codeSize: the minimum code size, 0 - 8.
  ///   - plane: made ready for at least `wanted` indices.
  ///   - isCancelled: asked every million indices of a frame that has more than two.
  mutating func decode(
    _ stream: borrowing CodeStream, codeSize: Int, wanted: Int, into plane: inout IndexPlane,
    isCancelled: CancelQuestion = nil
  ) -> (outcome: LZWOutcome, count: Int) {
    precondition(codeSize >= 0 && codeSize <= 8)
    if wanted == 0 { return (.complete, 0) }
    table.prepare(codeSize)
    return decodeLZW(
      stream, codeSize: codeSize, wanted: wanted, table: &table, output: &plane, isCancelled: isCancelled)
  }
}

/// The strings that codes stand for.
///
/// Every string already stands in the output, so an entry is no more than its place there, its length and,
/// since most are short, its first eight indices.
struct LZWTable: Sendable {
  /// One more than there are codes: what would be entered into a full table goes there and is never read.
  static let count = 4097

  /// The first eight indices of each string, the first one lowest. Empty until ``prepare(_:)``: many tables
  /// only take the place of one that is released.
  var heads: [UInt64] = []
  /// The start of each string in the output (low 32 bits) and its length (high 32 bits), which is 0 for the
  /// two control codes.
  var places: [UInt64] = []
  /// The code size for which the literals are entered.
  private var preparedSize = -1

  /// Enters the literals and the two control codes. Older entries above them need no clearing: no code
  /// reaches them before they are written again.
  mutating func prepare(_ codeSize: Int) {
    guard codeSize != preparedSize else { return }
    if heads.isEmpty {
      heads = Array(repeating: 0, count: Self.count)
      places = Array(repeating: 0, count: Self.count)
    }
    let clear = 1 << codeSize
    for literal in 0..<clear {
      heads[literal] = UInt64(literal)
      places[literal] = 1 << 32
    }
    places[clear] = 0
    places[clear + 1] = 0
    preparedSize = codeSize
  }
}

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
}

/// Decodes GIF's variable-width LZW codes to palette indices, by the rules of Wuffs, with which Chromium decodes.
///
/// Every dictionary string already stands in the output, so an entry is no more than its start there and its
/// length, and a code is decoded by copying forward. The string for the next free code is the last string and one
/// more index; its place is known before that index is, which makes the self-referring code (KwKwK) no special
/// case. The 256 single indices stand in front of the output as strings of length 1.
///
/// Rules where decoders differ (numbers are rows of the behaviour table):
/// - code sizes 0 - 8; the width grows when the next free code reaches it, so size 1 starts at 2 bits and goes on
///   with 3 right after the first literal (38);
/// - a stream need not begin with a clear code, but the first code after one must be a literal (34);
/// - a code above the next free one is invalid (33);
/// - a full table stays as it is and codes stay 12 bits wide until the next clear (36).
struct LZWDecoder: Sendable {
  /// The strings of all codes: start in the plane (low 32 bits) and length (high 32 bits), 0 for the two control
  /// codes.
  private var strings = [UInt64](repeating: 0, count: 4096)
  /// The code size for which `strings` holds the literals.
  private var preparedSize = -1

  /// Decodes up to `wanted` indices into `plane` and returns why it stopped and how many are there.
  ///
  /// - Parameters:
  ///   - stream: the gathered code bytes.
  ///   - codeSize: the minimum code size, 0 - 8.
  ///   - plane: made ready for at least `wanted` indices.
  mutating func decode(
    _ stream: borrowing CodeStream, codeSize: Int, wanted: Int, into plane: inout IndexPlane
  ) -> (outcome: LZWOutcome, count: Int) {
    precondition(codeSize >= 0 && codeSize <= 8)
    if wanted == 0 { return (.complete, 0) }
    prepare(codeSize)
    var strings = strings.mutableSpan
    var output = plane.mutableBytes
    return decodeCodes(
      stream.bytes.span, byteCount: stream.count, codeSize: codeSize, wanted: wanted, strings: &strings,
      output: &output)
  }

  /// Enters the literals and the two control codes. Older entries above them need no clearing: no code reaches
  /// them before they are written anew.
  private mutating func prepare(_ codeSize: Int) {
    guard codeSize != preparedSize else { return }
    let clear = 1 << codeSize
    for literal in 0..<clear { strings[literal] = UInt64(literal) | 1 << 32 }
    strings[clear] = 0
    strings[clear + 1] = 0
    preparedSize = codeSize
  }
}

/// The code loop. Apart from the type, so that it works on spans and locals only.
///
/// One decision a code keeps every access in bounds: `code <= last` holds for entries that this stream wrote, an
/// entry's string ends at or before the output's end, and a string is shorter than the plane's padding.
private func decodeCodes(
  _ codes: Span<UInt8>, byteCount: Int, codeSize: Int, wanted: Int, strings: inout MutableSpan<UInt64>,
  output: inout MutableSpan<UInt8>
) -> (outcome: LZWOutcome, count: Int) {
  let clear = 1 << codeSize
  let endOfOutput = IndexPlane.lead + wanted
  precondition(strings.count == 4096)
  precondition(output.count >= endOfOutput + IndexPlane.padding)
  precondition(codes.count >= byteCount + CodeStream.padding)

  var bits: UInt64 = 0
  var bitCount = 0
  var position = 0
  var width = codeSize + 1
  /// The highest code that stands for something: the end code after a clear, 4096 when the table is full.
  var last = clear + 1
  var out = IndexPlane.lead

  while out < endOfOutput {
    if bitCount < width {
      while bitCount <= 56, position < byteCount {
        bits |= UInt64(codes[position]) << UInt64(truncatingIfNeeded: bitCount)
        position += 1
        bitCount += 8
      }
      if bitCount < width { return (.outOfData, out - IndexPlane.lead) }
    }
    let code = Int(truncatingIfNeeded: bits & ((1 << UInt64(truncatingIfNeeded: width)) - 1))
    bits >>= UInt64(truncatingIfNeeded: width)
    bitCount -= width

    guard code <= last, code < 4096 else { return (.invalidCode, out - IndexPlane.lead) }
    let string = strings[code]
    let length = Int(string >> 32)
    if length == 0 {
      if code != clear { return (.endOfInformation, out - IndexPlane.lead) }
      last = clear + 1
      width = codeSize + 1
      continue
    }
    let start = Int(string & 0xFFFF_FFFF)
    for offset in 0..<length { output[out + offset] = output[start + offset] }

    if last < 4096 {
      last += 1
      if last < 4096 {
        strings[last] = UInt64(out) | UInt64(length + 1) << 32
        if last >> width != 0, width < 12 { width += 1 }
      }
    }
    out += length
  }
  return (.complete, wanted)
}

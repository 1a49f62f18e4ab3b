import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// A tiny file for one row of the table in `BrokenGIFs.md`, and what browsers show of it.
struct RowFixture: Sendable, CustomTestStringConvertible {
  let row: Int
  let what: String
  let bytes: [UInt8]
  /// The picture of each frame, as text.
  let shows: [String]
  /// The status of each frame; nil where all are complete.
  let statuses: [FrameStatus]?
  /// The oddities that the index reports.
  let oddities: [GIFDiagnostic.Code]
  /// The damage that only decoding brings to light.
  let damage: [GIFDiagnostic.Code]

  /// - Parameters:
  ///   - screen: the logical screen; nil where `build` writes header and screen, too.
  ///   - ends: whether a trailer follows what `build` writes.
  ///   - build: writes everything behind the logical screen.
  init(
    _ row: Int, _ what: String, screen: (width: Int, height: Int)?, ends: Bool = true, shows: [String],
    statuses: [FrameStatus]? = nil, oddities: [GIFDiagnostic.Code] = [], damage: [GIFDiagnostic.Code] = [],
    _ build: (inout GIFWriter) -> Void
  ) {
    self.row = row
    self.what = what
    self.shows = shows
    self.statuses = statuses
    self.oddities = oddities
    self.damage = damage
    var writer = GIFWriter()
    if let screen {
      writer = GIFWriter(width: screen.width, height: screen.height, palette: Letters.palette)
    }
    build(&writer)
    if ends { writer.trailer() }
    bytes = writer.bytes
  }

  var testDescription: String { "row \(row): \(what)" }

  /// Opens the file, renders every frame in order, and compares everything with what is expected.
  func check() throws {
    let image = try GIFImage(bytes: bytes)
    let rendering = try image.rendering()
    if let first = shows.first {
      let size = Letters.size(first)
      #expect(image.width == size.width)
      #expect(image.height == size.height)
    }
    #expect(image.frameCount == shows.count)
    #expect(rendering.pictures.map { Letters.text($0, width: image.width) } == shows)
    #expect(rendering.statuses == statuses ?? shows.map { _ in .complete })
    #expect(image.oddities == oddities)
    #expect(rendering.damage.map(\.code) == damage)
  }
}

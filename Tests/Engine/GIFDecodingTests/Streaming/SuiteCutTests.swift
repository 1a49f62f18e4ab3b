import Foundation
import GIFDecodingTestSupport
import Testing

@testable import GIFDecoding

/// The files of the conformance suite, cut at every byte: whole and in pieces they give the same pictures.
///
/// `make suite-cuts` runs this twice, with fresh memory filled in two ways, and compares the digests: a
/// picture with memory in it that was never written differs.
@Suite struct SuiteCutTests {
  static let pieces = [1, 7]
  /// A cut at every this many bytes; GALLOP_CUT_STEP=1 takes all. 29 divides no block of the files.
  static let step = ProcessInfo.processInfo.environment["GALLOP_CUT_STEP"].flatMap(Int.init) ?? 29
  /// A sample cuts larger files at fewer places, since each cut costs their whole length.
  static let mostCuts = 100

  static let files: [String] = {
    let folder = suiteFolder
    let topics = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return topics.sorted().flatMap { topic in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + topic)) ?? []
      return names.sorted().map { "\(topic)/\($0)" }
    }
  }()

  private static var suiteFolder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Conformance/suite/gifs").standardizedFileURL
  }

  @Test func suiteIsThere() {
    #expect(Self.files.count >= 200)
  }

  /// Where two runs are compared, fresh memory is filled indeed: glibc fills it with the byte's complement.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GALLOP_CUT_FILLING"] != nil))
  func freshMemoryIsFilled() throws {
    let filling = try #require(
      ProcessInfo.processInfo.environment["GALLOP_CUT_FILLING"].flatMap { UInt8($0) })
    for size in [100, 5_000, 1 << 20] {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      defer { unsafe memory.deallocate() }
      #expect(unsafe memory.load(fromByteOffset: size / 2, as: UInt8.self) == ~filling, "\(size) bytes")
    }
  }

  @Test func everyCutGivesTheSamePicture() throws {
    var lines = ""
    for file in Self.files {
      let bytes = [UInt8](try Data(contentsOf: Self.suiteFolder.appendingPathComponent(file)))
      // Cuts begin at another byte in each file, so that a sample meets every kind of place.
      let first = Self.step == 1 ? 0 : bytes.count % Self.step
      let stride = Self.step == 1 ? 1 : max(Self.step, bytes.count / Self.mostCuts)
      var digest = FNV()
      for count in Swift.stride(from: first, through: bytes.count, by: stride) {
        let cut = Array(bytes.prefix(count))
        let whole = ReadingOutcome(whole: cut)
        for size in Self.pieces {
          let fed = ReadingOutcome(pieces: Split.even(cut, size: size))
          #expect(fed == whole, "\(file), \(count) bytes in pieces of \(size)")
        }
        digest.append(whole)
      }
      lines += "\(file) \(digest.value)\n"
    }
    if let path = ProcessInfo.processInfo.environment["GALLOP_CUT_DIGESTS"] {
      try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
    }
  }
}

/// A digest that costs little in a debug build, and is the same in every process.
private struct FNV {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Takes in all that is known and seen of a file.
  mutating func append(_ outcome: ReadingOutcome) {
    if let facts = outcome.facts {
      append(
        "\(facts.width) \(facts.height) \(facts.loopCount) \(facts.frames.count) \(facts.diagnostics.count)")
    }
    append("\(outcome.show?.statuses ?? []) \(outcome.error?.description ?? "-")")
    for picture in outcome.show?.pictures ?? [] {
      for pixel in picture { append(UInt64(pixel)) }
    }
  }

  private mutating func append(_ text: String) {
    for byte in text.utf8 { append(UInt64(byte)) }
  }

  private mutating func append(_ word: UInt64) {
    value = (value ^ word) &* 0x100_0000_01B3
  }
}

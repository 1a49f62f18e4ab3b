import Foundation
import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFEditing

/// What is made smaller is never larger than the same edit without that, nor than a sound input that it
/// changes nothing of.
@Suite("Edits in fewer bytes are never larger")
struct SmallerTests {
  private enum Change: CaseIterable {
    case none, cut, reversed, turned, merged

    func apply(to edit: inout GIFEdit, of image: GIFImage) {
      switch self {
      case .none: break
      case .cut: edit.frames = Array(image.frameCount / 2..<image.frameCount)
      case .reversed: edit.order = .reversed
      case .turned: edit.quarterTurns = 1
      case .merged: edit.mergesStills = true
      }
    }
  }

  /// - Returns: how many edits gave an output.
  private static func check(_ bytes: [UInt8], _ name: String, _ changes: [Change]) throws -> Int {
    guard let image = try? GIFImage(bytes: bytes), image.frameCount > 0 else { return 0 }
    let isSound = image.diagnostics.isEmpty && image.checkFrames().diagnostics.isEmpty
    var count = 0
    for change in changes {
      var edit = GIFEdit()
      change.apply(to: &edit, of: image)
      do throws(GIFEditError) {
        let plain = try image.edited(edit)
        count += 1
        edit.makesSmaller = true
        do throws(GIFEditError) {
          let smaller = try image.edited(edit)
          #expect(smaller.count <= plain.count, "\(name), \(change)")
          if isSound, change == .none { #expect(smaller.count <= bytes.count, "\(name)") }
        } catch {
          // Damage that a plain edit copies.
          #expect(error.code == .failedFrame && !isSound, "\(name), \(change): \(error)")
        }
      } catch {
        #expect(error.code == .tooManyColors || error.code == .failedFrame, "\(name), \(change): \(error)")
      }
    }
    return count
  }

  /// Of larger ones the first frames are looked at: the whole takes minutes in a debug build.
  @Test("Of the samples", arguments: EditedFile.samples)
  func samples(file: EditedFile) throws {
    var bytes = try file.bytes()
    if bytes.count > 30_000 {
      var edit = GIFEdit()
      edit.frames = [0, 1, 2]
      bytes = try GIFImage(bytes: bytes).edited(edit)
    }
    #expect(try Self.check(bytes, file.testDescription, [.none]) == 1)
  }

  @Test("Of random GIFs")
  func randomFiles() throws {
    let count = try (0..<50 as Range<UInt64>).reduce(0) { count, seed in
      let file = EditedFile.random(seed: seed)
      return try count + Self.check(file.bytes(), file.testDescription, Change.allCases)
    }
    #expect(count > 150)
  }

  @Test("Of the suite's files")
  func suite() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Conformance/suite/gifs").standardizedFileURL
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".gif")
    }.sorted()
    // All of them where that is asked for.
    let step = EditedFile.isThorough ? 1 : 8
    let chosen = stride(from: 0, to: files.count, by: step).map { files[$0] }
    let count = try chosen.reduce(0) { count, file in
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
      return try count + Self.check(bytes, file, [.none, .reversed])
    }
    #expect(files.count > 500 && count * step > 800, "\(count) edits of \(chosen.count) files")
  }
}

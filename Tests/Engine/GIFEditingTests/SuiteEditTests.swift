import Foundation
import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFEditing

/// Edits of all files of the conformance suite. The judge of the pictures is Chromium, as it was recorded for
/// the chosen frames, and the plain compositor for what the output shows: no line of the decoder takes part.
@Suite("Edits of the suite's files")
struct SuiteEditTests {
  private struct Line: Decodable {
    struct Frame: Decodable { var sha: String }
    var file: String
    var frames: [Frame]?
  }

  /// One edit: its options, and the frames that it is to show.
  private struct Operation {
    var name: String
    var frames: [Int]
    var edit: GIFEdit
    var copies = 1
  }

  private static var suite: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Conformance/suite").standardizedFileURL
  }

  private static func lines() throws -> [Line] {
    try String(contentsOf: suite.appendingPathComponent("expected.jsonl"), encoding: .utf8)
      .split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// - Parameter places: the frames before and behind which the GIF is cut; nil for all.
  private static func operations(_ count: Int, cutAt places: Set<Int>? = nil) -> [Operation] {
    let all = Array(0..<count)
    func operation(
      _ name: String, _ frames: [Int], copies: Int = 1, _ change: (inout GIFEdit) -> Void
    ) -> Operation {
      var edit = GIFEdit()
      change(&edit)
      return Operation(name: name, frames: frames, edit: edit, copies: copies)
    }
    var operations: [Operation] = []
    for place in places?.sorted() ?? all {
      operations.append(operation("from \(place)", Array(all[place...])) { $0.frames = Array(all[place...]) })
      operations.append(operation("to \(place)", Array(all[...place])) { $0.frames = Array(all[...place]) })
    }
    operations.append(operation("reversed", all.reversed()) { $0.order = .reversed })
    operations.append(
      operation("bounced", all + all.dropFirst().dropLast().reversed()) { $0.order = .bounced })
    operations.append(operation("every second", all.filter { $0 % 2 == 0 }) { $0.step = 2 })
    operations.append(operation("joined with itself", all + all, copies: 2) { _ in })
    operations.append(operation("smaller", all) { $0.makesSmaller = true })
    return operations
  }

  /// What became of the edits.
  private struct Tally {
    var exact = 0
    var refused = 0
    var damaged = 0
  }

  /// The files that are not edited, by the reason.
  private struct LeftOut: Equatable {
    /// Chromium shows nothing of these.
    var withoutPictures = 0
    var unopened: [String] = []
    /// Chromium has recorded another number of frames.
    var otherCount: [String] = []
  }

  @Test("Cut at every frame, reversed, bounced, thinned out, joined, cropped: the pictures are Chromium's")
  func edits() throws {
    var (tally, fileCount, leftOut) = (Tally(), 0, LeftOut())
    for line in try Self.lines() {
      let bytes = [UInt8](try Data(contentsOf: Self.suite.appendingPathComponent("gifs/" + line.file)))
      guard let pictures = line.frames?.map(\.sha), !pictures.isEmpty else {
        leftOut.withoutPictures += 1
        let statuses = (try? GIFImage(bytes: bytes))?.checkFrames().statuses ?? []
        #expect(!statuses.contains { $0 == .complete || $0 == .truncated }, "\(line.file): \(statuses)")
        continue
      }
      let image: GIFImage
      do throws(GIFError) {
        image = try GIFImage(bytes: bytes)
      } catch {
        leftOut.unopened.append(line.file)
        continue
      }
      guard image.frameCount == pictures.count else {
        leftOut.otherCount.append(line.file)
        continue
      }
      fileCount += 1
      let isSound = image.checkFrames().statuses.map { $0 == .complete || $0 == .truncated }
      for operation in Self.operations(pictures.count) {
        try Self.check(operation, of: image, isSound, "\(line.file), \(operation.name)", &tally) {
          canvas, frame in
          Hash.canvasDigest(pixels: canvas) == pictures[frame]
        }
      }
      try Self.checkCrop(image, isSound, pictures, line.file, &tally)
    }
    #expect(fileCount > 500 && tally.exact > 4_000, "\(fileCount) files, \(tally)")
    #expect(leftOut == LeftOut(withoutPictures: 34), "\(leftOut), \(fileCount) files")
    if ProcessInfo.processInfo.environment["GALLOP_SUITE_EDITS"] != nil {
      print(
        "suite-edits: \(fileCount) files: \(tally.exact) edits show what Chromium shows, \(tally.refused) were "
          + "refused for a damaged frame, \(tally.damaged) copied it with its damage")
    }
  }

  @Test("Edits of the samples, judged by the plain compositor alone", arguments: EditedFile.samples)
  func samples(file: EditedFile) throws {
    let (name, bytes) = (file.testDescription, try file.bytes())
    let image = try GIFImage(bytes: bytes)
    let (animation, failure) = MiniReader.animation(in: bytes)
    #expect(failure == nil && animation.frames.count == image.frameCount)
    let pictures = PlainCompositor.canvases(of: animation)
    let (count, isSound) = (image.frameCount, [Bool](repeating: true, count: image.frameCount))
    var tally = Tally()
    // A debug build takes minutes for all of them where there are many pixels.
    let isSmall = bytes.count < 30_000
    let places = isSmall ? Set([1, count / 2, count - 1]).filter { $0 < count } : Set([count / 2])
    let operations = Self.operations(count, cutAt: places).filter {
      isSmall || $0.edit.frames != nil || $0.edit.order == .reversed
    }
    for operation in operations {
      try Self.check(operation, of: image, isSound, "\(name), \(operation.name)", &tally) { canvas, frame in
        canvas == pictures[frame]
      }
    }
    #expect(tally.exact == operations.count, "\(tally)")
  }

  /// - Parameters:
  ///   - isSound: whether each frame of the image shows its picture.
  ///   - isRight: whether a canvas of the output is that of a frame of the image.
  private static func check(
    _ operation: Operation, of image: GIFImage, _ isSound: [Bool], _ name: String, _ tally: inout Tally,
    isRight: (_ canvas: [UInt32], _ frame: Int) -> Bool
  ) throws {
    let count = isSound.count
    let editor = try GIFEditor(Array(repeating: image, count: operation.copies), operation.edit)
    var bytes: [UInt8] = []
    do throws(GIFEditError) {
      while let part = try editor.next() { bytes += part }
      let output: GIFImage
      do throws(GIFError) {
        output = try GIFImage(bytes: bytes)
      } catch {
        Issue.record("\(name): \(error)")
        return
      }
      try editor.check(output)
      guard operation.frames.allSatisfy({ isSound[$0] }) else {
        // All frames in their order: their data is what it was.
        #expect(operation.frames == Array(0..<count), "\(name)")
        tally.damaged += 1
        return
      }
    } catch {
      // No frame of 8 x 6 pixels has more than 256 colours.
      #expect(error.code == .failedFrame, "\(name): \(error)")
      #expect(error.frame.map { !isSound[$0 % count] } ?? false, "\(name): \(error), \(isSound)")
      let concerned = Self.concerned(by: operation.frames, of: image)
      #expect(error.frame.map { concerned.contains($0 % count) } ?? false, "\(name): \(error)")
      tally.refused += 1
      return
    }
    let (animation, failure) = MiniReader.animation(in: bytes)
    // A time that is too long for a frame makes the same frame stand several times.
    let written = editor.plan.written.map(\.frame)
    let isRepeated = written.count > operation.frames.count
    #expect((isRepeated ? written.withoutRepetitions : written) == operation.frames, "\(name)")
    #expect(failure == nil && animation.frames.count == written.count, "\(name)")
    for (canvas, frame) in zip(PlainCompositor.canvases(of: animation), written) {
      #expect(isRight(canvas, frame), "\(name): frame \(frame)")
    }
    tally.exact += 1
  }

  /// Frames of which an edit needs the picture: those that are chosen, and the one that the canvas shows
  /// before each.
  private static func concerned(by frames: [Int], of image: GIFImage) -> Set<Int> {
    let before = frames.compactMap { frame in
      image.frames[..<frame].lastIndex { $0.disposal != .previous }
    }
    return Set(frames).union(before)
  }

  /// A part of the canvas; the whole pictures are Chromium's first.
  private static func checkCrop(
    _ image: GIFImage, _ isSound: [Bool], _ pictures: [String], _ file: String, _ tally: inout Tally
  ) throws {
    let part = PixelRect(
      x: image.width / 3, y: image.height / 3, width: max(1, image.width / 2),
      height: max(1, image.height / 2))
    guard part.maxX <= image.width, part.maxY <= image.height else { return }
    var renderer = try FrameRenderer(image)
    var parts: [[UInt32]] = []
    for index in pictures.indices where isSound[index] {
      let words = try renderer.frame(at: index).pixels.words
      #expect(Hash.canvasDigest(pixels: words) == pictures[index], "\(file), frame \(index)")
    }
    for index in pictures.indices {
      let words = try renderer.frame(at: index).pixels.words
      parts.append(
        (part.y..<part.maxY).flatMap { row in
          words[row * image.width + part.x..<row * image.width + part.maxX]
        })
    }
    var edit = GIFEdit()
    edit.crop = part
    let operation = Operation(name: "cropped", frames: Array(pictures.indices), edit: edit)
    try check(operation, of: image, isSound, "\(file), cropped", &tally) { canvas, frame in
      canvas == parts[frame]
    }
  }
}

extension [Int] {
  /// The numbers without those that repeat the one before.
  fileprivate var withoutRepetitions: [Int] {
    indices.filter { $0 == 0 || self[$0] != self[$0 - 1] }.map { self[$0] }
  }
}

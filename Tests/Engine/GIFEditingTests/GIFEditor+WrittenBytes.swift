import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFEditing

extension GIFEditor {
  /// The whole output; nil where a frame has too many colours to be written anew.
  func writtenBytes() throws -> [UInt8]? {
    var bytes: [UInt8] = []
    return try write(into: &bytes) == nil ? bytes : nil
  }

  /// Writes the output, and returns why it ends early: only for a frame of too many colours.
  func write(into bytes: inout [UInt8]) throws -> GIFEditError? {
    do throws(GIFEditError) {
      while let part = try next() { bytes += part }
    } catch {
      guard error.code == .tooManyColors else { throw error }
      return error
    }
    return nil
  }
}

/// How many edits gave an output, and how many were refused for a seam's colours.
struct SeamTally {
  private(set) var outputs = 0
  private(set) var refusals = 0

  /// The checked output of an edit; nil where a seam was refused, which has to be right.
  ///
  /// - Parameter picture: what a chosen frame is to show, as pixels, counted through all images.
  mutating func output(
    of images: [GIFImage], _ edit: GIFEdit, _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation, picture: (_ frame: Int) throws -> [UInt32]
  ) throws -> GIFImage? {
    let editor = try GIFEditor(images, edit)
    var bytes: [UInt8] = []
    guard let refusal = try editor.write(into: &bytes) else {
      outputs += 1
      let output = try GIFImage(bytes: bytes)
      #expect(output.diagnostics.isEmpty, "\(name)", sourceLocation: sourceLocation)
      try editor.check(output)
      return output
    }
    refusals += 1
    let frame = try #require(refusal.frame, "\(name)", sourceLocation: sourceLocation)
    let colors = Self.neededColors(of: try picture(frame), behind: bytes)
    #expect(colors > 256, "\(name): \(refusal), but \(colors) colours", sourceLocation: sourceLocation)
    return nil
  }

  /// How many colours a palette must have for a picture, with the transparent one, behind the frames that are
  /// written; judged by the plain compositor.
  private static func neededColors(of target: [UInt32], behind bytes: [UInt8]) -> Int {
    var (animation, _) = MiniReader.animation(in: bytes)
    // A frame that draws nothing shows what the disposal of the last one leaves.
    animation.frames.append(
      PlainFrame(x: 0, y: 0, width: 1, height: 1, indices: [0], transparentIndex: 0))
    let before = PlainCompositor.canvases(of: animation).last ?? []
    guard before.count == target.count else { return 0 }
    let changed = target.indices.filter { before[$0] != target[$0] }
    let colors = Set(changed.map { target[$0] }.filter { $0 != 0 })
    let width = animation.canvasWidth
    let (columns, rows) = (changed.map { $0 % width }, changed.map { $0 / width })
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max()
    else { return 0 }
    let isPartial = changed.count < (right - left + 1) * (bottom - top + 1)
    return colors.count + (isPartial ? 1 : 0)
  }

  /// Requires that refusals are the exception.
  func expectMostOutputs(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      outputs > 2 * refusals, "\(outputs) outputs, \(refusals) refusals", sourceLocation: sourceLocation)
  }
}

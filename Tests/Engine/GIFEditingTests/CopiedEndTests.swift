import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFBatch
@testable import GIFEditing

/// Copies at an output's end are proved by their bytes: that must accept and refuse what pixels would.
@Suite("The check of copied frames")
struct CopiedEndTests {
  /// A file of an animation, the same bytes for the same frame.
  private static func file(_ animation: PlainAnimation) -> [UInt8] {
    var writer = GIFWriter(
      width: animation.screenWidth, height: animation.screenHeight, palette: animation.globalPalette)
    for frame in animation.frames {
      writer.graphicsControl(
        disposal: frame.disposal, delay: frame.delay, transparent: frame.transparentIndex)
      writer.imageDescriptor(
        x: frame.x, y: frame.y, width: frame.width, height: frame.height, palette: frame.localPalette,
        interlaced: frame.isInterlaced)
      let encoder = LZWEncoder(minimumCodeSize: LZWEncoder.smallestCodeSize(for: frame.indices))
      writer.imageData(
        minimumCodeSize: UInt8(encoder.minimumCodeSize), compressed: encoder.encode(frame.indices))
    }
    writer.trailer()
    return writer.bytes
  }

  /// An editor that has written frames of an image; nil where a seam has too many colours.
  private static func written(_ image: GIFImage, _ frames: Range<Int>) throws -> (GIFEditor, [UInt8])? {
    var edit = GIFEdit()
    edit.frames = Array(frames)
    let editor = try GIFEditor([image], edit)
    return try editor.writtenBytes().map { (editor, $0) }
  }

  private static func accepts(_ editor: GIFEditor, _ output: GIFImage) throws -> Bool {
    do throws(GIFEditError) {
      try editor.check(output)
      return true
    } catch {
      guard error.code == .notExact else { throw error }
      return false
    }
  }

  @Test("Frames cut out as they are, without a seam, are accepted where they show the same")
  func withoutSeam() throws {
    var (accepted, refused) = (0, 0)
    for seed in 0..<60 as Range<UInt64> {
      let animation = RandomGIF.make(seed: seed).animation
      let pictures = PlainCompositor.canvases(of: animation)
      let image = try GIFImage(bytes: Self.file(animation))
      for first in animation.frames.indices {
        guard let (editor, _) = try Self.written(image, first..<animation.frames.count) else { continue }
        var part = animation
        part.frames = Array(animation.frames[first...])
        let output = try GIFImage(bytes: Self.file(part))
        let isSame =
          output.size == image.size && output.diagnostics.isEmpty
          && PlainCompositor.canvases(of: part) == Array(pictures[first...])
        let isAccepted = try Self.accepts(editor, output)
        #expect(isAccepted == isSame, "seed \(seed), from frame \(first)")
        if isAccepted { accepted += 1 } else { refused += 1 }
      }
    }
    #expect(accepted > 30 && refused > 30, "\(accepted) accepted, \(refused) refused")
  }

  @Test("Another disposal of one frame is accepted where it shows the same", arguments: [1, 2, 3])
  func disposal(other: UInt8) throws {
    var (accepted, refused) = (0, 0)
    for seed in 0..<60 as Range<UInt64> {
      let animation = RandomGIF.make(seed: seed).animation
      let pictures = PlainCompositor.canvases(of: animation)
      let image = try GIFImage(bytes: Self.file(animation))
      for first in animation.frames.indices.dropLast() {
        let frames = first..<animation.frames.count
        guard let (editor, bytes) = try Self.written(image, frames) else { continue }
        var changed = bytes
        for frame in try GIFImage(bytes: bytes).frames.prefix(2) {
          // The extension stands before the descriptor: its first byte, label, size, then the flags.
          guard frame.offset >= 8, Array(bytes[frame.offset - 8..<frame.offset - 5]) == [0x21, 0xF9, 4]
          else { continue }
          let flags = frame.offset - 5
          changed[flags] = bytes[flags] & 0xE3 | other << 2
          let output = try GIFImage(bytes: changed)
          var renderer = try FrameRenderer(output)
          var isSame = true
          for (place, frame) in frames.enumerated() {
            isSame = try renderer.frame(at: place).pixels.words == pictures[frame] && isSame
          }
          let isAccepted = try Self.accepts(editor, output)
          #expect(isAccepted == isSame, "seed \(seed), from frame \(first)")
          if isAccepted { accepted += 1 } else { refused += 1 }
          changed[flags] = bytes[flags]
        }
      }
    }
    #expect(accepted > 30 && refused > 30, "\(accepted) accepted, \(refused) refused")
  }

  /// What is different in one frame of a film.
  private enum Change {
    /// Its codes break off.
    case damage
    /// A colour of its own palette.
    case color
    /// A code.
    case index
  }

  /// Frames over each other, every second with a palette of its own; one of them, or none, is changed.
  private static func film(_ count: Int, _ change: (frame: Int, kind: Change)? = nil) -> [UInt8] {
    var writer = GIFWriter(width: 4, height: 4, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    for frame in 0..<count {
      let kind = change?.frame == frame ? change?.kind : nil
      var coding = GIFWriter.ImageCoding()
      if kind == .damage { coding.pixelLimit = 0 }
      let palette: [RGB] = [0x000000, kind == .color ? 0x123456 : 0xFFFF00, 0x00FFFF, 0xFF00FF]
      writer.graphicsControl(disposal: 1, delay: 5, transparent: 0)
      writer.image(
        x: frame % 3, width: 2, height: 2, indices: [1, kind == .index ? 1 : 2, 3, UInt8(frame % 4)],
        palette: frame % 2 == 1 ? palette : nil, coding: coding)
    }
    writer.trailer()
    return writer.bytes
  }

  private static func image(brokenFrame: Int? = nil) throws -> GIFImage {
    try GIFImage(bytes: film(6, brokenFrame.map { ($0, .damage) }))
  }

  /// An image that is read piece by piece, as a file is: its frames have digests.
  private static func stored(_ bytes: [UInt8]) throws -> GIFImage {
    try unsafe GIFImage(byteCount: bytes.count) { offset, target in
      unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
      return target.count
    }
  }

  @Test("One colour or one code of one of 200 copies is found, in memory and in files")
  func changes() throws {
    let bytes = Self.film(200)
    for frame in [3, 71, 199] {
      for kind in [Change.color, .index] {
        for (isInputStored, isOutputStored) in [(false, false), (true, true), (false, true), (true, false)] {
          let image = try isInputStored ? Self.stored(bytes) : GIFImage(bytes: bytes)
          let (editor, written) = try #require(try Self.written(image, 1..<200))
          let other = try GIFImage(bytes: Self.film(200, (frame, kind)))
          let (_, changed) = try #require(try Self.written(other, 1..<200))
          let output = try isOutputStored ? Self.stored(changed) : GIFImage(bytes: changed)
          let error = try #require(throws: GIFEditError.self) { try editor.check(output) }
          #expect(error.code == .notExact && error.frame == frame)
          try editor.check(try isOutputStored ? Self.stored(written) : GIFImage(bytes: written))
        }
      }
    }
  }

  @Test("A check that was cancelled anywhere is made again", arguments: [false, true])
  func cancelled(isSearched: Bool) throws {
    let image = try GIFImage(bytes: Self.film(200))
    let (editor, bytes) = try #require(try Self.written(image, 1..<200))
    func search() { if isSearched { editor.searchForDamage { Self.search($0, $1, jobs: 1) } } }
    search()
    let output = try GIFImage(bytes: bytes)
    var questions = 0
    try editor.check(output) { _ in
      questions += 1
      return false
    }
    #expect(questions > 3, "64 frames of this size are decoded between two questions")
    for last in 1...questions {
      search()
      var asked = 0
      let error = try #require(throws: GIFEditError.self) {
        try editor.check(output) { _ in
          asked += 1
          return asked == last
        }
      }
      #expect(error == GIFEditError(.cancelled))
      try editor.check(output)
    }
  }

  private static func search(_ image: GIFImage, _ frames: Range<Int>, jobs: Int) -> GIFEditor.DamageSearch {
    let search = DamageSearch(image, frames: frames, jobs: jobs, leastSharedTime: 0)
    return GIFEditor.DamageSearch(isSound: search.isSound, stop: search.stop)
  }

  @Test("Of joined images the end is that of the second")
  func joined() throws {
    let bytes = Self.film(8)
    let (image, broken) = (try GIFImage(bytes: bytes), try GIFImage(bytes: Self.film(8, (5, .damage))))
    var edit = GIFEdit()
    edit.frames = Array(2..<16)
    func output(_ images: [GIFImage]) throws -> (GIFEditor, GIFImage) {
      let editor = try GIFEditor(images, edit)
      return (editor, try GIFImage(bytes: try #require(try editor.writtenBytes())))
    }
    let (editor, good) = try output([image, image])
    try editor.check(good)
    let (other, bad) = try output([image, broken])
    let error = try #require(throws: GIFEditError.self) { try other.check(bad) }
    #expect(error.code == .failedFrame && error.frame == 13)
    let difference = try #require(throws: GIFEditError.self) { try editor.check(bad) }
    #expect(difference.code == .notExact && difference.frame == 13)
  }

  @Test("With threads an edit gives the same bytes, and its check the same answer", arguments: 0..<12)
  func threads(seed: UInt64) throws {
    var bytes = RandomGIF.make(seed: 40 + seed).bytes
    let whole = try GIFImage(bytes: bytes)
    if seed % 3 == 2, let frame = whole.frames.last { bytes[frame.offset + 12] ^= 0x55 }
    let image = try GIFImage(bytes: bytes)
    for order in [GIFEdit.Order.forward, .reversed, .bounced] {
      var edit = GIFEdit()
      edit.frames = Array(image.frameCount / 2..<image.frameCount) + Array(0..<image.frameCount)
      edit.order = order
      func outcome(_ rendering: GIFEditor.Rendering?) throws -> ([UInt8], GIFEditError?) {
        let editor = try GIFEditor([image], edit)
        if let rendering {
          editor.render(with: rendering)
          editor.searchForDamage { Self.search($0, $1, jobs: 3) }
        }
        var written: [UInt8] = []
        do throws(GIFEditError) {
          while let part = try editor.next() { written += part }
          guard let output = try? GIFImage(bytes: written) else { return (written, GIFEditError(.notExact)) }
          try editor.check(output)
        } catch {
          return (written, error)
        }
        return (written, nil)
      }
      let alone = try outcome(nil)
      let together = try outcome { renderer, frames throws(GIFError) in
        try renderer.render(FrameOrder(frames), jobs: 3, leastSharedTime: 0)
      }
      #expect(alone.0 == together.0 && alone.1 == together.1)
    }
  }

  @Test("A damaged frame among copies is named", arguments: [3, 4, 5], [false, true])
  func damage(broken: Int, isSearched: Bool) throws {
    let image = try Self.image(brokenFrame: broken)
    let error = try #require(throws: GIFEditError.self) {
      guard let (editor, bytes) = try Self.written(image, 1..<6) else { return }
      if isSearched { editor.searchForDamage { Self.search($0, $1, jobs: 2) } }
      try editor.check(try GIFImage(bytes: bytes))
    }
    #expect(error.code == .failedFrame && error.frame == broken)
  }

  @Test("Of the input no frame is decoded twice, and none that was searched for damage")
  func cost() throws {
    let image = try Self.image()
    let (editor, bytes) = try #require(try Self.written(image, 2..<6))
    var asked: [[Int]] = []
    editor.render { renderer, frames throws(GIFError) in
      asked.append(frames)
      var statuses: [FrameStatus] = []
      for frame in frames { statuses.append(try renderer.render(frame)) }
      return statuses
    }
    try editor.check(try GIFImage(bytes: bytes))
    // The seam, and the frame behind it, were drawn when the seam was written.
    #expect(asked == [[4, 5]])
    let (other, same) = try #require(try Self.written(image, 2..<6))
    other.searchForDamage { Self.search($0, $1, jobs: 2) }
    asked = []
    other.render { renderer, frames throws(GIFError) in
      asked.append(frames)
      return try frames.map { frame throws(GIFError) in try renderer.render(frame) }
    }
    try other.check(try GIFImage(bytes: same))
    #expect(asked.isEmpty)
  }
}

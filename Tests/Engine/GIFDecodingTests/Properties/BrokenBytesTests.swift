import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Cut and mutated files: nothing traps, and what stands before the fault is untouched by it.
@Suite struct BrokenBytesTests {
  // Every prefix of a file opens or ends in a typed error, and the frames before the cut are those of the
  // whole.
  @Test(arguments: 0..<4) func everyPrefix(batch: Int) throws {
    for (seed, gif) in smallRandomGIFs(2, from: UInt64(5000 + 100 * batch), bytesUpTo: 900) {
      let whole = try GIFImage(bytes: gif.bytes)
      let expected = try whole.rendering().pictures
      for cut in 0..<gif.bytes.count {
        let bytes = Array(gif.bytes.prefix(cut))
        guard cut >= whole.headerLength else {
          let error = try #require(openingError(bytes), "seed \(seed), cut at \(cut)")
          #expect(error.code == (cut == 0 ? .emptyFile : .truncatedHeader))
          continue
        }
        let image = try GIFImage(bytes: bytes)
        // A frame exists as soon as its rectangle is there, and is finished with its last data byte.
        let begun = whole.frames.filter { $0.offset + 9 <= cut }
        let finished = whole.frames.filter { $0.data.upperBound <= cut }.count
        #expect(image.frameCount == begun.count, "seed \(seed), cut at \(cut)")
        #expect(!image.metadata.isComplete)
        #expect(image.frames.map(\.isTruncated).filter(\.self).count == begun.count - finished)
        #expect(image.frames.prefix(finished) == whole.frames.prefix(finished))
        // The canvas is the first frame's matter; with it the pictures must agree.
        guard finished > 0 else { continue }
        let rendering = try image.rendering()
        #expect(
          rendering.pictures.prefix(finished) == expected.prefix(finished), "seed \(seed), cut at \(cut)")
        #expect(rendering.statuses.prefix(finished).allSatisfy { $0 == .complete })
        #expect(rendering.statuses.dropFirst(finished).allSatisfy { $0 != .blank })
      }
    }
  }

  // However a file arrives in pieces, what it ends with is what reading it at once gives, cut or whole.
  @Test func pieces() throws {
    var generator = SeededGenerator(seed: 8)
    for (seed, gif) in smallRandomGIFs(6, from: 5900, bytesUpTo: 900) {
      for round in 0..<12 {
        let bytes = Array(
          gif.bytes.prefix(round == 0 ? .max : .random(in: 1...gif.bytes.count, using: &generator)))
        let most = [1, 2, 7, 300][round % 4]
        var stream = GIFStream()
        var fault: GIFError?
        var finished: GIFImage?
        do throws(GIFError) {
          var rest = bytes[...]
          var frames = 0
          while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...most, using: &generator))
            rest = rest.dropFirst(piece.count)
            try stream.append(Array(piece))
            let frameCount = try stream.image?.frameCount ?? 0
            #expect(frameCount >= frames, "frames never go away")
            frames = frameCount
          }
          finished = try stream.finish()
        } catch {
          fault = error
        }
        #expect(fault == openingError(bytes), "seed \(seed), \(bytes.count) bytes")
        guard let finished else { continue }
        let whole = try GIFImage(bytes: bytes)
        #expect(finished.frames == whole.frames, "seed \(seed), \(bytes.count) bytes")
        #expect(finished.diagnostics == whole.diagnostics)
        #expect(finished.metadata.isComplete == whole.metadata.isComplete)
        #expect(finished.loopCount == whole.loopCount)
        #expect(try finished.rendering() == whole.rendering())
      }
    }
  }

  // The pixels of a cut frame that are there are those of the whole frame: stored order, from the first on.
  @Test func cutFramesShowTheirBeginning() throws {
    for (seed, gif) in smallRandomGIFs(6, from: 5800, bytesUpTo: 900) {
      let whole = try GIFImage(bytes: gif.bytes)
      let last = try #require(whole.frames.last)
      var decoder = FrameDecoder()
      let expected = decoder.indices(of: last, in: whole).indices
      var longest = 0
      for cut in last.data.lowerBound..<last.data.upperBound {
        let image = try GIFImage(bytes: Array(gif.bytes.prefix(cut)))
        let (status, found) = decoder.indices(of: image.frames[last.index], in: image)
        #expect(found.count >= longest, "more data never gives fewer pixels")
        #expect(found.elementsEqual(expected.prefix(found.count)), "seed \(seed), cut at \(cut)")
        #expect(status == (found.count == expected.count ? .complete : .truncated))
        longest = found.count
      }
      #expect(longest == expected.count)
    }
  }

  // Thousands of small mutations: whatever opens can be rendered, forwards and at random, with the same
  // result.
  @Test(arguments: 0..<8) func mutations(batch: Int) throws {
    var generator = SeededGenerator(seed: UInt64(batch))
    let limits = DecodingLimits(canvasPixels: 1 << 12, framePixels: 1 << 12)
    var opened = 0
    // Rich files, and tiny ones that are damaged already.
    let rich = smallRandomGIFs(3, from: UInt64(6000 + 200 * batch), bytesUpTo: 500).map {
      ($0.seed, $0.gif.bytes)
    }
    let damaged = (0..<12).map { UInt64(100 * batch + $0) }.map {
      ($0, DamagedAnimation.make(seed: $0).bytes)
    }
    for (seed, original) in rich + damaged {
      for round in 0..<40 {
        let bytes = Self.mutated(original, using: &generator)
        let image: GIFImage
        do throws(GIFError) {
          image = try GIFImage(bytes: bytes, limits: limits)
        } catch {
          #expect(!error.description.isEmpty)
          continue
        }
        guard image.pixelCount <= limits.canvasPixels else {
          #expect(throws: GIFError.self) { _ = try FrameRenderer(image) }
          continue
        }
        opened += 1
        let forwards = try image.rendering()
        #expect(forwards.statuses == image.checkFrames().statuses, "seed \(seed), round \(round)")
        let order = (0..<image.frameCount).shuffled(using: &generator)
        let shuffled = try image.rendering(order: order)
        #expect(shuffled.pictures == order.map { forwards.pictures[$0] }, "seed \(seed), round \(round)")
        #expect(shuffled.statuses == order.map { forwards.statuses[$0] }, "seed \(seed), round \(round)")
      }
    }
    #expect(opened > 200, "most mutants must get as far as rendering")
  }

  // Noise behind a valid beginning.
  @Test func noise() throws {
    var generator = SeededGenerator(seed: 77)
    for _ in 0..<300 {
      var gif = GIFWriter(width: 8, height: 8, palette: Letters.palette)
      if Bool.random(using: &generator) { gif.imageDescriptor(width: 8, height: 8) }
      let noise = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      gif.raw([UInt8.random(in: 0...9, using: &generator)] + noise)
      do throws(GIFError) {
        let image = try GIFImage(
          bytes: gif.bytes, limits: DecodingLimits(canvasPixels: 4096, framePixels: 4096))
        let statuses = image.checkFrames().statuses
        #expect(statuses.count == image.frameCount)
        #expect(try image.rendering().statuses == statuses)
      } catch {
        #expect([.malformedBeforeFirstFrame, .canvasTooLarge].contains(error.code))
      }
    }
  }

  /// One to three changes: a bit, a byte, a byte dropped, a byte put in, or the end cut off.
  private static func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      // The signature stays, or nearly nothing would open.
      let place = Int.random(in: 6..<result.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: result[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 1: result[place] = .random(in: .min ... .max, using: &generator)
      case 2: result.remove(at: place)
      case 3: result.insert(.random(in: .min ... .max, using: &generator), at: place)
      default: result.removeLast(Int.random(in: 0...min(20, result.count - 7), using: &generator))
      }
      if result.count < 20 { return result }
    }
    return result
  }
}

extension GIFImage {
  /// How many bytes header, logical screen and global palette take.
  fileprivate var headerLength: Int { 13 + 3 * (index.globalPalette?.count ?? 0) }
}

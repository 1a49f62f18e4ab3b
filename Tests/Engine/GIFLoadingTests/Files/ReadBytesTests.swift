import Foundation
import GIFDecodingTestSupport
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFDecoding

@Suite("GIFImage: bytes that stay where they are")
struct ReadBytesTests {
  @Test("A Data shows the same as its bytes, without a copy of the whole", arguments: 0..<20)
  func data(seed: UInt64) throws {
    let bytes = RandomGIF.make(seed: seed).bytes
    let data = Data(bytes)
    let largest = Mutex(0)
    let image = try unsafe GIFImage(byteCount: data.count) { offset, target in
      largest.withLock { $0 = max($0, target.count) }
      return unsafe data.copyBytes(to: target, from: offset..<offset + target.count)
    }
    #expect(image.storage.heldMemory == nil)
    #expect(image.metadata.byteCount == bytes.count)
    #expect(try image.rendering() == GIFImage(bytes: bytes).rendering())
    // After opening only frames are read, one at a time.
    largest.withLock { $0 = 0 }
    _ = try image.rendering()
    let frame = image.frames.map { max($0.data.count, $0.localPalette?.byteCount ?? 0) }.max() ?? 0
    #expect(largest.withLock { $0 } <= frame)
  }

  @Test("The image holds the owner of the bytes, and its copies do")
  func lifetime() throws {
    final class Owner: Sendable {
      let bytes: [UInt8]
      init(_ bytes: [UInt8]) { self.bytes = bytes }
    }
    var owner: Owner? = Owner(RandomGIF.make(seed: 1).bytes)
    weak let watched = owner
    var image: GIFImage? = try {
      let owner = try #require(owner)
      return try unsafe GIFImage(byteCount: owner.bytes.count) { offset, target in
        unsafe target.copyBytes(from: owner.bytes[offset..<offset + target.count])
        return target.count
      }
    }()
    owner = nil
    let copy = image
    image = nil
    #expect(watched != nil)
    #expect(try copy?.rendering().pictures.count == copy?.frameCount)
    withExtendedLifetime(copy) {}
  }

  @Test("Bytes that change or go away are an error of the frame, and never anything worse")
  func changes() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    gif.frame("RG")
    gif.frame("BW")
    gif.trailer()
    let bytes = Mutex(gif.bytes)
    let image = try unsafe GIFImage(byteCount: gif.bytes.count) { offset, target in
      bytes.withLock { bytes in
        let end = min(bytes.count, offset + target.count)
        guard offset < end else { return 0 }
        unsafe target.copyBytes(from: bytes[offset..<end])
        return end - offset
      }
    }
    #expect(try image.letters() == ["RG", "BW"])
    bytes.withLock { $0[image.frames[1].data.lowerBound + 1] ^= 4 }
    #expect(throws: GIFError(.fileChanged, frame: 1, offset: image.frames[1].offset)) { try image.letters() }
    bytes.withLock { $0 = [] }
    #expect(throws: GIFError(.fileChanged, frame: 0, offset: image.frames[0].offset)) { try image.letters() }
    func empty(_ byteCount: Int) throws { _ = try unsafe GIFImage(byteCount: byteCount) { _, _ in 0 } }
    #expect(throws: GIFError(.emptyFile)) { try empty(0) }
    #expect(throws: GIFError.self) { try empty(100) }
  }
}

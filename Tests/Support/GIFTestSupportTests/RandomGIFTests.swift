import GIFTestSupport
import Testing

@Suite("RandomGIF")
struct RandomGIFTests {
  @Test("SplitMix64 gives its published numbers")
  func generator() {
    var generator = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<3).map { _ in generator.next() }
    #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("A seed always gives the same GIF")
  func sameSeed() {
    let gif = RandomGIF.make(seed: 77)
    #expect(gif.bytes == RandomGIF.make(seed: 77).bytes)
    #expect(gif.bytes != RandomGIF.make(seed: 78).bytes)
    #expect(Hash.sha256Hex(gif.bytes) == "c1bb1bb4566462d52cda27606b325fccd9baa7845cb905c60724ae668ca9ef53")
  }

  @Test("The description says what is in the bytes", arguments: 0..<60)
  func description(seed: UInt64) {
    let gif = RandomGIF.make(seed: seed)
    let read = MiniReader.animation(in: gif.bytes)
    #expect(read.failure == nil)
    #expect(read.animation == gif.animation)
  }

  @Test("Sixty seeds show every feature")
  func variety() {
    let animations = (0..<60).map { RandomGIF.make(seed: $0).animation }
    let frames = animations.flatMap(\.frames)
    #expect(Set(frames.map(\.disposal)) == Set(0...7))
    #expect(Set(animations.map(\.frames.count)) == Set(1...12))
    #expect(frames.contains { $0.isInterlaced })
    #expect(frames.contains { $0.localPalette != nil })
    #expect(frames.contains { $0.transparentIndex != nil })
    #expect(frames.contains { $0.width * $0.height > 8000 })
    #expect(animations.contains { $0.globalPalette == nil })
    #expect(animations.contains { $0.loopCount != nil })
    #expect(animations.contains { $0.canvasWidth > $0.screenWidth })
    #expect(
      animations.contains { animation in
        animation.frames.contains { $0.x + $0.width > animation.canvasWidth }
      })
  }
}

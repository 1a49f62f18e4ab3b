import GIFDecodingTestSupport
import GIFTestSupport
import Glibc
import Testing

@testable import GIFDecoding

/// The system refuses pages between any two steps of a renderer: in a process of its own, whose limit of
/// memory moves.
@Suite("Renderers that get no memory")
struct RefusedMemoryTests {
  @Test("A renderer that got no memory goes on from what it showed, whatever was refused")
  func goesOn() async {
    await #expect(processExitsWith: .success) { RefusedMemory.run(packing: false) }
  }

  @Test("So does one that rests between the frames, as far as it is not lost")
  func rested() async {
    await #expect(processExitsWith: .success) { RefusedMemory.run(packing: true) }
  }

  @Test("An index that gets no memory to grow is an error")
  func index() async {
    await #expect(processExitsWith: .success) { RefusedMemory.runIndex() }
  }
}

/// What such a process does.
private enum RefusedMemory {
  private struct WrongFrame: Error {
    let message: String
  }

  private static let side = 160

  /// Ends the process with status 1 and a line where a frame is wrong, or where too little was refused.
  static func run(packing: Bool) {
    do {
      let refusals = try checkRenderers(packing: packing)
      guard refusals > 200 else { throw WrongFrame(message: "only \(refusals) refusals") }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  /// Opens a file of many frames under a limit, then without.
  static func runIndex() {
    guard MemoryLimit.usedBytes < 1 << 38 else { return }
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    for _ in 0..<50_000 { writer.image(width: 1, height: 1, indices: [0]) }
    writer.trailer()
    do throws(GIFError) {
      let memory = try ByteStorage(copying: writer.bytes.span)
      MemoryLimit.leave(1 << 20)
      do throws(GIFError) {
        _ = try GIFImage(storage: memory, limits: .default)
        exit(1)
      } catch {
        MemoryLimit.lift()
        guard error.code == .outOfMemory else { exit(1) }
      }
      guard try GIFImage(storage: memory, limits: .default).frameCount == 50_000 else { exit(1) }
    } catch {
      exit(1)
    }
  }

  private static func checkRenderers(packing: Bool) throws -> Int {
    // A sanitizer takes all addresses for itself.
    guard MemoryLimit.usedBytes < 1 << 38 else { return .max }
    var refusals = 0
    for seed in UInt64(0)..<2 {
      let image = try animation(seed: seed)
      for size in [nil, PixelSize(width: 100, height: 70)] {
        let expected = try pictures(of: image, size: size)
        // From no page at all to what a step takes at the most.
        for room in stride(from: 0, through: 192 << 10, by: 16 << 10) {
          refusals += try check(image, size: size, room: room, packing: packing, expected)
        }
      }
    }
    return refusals
  }

  private static func pictures(of image: GIFImage, size: PixelSize?) throws -> [[UInt32]] {
    var renderer = try FrameRenderer(image, size: size)
    return try image.frames.indices.map { try renderer.frame(at: $0).pixels.words }
  }

  /// Renders forwards, backwards and at random with `room` bytes for each step; returns how many were
  /// refused.
  private static func check(
    _ image: GIFImage, size: PixelSize?, room: Int, packing: Bool, _ expected: [[UInt32]]
  ) throws -> Int {
    var random = SeededGenerator(seed: UInt64(room))
    let count = image.frameCount
    var refusals = 0
    var renderer = try FrameRenderer(image, size: size)
    // While a frame is kept, the canvas is copied before it is drawn on.
    var kept: Frame?
    for step in 0..<3 * count {
      let index = step < count ? step : Int.random(in: 0..<count, using: &random)
      SystemMemory.trim()
      MemoryLimit.leave(room)
      var frame: Frame?
      do throws(GIFError) {
        frame = try renderer.frame(at: index)
        MemoryLimit.lift()
      } catch {
        MemoryLimit.lift()
        guard error.code == .outOfMemory else { throw error }
        refusals += 1
        frame = try renderer.frame(at: index)
      }
      guard frame?.pixels.words == expected[index] else {
        throw WrongFrame(message: "seed frame \(index), step \(step), room \(room), size \(size as Any)")
      }
      if Bool.random(using: &random) { kept = frame }
      if packing { renderer = try rested(renderer, of: image, size: size, room: room, &refusals) }
    }
    withExtendedLifetime(kept) {}
    return refusals
  }

  /// A renderer that has rested; a new one where it was lost for want of memory.
  private static func rested(
    _ renderer: consuming FrameRenderer, of image: GIFImage, size: PixelSize?, room: Int,
    _ refusals: inout Int
  ) throws -> FrameRenderer {
    let packed = PackedRenderer(renderer, before: nil)
    SystemMemory.trim()
    MemoryLimit.leave(room)
    defer { MemoryLimit.lift() }
    do throws(GIFError) {
      return try packed.unpacked()
    } catch {
      MemoryLimit.lift()
      refusals += 1
      return try FrameRenderer(image, size: size)
    }
  }

  /// Frames of all disposals, some opaque, some interlaced, over each other.
  private static func animation(seed: UInt64) throws -> GIFImage {
    var random = SeededGenerator(seed: seed)
    var writer = GIFWriter(width: side, height: side, palette: [0, 0xFF0000, 0x00FF00, 0x0000FF])
    for number in 0..<8 {
      let disposal = Int.random(in: 0...3, using: &random)
      writer.graphicsControl(
        disposal: disposal, delay: 2, transparent: Bool.random(using: &random) ? 0 : nil)
      let isWhole = number == 0 || Int.random(in: 0..<4, using: &random) == 0
      let x = isWhole ? 0 : Int.random(in: 0..<60, using: &random)
      let y = isWhole ? 0 : Int.random(in: 0..<60, using: &random)
      let width = isWhole ? side : Int.random(in: 1...side - x, using: &random)
      let height = isWhole ? side : Int.random(in: 1...side - y, using: &random)
      let indices = (0..<width * height).map { UInt8(($0 / 7 + number) & 3) }
      writer.image(
        x: x, y: y, width: width, height: height, indices: indices, interlaced: Bool.random(using: &random))
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }
}

/// The limit of this process's addresses, as `ulimit -v` sets it.
private enum MemoryLimit {
  /// All addresses that the process has taken.
  static var usedBytes: Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var text = [CChar](repeating: 0, count: 64)
    guard unsafe fgets(&text, Int32(text.count), file) != nil else { return 0 }
    let digits = text.prefix { $0 != 0x20 }.map { UInt8(bitPattern: $0) }
    return (Int(String(decoding: digits, as: UTF8.self)) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Leaves this many bytes of pages from now on.
  static func leave(_ byteCount: Int) { set(rlim_t(usedBytes + SystemMemory.headroom + byteCount)) }

  static func lift() { set(.max) }

  private static func set(_ bytes: rlim_t) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }
}

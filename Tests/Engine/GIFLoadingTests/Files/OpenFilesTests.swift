import Foundation
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding
@testable import GIFLoading

/// Descriptors: one for each file, not too many, none left behind.
@Suite struct OpenFilesTests {
  private let files: TemporaryFiles
  private let bytes = RandomGIF.make(seed: 6).bytes

  init() throws { files = try TemporaryFiles() }

  private func open(_ path: String, _ opening: FileOpening, limits: DecodingLimits = .default) throws
    -> GIFImage
  {
    try GIFImage(contentsOfFile: path, limits: limits, opening: opening)
  }

  @Test func oneForAll() throws {
    let path = try files.file("a.gif", bytes)
    let link = try files.link("link", to: path)
    let opening = FileOpening.onDisk()
    var images = try (0..<50).map { try open($0 % 2 == 0 ? path : link, opening) }
    #expect(opening.files.count == 1)
    #expect(images.allSatisfy { $0.storage.file?.source === images[0].storage.file?.source })
    images.append(try open(files.file("b.gif", bytes), opening))
    #expect(opening.files.count == 2)
    images = []
    #expect(opening.files.count == 0)
    // After that it can be opened again.
    #expect(try open(path, opening).rendering() == GIFImage(bytes: bytes).rendering())
  }

  // Another state of a file is another file: a file system may give both the same number.
  @Test func changedMeanwhile() throws {
    let path = try files.file("a.gif", bytes)
    let opening = FileOpening.onDisk()
    let old = try open(path, opening)
    files.overwrite(path, with: bytes + [1])
    let new = try open(path, opening)
    #expect(opening.files.count == 2)
    #expect(old.metadata.byteCount == bytes.count)
    #expect(new.metadata.byteCount == bytes.count + 1)
  }

  // Beyond the limit a file is read into memory, and plays all the same.
  @Test func limit() throws {
    let opening = FileOpening.onDisk(limit: 2)
    let images = try (0..<4).map { try open(files.file("\($0).gif", bytes), opening) }
    defer { withExtendedLifetime(images) {} }
    #expect(images.map { $0.storage.file != nil } == [true, true, false, false])
    #expect(opening.files.count == 2)
    let expected = try GIFImage(bytes: bytes).rendering()
    for image in images { #expect(try image.rendering() == expected) }
    // One that is open needs no other descriptor.
    #expect(try open(files.path("1.gif"), opening).storage.file != nil)
    let tooLarge = GIFError(.inputTooLarge, value: Int64(bytes.count), limit: 10)
    #expect(throws: tooLarge) {
      _ = try open(files.file("5.gif", bytes), opening, limits: DecodingLimits(streamBytes: 10))
    }
  }

  @Test func shareOfTheProcess() {
    var limits = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #expect(OpenFiles.standardLimit() == Int(limits.rlim_cur) / 4)
  }

  @Test("Images of one small file share its memory, until the last of them is gone")
  func sharedMemory() throws {
    let path = try files.file("a.gif", bytes)
    let link = try files.link("link", to: path)
    let opening = FileOpening(files: OpenFiles(limit: { 10 }))
    var images = try (0..<50).map { try open($0 % 2 == 0 ? path : link, opening) }
    #expect(Set(images.compactMap { $0.storage.heldMemory?.id }).count == 1)
    #expect(try images[49].rendering() == GIFImage(bytes: bytes).rendering())
    let other = try open(files.file("b.gif", bytes), opening)
    #expect(other.storage.heldMemory?.id != images[0].storage.heldMemory?.id)
    weak let memory = images[0].storage.memory
    images = []
    #expect(memory == nil)
    #expect(try open(path, opening).rendering() == GIFImage(bytes: bytes).rendering())
  }

  @Test("A file that has changed without a sign of it is read again")
  func sameStateOtherBytes() throws {
    let path = try files.file("a.gif", bytes)
    let opening = FileOpening(files: OpenFiles(limit: { 10 }))
    let date = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
    let old = try open(path, opening)
    var changed = bytes
    changed[bytes.count - 2] ^= 1
    files.overwrite(path, with: changed, isCut: false)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    let new = try open(path, opening)
    #expect(new.storage.heldMemory?.id != old.storage.heldMemory?.id)
    #expect(try new.fileBytes() == changed)
    #expect(try old.fileBytes() == bytes)
  }

  // What cannot be used leaves no descriptor behind, nor does what is opened by many threads at once.
  @Test func nothingIsLeft() async throws {
    let opening = FileOpening.onDisk()
    let text = try files.file("a.txt", Array("GIF? No, only words.".utf8))
    for _ in 0..<100 { #expect(throws: GIFError(.notAGIF)) { _ = try open(text, opening) } }
    #expect(opening.files.count == 0)
    let path = try files.file("a.gif", bytes)
    await withTaskGroup(of: Int.self) { tasks in
      for _ in 0..<8 {
        tasks.addTask {
          (0..<200).reduce(0) { sum, _ in
            sum + ((try? GIFImage(contentsOfFile: path, limits: .default, opening: opening))?.frameCount ?? 0)
          }
        }
      }
      var total = 0
      for await sum in tasks { total += sum }
      let frames = (try? GIFImage(bytes: bytes))?.frameCount ?? 0
      #expect(total == 1600 * frames)
    }
    #expect(opening.files.count == 0)
  }

  // By default 1 MiB stands in memory, and one byte more stays on disk.
  @Test func threshold() throws {
    func image(_ count: Int) throws -> GIFImage {
      let padding = [UInt8](repeating: 0, count: count - bytes.count)
      return try GIFImage(contentsOfFile: files.file("\(count).gif", bytes + padding))
    }
    let (small, large) = (try image(1 << 20), try image(1 << 20 + 1))
    #expect(small.storage.heldMemory?.bytes == 1 << 20)
    #expect(large.storage.heldMemory == nil)
    #expect(try small.rendering() == large.rendering())
  }
}

/// Memory for bytes that arrive.
@Suite struct ReservedMemoryTests {
  // Beyond 1 MiB nothing moves any more, and what was handed out stays.
  @Test func staysInPlace() throws {
    var bytes = GrowingBytes(limit: 8 << 20, reserve: ReservedMemory.reserver)
    let piece = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var places: [Int: ObjectIdentifier] = [:]
    var early: ByteStorage?
    while bytes.count < 8 << 20 {
      try bytes.append(piece.span.extracting(first: min(piece.count, 8 << 20 - bytes.count)))
      if bytes.count < 1 << 20 { early = bytes.storage }
      if bytes.count > 1 << 20 { places[bytes.count] = bytes.storage.heldMemory?.id }
    }
    #expect(places.count > 20)
    #expect(Set(places.values).count == 1)
    let storage = bytes.storage
    #expect(storage.heldMemory?.bytes == 8 << 20)
    for place in stride(from: 0, to: 8 << 20, by: 4001) {
      #expect(storage.bytes[place] == piece[place % piece.count])
    }
    #expect(early?.bytes[299_999] == piece[299_999])
  }

  // Where no memory can be reserved the blocks double, but not beyond the limit.
  @Test func fallback() throws {
    var bytes = GrowingBytes(limit: 3 << 20, reserve: { _ in nil })
    let piece = [UInt8](repeating: 5, count: 100_000)
    while bytes.count + piece.count <= 3 << 20 { try bytes.append(piece.span) }
    try bytes.append(piece.span.extracting(first: 3 << 20 - bytes.count))
    #expect(bytes.storage.bytes[3 << 20 - 1] == 5)
    #expect(bytes.count == 3 << 20)
  }

  // The rest is given back, what was written stays readable.
  @Test func trimming() throws {
    let memory = try #require(ReservedMemory(byteCount: 1 << 40))
    unsafe memory.start.storeBytes(of: 7, toByteOffset: 9_000, as: UInt8.self)
    memory.trim(to: 9_001)
    memory.trim(to: 1 << 30)
    #expect(unsafe memory.start.load(fromByteOffset: 9_000, as: UInt8.self) == 7)
    #expect(ReservedMemory(byteCount: .max) == nil)
    #expect(ReservedMemory(byteCount: 0) == nil)
  }

  // An image outlives the stream that it came from, and the stream's memory with it.
  @Test func streamOfMegabytes() throws {
    var gif = GIFWriter(width: 4, height: 1, palette: Letters.palette)
    gif.frame("RGBW")
    gif.comment(String(repeating: "c", count: 3 << 20))
    gif.frame("WWWW")
    gif.trailer()
    for reserve in [ReservedMemory.reserver, { _ in nil }] as [MemoryReserver] {
      var stream = GIFStream(limits: .default, reserve: reserve)
      var early: GIFImage?
      for start in stride(from: 0, to: gif.bytes.count, by: 65_536) {
        try stream.append(gif.bytes.span.extracting(start..<min(start + 65_536, gif.bytes.count)))
        if early == nil { early = try stream.image }
      }
      let image = try stream.finish()
      #expect(try image.letters() == ["RGBW", "WWWW"])
      #expect(try early?.letters() == ["RGBW"])
    }
  }
}

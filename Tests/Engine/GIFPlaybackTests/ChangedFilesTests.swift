import EngineSupport
import Foundation
import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

/// Files on disk that another program writes to while they play: each player goes on with the right frames or
/// fails with a reason.
@Suite("GIFPlayer: files that change", .serialized)
struct ChangedFilesTests {
  @Test("Fifty players of files that are cut, overwritten, deleted, replaced and appended to all the time")
  func storm() async throws {
    let folder = try ChangingFolder(files: 10)
    let clock = PlaybackClock()
    let pool = DecodePool(threadCount: 2)
    let openFiles = OpenFiles(limit: { 40 })
    var random = SeededGenerator(seed: 21)
    do {
      var seats: [WatchedPlayer] = []
      var (shown, failures) = (0, 0)
      while shown < 8_000 || failures < 300 {
        while seats.count < 50 {
          let file = Int.random(in: 0..<folder.count, using: &random)
          do throws(GIFError) {
            let seat = try WatchedPlayer(folder, file, openFiles, clock: clock, pool: pool)
            // Of a file that is cut to one frame nothing is read again.
            if seat.player.image.frameCount > 2 { seats.append(seat) } else { folder.restore(file) }
          } catch {
            folder.restore(file)
          }
        }
        folder.change(Int.random(in: 0..<folder.count, using: &random), using: &random)
        await Task.yield()
        for (place, seat) in seats.enumerated().reversed() {
          guard let failure = seat.failure else { continue }
          #expect(failure.code == .fileChanged)
          #expect(seat.player.state == .failed)
          failures += 1
          shown += seat.shown
          seats.remove(at: place)
        }
        // One that plays well makes room for another now and then, so that all files come round.
        if let place = seats.firstIndex(where: { $0.shown > 60 }) { shown += seats.remove(at: place).shown }
        #expect(seats.allSatisfy { $0.wrong == 0 })
      }
      #expect(openFiles.count <= 40)
    }
    // A decoding thread may still hold the last image.
    while openFiles.count > 0 { await Task.yield() }
  }

  @Test("A player of a file that is cut fails with the reason, and one that is opened again plays")
  func failsWithReason() throws {
    let folder = try ChangingFolder(files: 1)
    let stage = Stage()
    let opening = FileOpening(files: OpenFiles(limit: { 10 }), memoryThreshold: 0)
    var options = GIFPlayer.Options()
    options.budget = FrameBudget(limit: 0)
    options.loopCount = .forever
    let image = try GIFImage(contentsOfFile: folder.path(0), limits: .default, opening: opening)
    let player = stage.player(image, options: options)
    let errors = Atomic<Int>(0)
    player.onFailure { error in
      #expect(error.code == .fileChanged)
      #expect(error.frame != nil)
      errors.add(1, ordering: .relaxed)
    }
    player.play()
    stage.run(to: .milliseconds(100))
    #expect(player.state == .playing)
    let last = player.currentFrame?.index
    folder.cut(0, to: 40)
    stage.run(to: .milliseconds(2_000))
    #expect(player.state == .failed)
    #expect(errors.load(ordering: .relaxed) == 1)
    #expect(last != nil && player.currentFrame != nil, "the last picture stays")
    folder.restore(0)
    let again = stage.player(
      try GIFImage(contentsOfFile: folder.path(0), limits: .default, opening: opening), options: options)
    again.play()
    stage.run(to: .milliseconds(4_000))
    #expect(again.state == .playing)
  }

  @Test("Frames that are held play on after the file is gone")
  func heldPicturesPlayOn() throws {
    let folder = try ChangingFolder(files: 1)
    let stage = Stage()
    let opening = FileOpening(files: OpenFiles(limit: { 10 }), memoryThreshold: 0)
    let image = try GIFImage(contentsOfFile: folder.path(0), limits: .default, opening: opening)
    var options = GIFPlayer.Options()
    options.loopCount = .forever
    let player = stage.player(image, options: options)
    player.preload(.all)
    player.play()
    stage.run(to: .milliseconds(1_000))
    folder.cut(0, to: 0)
    stage.run(to: .milliseconds(3_000))
    #expect(player.state == .playing)
  }
}

/// A player that compares what it shows with what the file held when it was opened.
private final class WatchedPlayer: Sendable {
  let player: GIFPlayer
  private let news: News

  private final class News: Sendable {
    let shown = Atomic<Int>(0)
    let wrong = Atomic<Int>(0)
    let failure = Lock<GIFError?>(nil)
  }

  init(
    _ folder: ChangingFolder, _ file: Int, _ openFiles: OpenFiles, clock: PlaybackClock, pool: DecodePool
  ) throws(GIFError) {
    let opening = FileOpening(files: openFiles, memoryThreshold: 0)
    let image = try GIFImage(contentsOfFile: folder.path(file), limits: .default, opening: opening)
    let expected = folder.pictures(file)
    var options = GIFPlayer.Options()
    options.budget = FrameBudget(limit: 0)
    options.delayPolicy = .constant(.milliseconds(1))
    options.loopCount = .forever
    let (news, player) = (News(), GIFPlayer(image, options: options, clock: clock, pool: pool))
    (self.news, self.player) = (news, player)
    player.onFrameChange { change in
      news.shown.add(1, ordering: .relaxed)
      // A frame that is cut off shows what there is of it.
      guard change.frame.status == .complete else { return }
      let isRight = unsafe change.frame.pixels.withUnsafeBytes { bytes in
        unsafe expected[change.currentFrameIndex].elementsEqual(bytes)
      }
      if !isRight { news.wrong.add(1, ordering: .relaxed) }
    }
    player.onFailure { error in news.failure.withLock { $0 = error } }
    player.play()
  }

  var shown: Int { news.shown.load(ordering: .relaxed) }
  var wrong: Int { news.wrong.load(ordering: .relaxed) }
  var failure: GIFError? { news.failure.withLock { $0 } }
}

/// Some files and what they held last, to be changed by one thread.
private final class ChangingFolder {
  private let folder: URL
  let count: Int
  private let sources: [(bytes: [UInt8], pictures: [[UInt8]])]
  /// The source that each file holds, or the beginning of it.
  private var contents: [Int]
  /// How long each file is at the least.
  private var lengths: [Int]

  init(files count: Int) throws {
    self.count = count
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("gallop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    sources = try (0..<6).map { number in
      let bytes = Self.gif(number)
      var renderer = try FrameRenderer(GIFImage(bytes: bytes))
      return (
        bytes,
        try (0..<20).map { frame in
          try unsafe renderer.frame(at: frame).pixels.withUnsafeBytes { unsafe Array($0) }
        }
      )
    }
    contents = (0..<count).map { $0 % 6 }
    lengths = Array(repeating: 0, count: count)
    for file in 0..<count { restore(file) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Twenty frames that cover the canvas; the sources differ in colours, and some in nothing else.
  private static func gif(_ number: Int) -> [UInt8] {
    let palette: [RGB] = (0..<4).map { RGB(UInt32($0 * 60 + number * 9) * 0x01_02_03 & 0xFF_FFFF) }
    var writer = GIFWriter(width: 16, height: 12, palette: palette)
    for frame in 0..<20 {
      let indices = (0..<192).map { UInt8(($0 / 5 + frame * (number / 2 + 1)) % 4) }
      writer.image(width: 16, height: 12, indices: indices, palette: frame % 3 == 0 ? palette : nil)
    }
    writer.trailer()
    return writer.bytes
  }

  func path(_ file: Int) -> String { folder.appendingPathComponent("\(file).gif").path }

  func pictures(_ file: Int) -> [[UInt8]] { sources[contents[file]].pictures }

  func restore(_ file: Int) { write(sources[contents[file]].bytes, to: file) }

  func cut(_ file: Int, to length: Int) {
    lengths[file] = min(lengths[file], length)
    unsafe _ = truncate(path(file), lengths[file])
  }

  /// Does to a file what programs do.
  func change(_ file: Int, using random: inout SeededGenerator) {
    let other = Int.random(in: 0..<sources.count, using: &random)
    let bytes = sources[other].bytes
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      contents[file] = other
      write(Array(bytes.prefix(.random(in: 13...bytes.count, using: &random))), to: file)
    case 1: cut(file, to: .random(in: 0...bytes.count / 2, using: &random))
    case 2:
      unsafe _ = unlink(path(file))
      restore(file)
    case 3:
      contents[file] = other
      lengths[file] = bytes.count
      try? Data(bytes).write(to: URL(fileURLWithPath: path(file)), options: .atomic)
    // Behind a beginning it would be part of a frame.
    case 4 where lengths[file] == sources[contents[file]].bytes.count:
      write([1, 2, 3], to: file, flags: O_APPEND)
      lengths[file] = sources[contents[file]].bytes.count + 3
    default:
      contents[file] = other
      write(bytes, to: file)
    }
  }

  private func write(_ bytes: [UInt8], to file: Int, flags: Int32 = O_TRUNC) {
    lengths[file] = bytes.count
    let descriptor = unsafe open(path(file), O_WRONLY | O_CREAT | flags, 0o600)
    defer { close(descriptor) }
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe _ = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    }
  }
}

import Foundation
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFFlashes
@testable import GIFPlayback

/// The environment asks for more with `GALLOP_FLASH_TIMELINES`: that many GIFs, in walls.
@Suite("Walls of GIFs under policies that hold or slow")
struct FlashWallTests {
  private static let count =
    (ProcessInfo.processInfo.environment["GALLOP_FLASH_TIMELINES"].flatMap { Int($0) } ?? 384) / 64

  @Test("Whatever is asked of 64 players side by side, no field flashes more than three times in a second")
  func walls() throws {
    var flashing = 0
    for seed in 0..<Self.count {
      var wall = try FlashWall(seed: UInt64(seed))
      wall.run()
      let area = wall.greatestArea()
      #expect(area <= 341 * 256 / 4 + 0.001, "seed \(seed): \(area) pixels flash")
      // Parts that are small enough flash together, and come near what may.
      flashing += area > 341 * 256 / 16 ? 1 : 0
    }
    #expect(flashing > Self.count / 8, "\(flashing) of \(Self.count)")
  }

  @Test("The same walls flash too much where each player is judged alone, or none is")
  func control() throws {
    for change: (inout FlashGuard) -> Void in [{ $0.sharing = .alone }, { $0.policy = .allow }] {
      let areas = try (0..<UInt64(6)).map { seed in
        var wall = try FlashWall(seed: seed)
        wall.change(change)
        wall.run()
        return wall.greatestArea()
      }
      #expect(areas.contains { $0 > 341 * 256 / 4 }, "\(areas)")
    }
  }
}

/// Players whose GIFs stand in rows, with random commands for each and sizes for all.
private struct FlashWall {
  private static let columns = 8
  private var tiles: [FlashRig] = []
  private var generator: SeededGenerator
  private var now = PlaybackInstant(nanoseconds: 1_000_000_000)

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    // Few GIFs share a field by their number.
    let count = seed % 4 == 3 ? Int.random(in: 2...9, using: &generator) : 64
    let size = Self.randomSize(&generator)
    let policy: FlashPolicy = seed % 2 == 0 ? .hold : .slow
    for _ in 0..<count {
      let frames = Self.frames(&generator)
      var rig = FlashRig(frames, try frames.image(), policy: policy)
      rig.judgingTime = .random(in: 0...200_000_000, using: &generator)
      (rig.flashes.shownSize, rig.flashes.sharing) = (size, FieldSharing(count: count))
      tiles.append(rig)
    }
  }

  private static func frames(_ generator: inout SeededGenerator) -> BlinkingFrames {
    let count = Int.random(in: 2...6, using: &generator)
    let delay = Int.random(in: 3...20, using: &generator)
    let canvas = BlinkingFrames.canvas
    let (width, height) = (
      Int.random(in: 20...200, using: &generator), Int.random(in: 20...150, using: &generator)
    )
    return BlinkingFrames(
      lights: (0..<count).map { $0 % 2 == 0 || Int.random(in: 0..<4, using: &generator) == 0 },
      delays: (0..<count).map { _ in max(2, delay + Int.random(in: -2...2, using: &generator)) },
      part: PixelRect(
        x: .random(in: 0...canvas.width - width, using: &generator),
        y: .random(in: 0...canvas.height - height, using: &generator), width: width, height: height))
  }

  private static func randomSize(_ generator: inout SeededGenerator) -> PixelSize? {
    let width = [48, 60, 96, 160, 240, 320, 400, 640].randomElement(using: &generator) ?? 96
    return PixelSize(width: width, height: width * 3 / 4)
  }

  mutating func change(_ change: (inout FlashGuard) -> Void) {
    for index in tiles.indices { change(&tiles[index].flashes) }
  }

  mutating func run() {
    for index in tiles.indices { tiles[index].perform(at: now) { $0.machine.play(at: $1) } }
    for _ in 0..<Int.random(in: 10...30, using: &generator) {
      now = now.advanced(byNanoseconds: .random(in: 0...400_000_000, using: &generator))
      for index in tiles.indices { tiles[index].run(to: now, using: &generator) }
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let index = Int.random(in: tiles.indices, using: &generator)
        tiles[index].performAny(at: now, using: &generator)
      }
      if Int.random(in: 0..<12, using: &generator) == 0 {
        let size = Self.randomSize(&generator)
        change { $0.shownSize = size }
        for index in tiles.indices { tiles[index].perform(at: now) }
      }
    }
  }

  /// A part that changes seven times in each second that begins in a period.
  private struct Flashing {
    var begin: Range<Int64>
    var tile: Int
    /// The smallest sizes among the seven changes.
    var area: Double
    var size: PixelSize
  }

  /// The greatest area that changes more than six times in a second, in any field at any place.
  ///
  /// An upper bound: of each tile that a field may touch, the whole part counts that blinks.
  func greatestArea() -> Double {
    let flashing = tiles.indices.flatMap { tile -> [Flashing] in
      let (frames, blinks) = (tiles[tile].frames, tiles[tile].blinks)
      return blinks.indices.dropLast(6).compactMap { first in
        let seven = blinks[first...first + 6]
        let begin = blinks[first + 6].time - 1_000_000_000 + 1
        guard begin <= blinks[first].time,
          let size = seven.map(\.size).min(by: { $0.width < $1.width })
        else { return nil }
        return Flashing(
          begin: begin..<blinks[first].time + 1, tile: tile, area: frames.area(at: size), size: size)
      }
    }
    let begins = Set(flashing.map { $0.begin.lowerBound })
    return begins.map { begin in area(of: flashing.filter { $0.begin.contains(begin) }) }.max() ?? 0
  }

  private func area(of flashing: [Flashing]) -> Double {
    guard let size = flashing.map(\.size).min(by: { $0.width < $1.width }) else { return 0 }
    var areas = [Double](repeating: 0, count: tiles.count)
    for part in flashing { areas[part.tile] = max(areas[part.tile], part.area) }
    let rows = (tiles.count + Self.columns - 1) / Self.columns
    // Of few GIFs all may lie in one field, wherever they stand.
    guard tiles.count > 9 else { return areas.reduce(0, +) }
    let width = min(Self.columns, Int((341 / Double(size.width)).rounded(.up)) + 1)
    let height = min(rows, Int((256 / Double(size.height)).rounded(.up)) + 1)
    var greatest = 0.0
    for top in 0...rows - height {
      for left in 0...Self.columns - width {
        var sum = 0.0
        for row in top..<top + height {
          for column in left..<left + width { sum += areas[row * Self.columns + column] }
        }
        greatest = max(greatest, sum)
      }
    }
    return greatest
  }
}

extension FlashRig {
  /// Does all that is due; some ticks come late.
  fileprivate mutating func run(to end: PlaybackInstant, using generator: inout SeededGenerator) {
    while let next = nextInstant, next <= end {
      let isLate = Int.random(in: 0..<6, using: &generator) == 0
      let late = isLate ? Int64.random(in: 0...100_000_000, using: &generator) : 0
      advance(to: min(end, next.advanced(byNanoseconds: late)))
    }
  }
}

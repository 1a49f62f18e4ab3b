import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFBatch

@Suite("FrameGroups")
struct FrameGroupsTests {
  /// An image of frames of this many pixels each.
  private func image(_ areas: [Int], limits: DecodingLimits = .default) throws -> GIFImage {
    var writer = GIFWriter(width: 100, height: 100, palette: [0, 1])
    for area in areas {
      let height = area > 60_000 ? 10 : 1
      writer.imageDescriptor(width: area / height, height: height)
      writer.imageData(minimumCodeSize: 2, compressed: [])
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes, limits: limits)
  }

  private func groups(_ areas: [Int], jobs: Int = 2) throws -> FrameGroups {
    FrameGroups(try image(areas), order: Array(areas.indices), jobs: jobs)
  }

  @Test("Every frame is in one group, in the order given", arguments: 0..<30)
  func order(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let areas = (0..<Int.random(in: 1...80, using: &generator)).map { _ in
      Int.random(in: 1...(Bool.random(using: &generator) ? 50 : 20_000), using: &generator)
    }
    let order = areas.indices.shuffled(using: &generator)
    let groups = FrameGroups(try image(areas), order: order, jobs: .random(in: 1...9, using: &generator))
    #expect((0..<groups.count).flatMap { groups[$0].map(groups.frame(at:)) } == order)
    #expect((0..<groups.count).allSatisfy { !groups[$0].isEmpty })
    let largest = (0..<groups.count).map { group in
      groups[group].reduce(0) { $0 + areas[groups.frame(at: $1)] }
    }.max()
    #expect(groups.largestArea == Int64(largest ?? 0))
  }

  @Test("Little decoding is not shared: frames of few codes and few indices")
  func usefulJobs() throws {
    let small = try image(Array(repeating: 30_000, count: 20))
    #expect(FrameGroups.usefulJobs(8, for: small, order: Array(0..<20)) == 1)
    // 200 us in the estimate: 3.2 million indices without codes.
    let large = try image(Array(repeating: 30_000, count: 110))
    #expect(FrameGroups.usefulJobs(8, for: large, order: Array(0..<110)) == 8)
    #expect(FrameGroups.usefulJobs(8, for: large, order: Array(0..<105)) == 1)
    #expect(FrameGroups.usefulJobs(8, for: small, order: [0, 1], leastTime: 0) == 8)
    #expect(FrameGroups.usefulJobs(8, for: small, order: [0], leastTime: 0) == 1)
    #expect(FrameGroups.usefulJobs(8, for: small, order: [], leastTime: 0) == 1)
  }

  @Test("Codes count more than indices")
  func jobsForCodes() throws {
    var writer = GIFWriter(width: 10, height: 10, palette: [0, 1])
    for _ in 0..<4 {
      writer.imageDescriptor(width: 10, height: 10)
      writer.imageData(minimumCodeSize: 2, compressed: Array(repeating: 0, count: 15_000))
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    #expect(FrameGroups.usefulJobs(3, for: image, order: [0, 1]) == 1)
    #expect(FrameGroups.usefulJobs(3, for: image, order: [0, 1, 2, 3]) == 3)
  }

  @Test("Tiny frames go together, large ones alone")
  func sizes() throws {
    let tiny = try groups(Array(repeating: 10, count: 400))
    #expect(tiny.count > 8 && tiny.count < 40)
    #expect(try groups(Array(repeating: 40_000, count: 9)).count == 9)
    #expect(try groups([]).count == 0)
    #expect(try groups([7]).count == 1)
  }

  @Test("A buffer has room for its group, small ones all the same, and none for what the data cannot fill")
  func rooms() throws {
    var writer = GIFWriter(width: 100, height: 100, palette: [0, 1])
    for area in [90, 40_000, 7] {
      writer.imageDescriptor(width: area / 5, height: 5)
      // n codes of three bits give n * n indices at the most.
      writer.imageData(minimumCodeSize: 2, compressed: Array(repeating: 0, count: area == 90 ? 3 : 100))
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    let groups = FrameGroups(image, order: [0, 1, 2], jobs: 2)
    #expect((0..<groups.count).map { groups[$0].count } == [2, 1])
    let codes = [3, 100].map { Int64($0 + 2) * 8 / 3 }
    #expect(groups.room(for: 0) == Int(90 + min(40_000, codes[1] * codes[1])))
    #expect(groups.room(for: 1) == groups.room(for: 0))
    #expect(groups.largestArea == 40_090)
  }

  @Test("A frame above the limit takes no memory and counts for none")
  func refusedFrames() throws {
    var limits = DecodingLimits.default
    limits.framePixels = 1000
    let image = try image([60_000, 500], limits: limits)
    #expect(FrameGroups(image, order: [0, 1], jobs: 1).largestArea <= 500)
  }

  @Test("There are slots for each job, no more than groups, and no more than the memory holds, but two")
  func slots() throws {
    let groups = try groups(Array(repeating: 200_000, count: 100))
    #expect(groups.slotCount(jobs: 1, byteLimit: .max) == 4)
    #expect(groups.slotCount(jobs: 5, byteLimit: .max) == 20)
    #expect(groups.slotCount(jobs: 256, byteLimit: .max) == 100)
    #expect(groups.slotCount(jobs: 5, byteLimit: 1_400_000) == 7)
    #expect(groups.slotCount(jobs: 256, byteLimit: 1) == 2)
    #expect(try self.groups(Array(repeating: 1000, count: 1000)).slotCount(jobs: 2, byteLimit: .max) == 16)
    #expect(try self.groups([]).slotCount(jobs: 3, byteLimit: 0) == 1)
  }
}

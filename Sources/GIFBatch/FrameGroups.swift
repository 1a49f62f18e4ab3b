internal import GIFDecoding

/// Groups of frames that one thread decodes together, so that tiny frames do not pass one by one. Pure.
struct FrameGroups: Sendable {
  private let order: [Int]
  /// The start of each group in `order`, and last its end.
  private let borders: [Int]
  /// Indices of the largest group, as far as a frame may have any.
  let largestArea: Int64

  /// The smallest group, in indices: passing it on costs as much as decoding some hundred pixels.
  private static let minimumArea: Int64 = 1 << 12
  /// The largest group of small frames, in indices: all slots together fit the caches.
  private static let maximumArea: Int64 = 1 << 16
  /// Groups for each job, where that makes them no smaller: the last ones are not finished all at once.
  private static let groupsPerJob: Int64 = 24
  /// The cost of a frame beside its pixels, in pixels.
  private static let frameCost: Int64 = 256

  /// How much decoding a file must have, in nanoseconds, so that another thread saves more than it takes to wake.
  static let leastSharedTime: Int64 = 200_000

  /// How many of `jobs` threads are of use: one for a single frame, and where decoding is likely to take less than
  /// `leastTime` nanoseconds.
  ///
  /// A byte of codes takes about 4 ns, an index 1/16 ns.
  static func usefulJobs(
    _ jobs: Int, for image: GIFImage, order: [Int], leastTime: Int64 = leastSharedTime
  ) -> Int {
    guard order.count > 1 else { return 1 }
    var time: Int64 = 0
    for frame in order {
      time += 4 * Int64(image.frames[frame].data.count) + image.indexBytes(of: image.frames[frame]) / 16
      if time >= leastTime { return jobs }
    }
    return 1
  }

  init(_ image: GIFImage, order: [Int], jobs: Int) {
    self.order = order
    let areas = order.map { frame in
      let area = image.indexBytes(of: image.frames[frame])
      return area <= image.limits.framePixels ? area : 0
    }
    let total = areas.reduce(0, +) + Self.frameCost * Int64(order.count)
    let wanted = min(
      Self.maximumArea, max(Self.minimumArea, total / (Self.groupsPerJob * Int64(jobs))))
    var borders = [0]
    var largest: Int64 = 0
    var group: (area: Int64, cost: Int64) = (0, 0)
    for (place, area) in areas.enumerated() {
      group.area += area
      group.cost += area + Self.frameCost
      guard group.cost >= wanted || place == order.count - 1 else { continue }
      borders.append(place + 1)
      largest = max(largest, group.area)
      group = (0, 0)
    }
    self.borders = borders
    largestArea = largest
  }

  var count: Int { borders.count - 1 }

  /// The frames of a group.
  subscript(group: Int) -> ArraySlice<Int> { order[borders[group]..<borders[group + 1]] }

  /// How many groups may be decoded and not yet drawn: enough for each job to be ahead, within a limit of memory, but
  /// at least two.
  func slotCount(jobs: Int, byteLimit: Int64) -> Int {
    let fitting = max(2, byteLimit / max(1, largestArea))
    let ahead = largestArea > 2 * Self.maximumArea ? 4 : 8
    return Int(min(Int64(ahead * jobs), Int64(max(1, count)), fitting))
  }
}

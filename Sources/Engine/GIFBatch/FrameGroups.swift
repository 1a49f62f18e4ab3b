internal import GIFDecoding

/// Groups of frames that one thread decodes together, so that tiny frames do not pass one by one.
struct FrameGroups: Sendable {
  private let order: [Int]
  /// The start of each group in `order`, and last its end.
  private let borders: [Int]
  /// Indices of the largest group, as far as a frame may have any.
  let largestArea: Int64
  /// How many indices each group's data may hold.
  private let rooms: [Int64]
  private let commonRoom: Int64

  /// The smallest group, in indices: passing it on costs as much as decoding some hundred pixels.
  private static let minimumArea: Int64 = 1 << 12
  /// The largest group of small frames, in indices: all slots together fit the caches.
  private static let maximumArea: Int64 = 1 << 16
  /// Groups for each job, where that makes them no smaller: the last ones are not finished all at once.
  private static let groupsPerJob: Int64 = 24
  /// The cost of a frame beside its pixels, in pixels.
  private static let frameCost: Int64 = 256

  /// How much decoding a file must have, in nanoseconds, so that another thread saves more than it takes to
  /// wake.
  static let leastSharedTime: Int64 = 200_000

  /// How many of `jobs` threads are of use: one for a single frame, and where decoding is likely to take less
  /// than `leastTime` nanoseconds.
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
    var rooms: [Int64] = []
    var largest: Int64 = 0
    var group: (area: Int64, room: Int64, cost: Int64) = (0, 0, 0)
    for (place, area) in areas.enumerated() {
      group.area += area
      group.room += min(area, image.indexRoom(of: image.frames[order[place]]))
      group.cost += area + Self.frameCost
      guard group.cost >= wanted || place == order.count - 1 else { continue }
      borders.append(place + 1)
      rooms.append(group.room)
      largest = max(largest, group.area)
      group = (0, 0, 0)
    }
    self.borders = borders
    self.rooms = rooms
    largestArea = largest
    commonRoom = min(Self.maximumArea, rooms.max() ?? 0)
  }

  var count: Int { borders.count - 1 }

  /// The places of a group's frames in the order.
  subscript(group: Int) -> Range<Int> { borders[group]..<borders[group + 1] }

  func frame(at place: Int) -> Int { order[place] }

  /// For how many indices a group's buffer has room at first: small groups have buffers of one size, so that
  /// a buffer serves one after the other without growing.
  func room(for group: Int) -> Int { Int(clamping: max(commonRoom, rooms[group])) }

  /// How many groups may be decoded and not yet drawn: enough for each job to be ahead, within a limit of
  /// memory, but at least two.
  func slotCount(jobs: Int, byteLimit: Int64) -> Int {
    let fitting = max(2, byteLimit / max(1, largestArea))
    let ahead = largestArea > 2 * Self.maximumArea ? 4 : 8
    return Int(min(Int64(ahead * jobs), Int64(max(1, count)), fitting))
  }
}

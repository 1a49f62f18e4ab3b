internal import CGallop
internal import Gallop

/// Which frames of a file a batch decodes.
enum FrameChoice: Sendable {
  /// None: the index alone.
  case none
  /// Every `step`th from `first` to before `end`; numbers below 0 count from the end, those outside of the
  /// file are cut.
  case part(first: Int64, end: Int64, step: Int64)
  case list([Int64])

  /// The most numbers in a list: as many as a GIF may have frames, a few times over.
  private static let mostNumbers = 1 << 22

  init(_ choice: gallop_frame_choice) throws(Failure) {
    guard let indices = unsafe choice.indices else {
      unsafe self = .part(first: choice.first, end: choice.end, step: choice.step == 0 ? 1 : choice.step)
      return
    }
    let count = unsafe choice.count
    guard (1...Self.mostNumbers).contains(count) else {
      throw .argument("a list of \(count) frames: it may have 1 to \(Self.mostNumbers)")
    }
    try checkMemory(bytes: count * MemoryLayout<Int64>.stride)
    self = .list(unsafe Array(UnsafeBufferPointer(start: indices, count: count)))
  }

  /// The numbers of the frames in a file of this many; nil for none.
  ///
  /// - Throws: where the file has none of the part, or not all of the list.
  func indices(of frameCount: Int, named name: String?) throws(Failure) -> [Int64]? {
    let count = Int64(frameCount)
    switch self {
    case .none: return nil
    case .list(let numbers):
      // For the numbers, their order, and their statuses.
      try checkMemory(bytes: numbers.count * 4 * MemoryLayout<Int64>.stride)
      return try numbers.map { number throws(Failure) in
        let index = number < 0 ? number + count : number
        guard (0..<count).contains(index) else {
          throw Failure(.missingFrame(number, of: frameCount), source: name)
        }
        return index
      }
    case .part(let first, let end, let step):
      // As Python cuts slices: backwards they reach from the last frame to before the first one.
      let bounds = step > 0 ? 0...count : -1...count - 1
      func cut(_ number: Int64) -> Int64 {
        min(max(number < 0 ? number + count : number, bounds.lowerBound), bounds.upperBound)
      }
      // Of what is left neither sum nor count leaves 64 bits.
      let stride = max(-count - 1, min(count + 1, step))
      let found = Array(Swift.stride(from: cut(first), to: cut(end), by: Int64.Stride(stride)))
      guard !found.isEmpty else { throw Self.missingPart(of: frameCount, named: name) }
      return found
    }
  }

  private static func missingPart(of frameCount: Int, named name: String?) -> Failure {
    guard frameCount > 0 else { return Failure(.missingFrame(0, of: 0), source: name) }
    let frames = frameCount == 1 ? "its one frame" : "its \(frameCount) frames"
    let message = "\(name ?? "the GIF") has none of \(frames) in the part that is asked for"
    return Failure(.noSuchFrame, message, limit: Int64(frameCount))
  }
}

/// The numbers and statuses of several frames, at addresses that C may keep as long as the list lives.
@safe final class FrameList: @unchecked Sendable {
  let indices: UnsafeMutableBufferPointer<Int64>
  let statuses: UnsafeMutableBufferPointer<UInt8>

  init(_ numbers: [Int64]) {
    unsafe indices = .allocate(capacity: numbers.count)
    _ = unsafe indices.initialize(from: numbers)
    unsafe statuses = .allocate(capacity: numbers.count)
    unsafe statuses.initialize(repeating: 0)
  }

  deinit {
    unsafe indices.deallocate()
    unsafe statuses.deallocate()
  }

  /// The places of the frames, in the order of their numbers, so that a renderer never goes back.
  var places: [Int] {
    let places = unsafe Array(0..<indices.count)
    let isInOrder = places.dropFirst().allSatisfy { unsafe indices[$0 - 1] < indices[$0] }
    return isInOrder ? places : places.sorted { unsafe (indices[$0], $0) < (indices[$1], $1) }
  }

  /// How many frames there are.
  var count: Int { unsafe statuses.count }

  subscript(place: Int) -> (index: Int64, status: UInt8) { unsafe (indices[place], statuses[place]) }

  /// Written before the list is handed out, and by one thread.
  func setStatus(_ status: UInt8, at place: Int) {
    unsafe precondition(place >= 0 && place < statuses.count)
    unsafe statuses[place] = status
  }
}

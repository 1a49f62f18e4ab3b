package import GIFDecoding

/// Which frames an animated WebP shows, and when.
package struct WebPSchedule: Equatable {
  /// The frames that are shown.
  package private(set) var frames: [Int] = []
  /// When each picture begins, in milliseconds, and when the last one ends.
  package private(set) var times: [Int] = []
  /// When the last picture ends.
  package var end: Int { times.last ?? 0 }
  /// Total plays; 0 for without end.
  package let plays: Int

  /// The total time that libwebp counts, in milliseconds: 24 days.
  private static let longestTime = Int(Int32.max)

  /// - Parameters:
  ///   - frames: those of the image that it shows, each for exactly as long as a browser does.
  ///   - mostPerSecond: see ``WebPOptions/mostPerSecond``.
  /// - Precondition: the image has the frames.
  package init(_ image: GIFImage, frames: [Int], mostPerSecond: Double?) throws(WebPError) {
    var time = 0
    for frame in frames {
      let isLeftOut =
        if let last = times.last, let mostPerSecond {
          Double(time - last) * mostPerSecond < 1_000
        } else {
          false
        }
      if !isLeftOut {
        self.frames.append(frame)
        times.append(time)
      }
      let (end, overflows) = time.addingReportingOverflow(image.frames[frame].delayMilliseconds())
      guard !overflows, end <= Self.longestTime else {
        throw WebPError(.tooLong, "plays for more than 24 days, which no WebP does")
      }
      time = end
    }
    times.append(time)
    if case .plays(let count) = image.loopCount { plays = min(count, 0xFFFF) } else { plays = 0 }
  }
}

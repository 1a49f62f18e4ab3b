internal import GIFStage
internal import Gallop

extension BarChart {
  /// A chart of the frames' delays and compressed sizes.
  ///
  /// With more frames than bars, each bar shows the largest value of several frames.
  init(of image: GIFImage, name: String) {
    let count = image.frameCount
    let group = max(1, (count + Self.mostBars - 1) / Self.mostBars)
    let starts = Array(stride(from: 0, to: count, by: group))
    func bars(_ value: (FrameInfo) -> Double) -> [Double] {
      starts.map { start in
        image.frames[start..<min(count, start + group)].map(value).max() ?? 0
      }
    }
    let sizes = bars { Double($0.compressedByteCount) }
    let unit = Self.byteUnit(for: sizes.max() ?? 0)
    let frames = "\(count) frame\(count == 1 ? "" : "s")"
    title = "\(name)  \(image.width) x \(image.height), \(frames), \(seconds(image.durationMilliseconds()))"
    axisTitle = group == 1 ? "frame" : "frame (each bar: the largest of \(group))"
    labels = starts.map { "\($0)" }
    series = [
      Series(title: "delay, ms", values: bars { Double($0.delayMilliseconds()) }, color: Theme.accent),
      Series(
        title: "compressed size, \(unit.name)", values: sizes.map { $0 / unit.bytes }, color: Theme.good),
    ]
  }

  /// The unit in which a value has one to four digits before the point.
  private static func byteUnit(for largest: Double) -> (name: String, bytes: Double) {
    if largest < 10_000 { return ("bytes", 1) }
    return largest < 10_000_000 ? ("KB", 1000) : ("MB", 1_000_000)
  }
}

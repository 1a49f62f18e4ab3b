import Gallop
import Glibc

/// What the three forms of a frame cost: CPU time of a loop, and bytes held, for each file given.
///
/// Every loop takes each frame once, in order, on this thread. `hot` has room for all finished frames, `warm`
/// for the palette indices and two frames, `cold` for two frames.
@main
struct Tiers {
  struct Cost {
    var milliseconds = Double.infinity
    var bytes: Int64 = 0
  }

  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty else { return print("usage: Tiers FILE...") }
    print(
      "| file | frames | hot ms | warm ms | cold ms | hot MB | warm MB | cold MB | warm / cold CPU | warm / hot bytes |"
    )
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |")
    var cpu: [Double] = []
    var memory: [Double] = []
    for path in paths {
      let image = try GIFImage(contentsOfFile: path)
      guard image.frameCount > 2 else { continue }
      let cold = measure(image, limit: 0)
      let indices = image.frames.reduce(0) { $0 + Int64($1.rect.width) * Int64($1.rect.height) }
      let warm = measure(image, limit: cold.bytes + indices)
      let hot = measure(image, limit: 1 << 40)
      cpu.append(warm.milliseconds / cold.milliseconds)
      memory.append(Double(warm.bytes) / Double(hot.bytes))
      let name = path.split(separator: "/").last ?? ""
      let numbers =
        [hot, warm, cold].map { text($0.milliseconds) }
        + [hot, warm, cold].map { text(Double($0.bytes) / 1e6) }
        + [text(cpu[cpu.count - 1]), text(memory[memory.count - 1])]
      print("| \(name) | \(image.frameCount) | " + numbers.joined(separator: " | ") + " |")
    }
    print(
      "geometric mean: warm takes \(text(mean(cpu))) of cold's CPU time and \(text(mean(memory))) of hot's bytes"
    )
  }

  /// The best of five loops, after one that fills the tiers.
  private static func measure(_ image: GIFImage, limit: Int64) -> Cost {
    let budget = FrameBudget(limit: limit)
    var options = GIFPlayer.Options()
    options.budget = budget
    options.cachePolicy = CachePolicy(readAhead: .zero, readAheadFrames: 1)
    let player = GIFPlayer(
      image, options: options, clock: PlaybackClock(drivenWith: ManualTime().now), pool: .inline)
    var cost = Cost()
    for loop in 0..<6 {
      let start = cpuMilliseconds
      for frame in 0..<image.frameCount {
        player.seek(toFrame: frame)
        precondition(player.currentFrame?.index == frame, "a frame is missing")
      }
      if loop > 0 { cost.milliseconds = min(cost.milliseconds, cpuMilliseconds - start) }
    }
    cost.bytes = budget.snapshot.peakBytes
    return cost
  }

  private static var cpuMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  private static func mean(_ values: [Double]) -> Double {
    exp(values.reduce(0) { $0 + log($1) } / Double(max(1, values.count)))
  }

  private static func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

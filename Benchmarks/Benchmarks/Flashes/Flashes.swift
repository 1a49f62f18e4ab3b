import Gallop
import Glibc

/// What the verdict on flashes costs, and the whole report, against a decode of all frames, for each file.
///
/// Each takes one thread; the best of five runs counts.
@main
struct Flashes {
  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty else { return print("usage: Flashes FILE...") }
    print("| file | canvas | frames | verdict | decode ms | verdict ms | ratio | report's | at 96 x 64 |")
    print("| --- | --: | --: | --- | --: | --: | --: | --: | --- |")
    var tally = Tally()
    for path in paths {
      guard let image = try? GIFImage(contentsOfFile: path), image.frameCount > 1 else { continue }
      let report = try image.flashes()
      let small = try image.flashes(
        FlashOptions(size: image.size.fitting(PixelSize(width: 96, height: 64) ?? image.size)))
      let decode = try best {
        var renderer = try FrameRenderer(image)
        for index in 0..<image.frameCount { try renderer.render(index) }
      }
      var options = FlashOptions()
      options.isVerdictOnly = true
      guard try image.flashes(options).result == report.result else { return print("\(path): two verdicts") }
      let verdict = try best { _ = try image.flashes(options) }
      let whole = try best { _ = try image.flashes() }
      tally.add(report, small, decode: decode, verdict: verdict, whole: whole)
      let name = path.split(separator: "/").last ?? ""
      print(
        "| \(name) | \(image.width) x \(image.height) | \(image.frameCount) | \(text(report)) | \(decimals(decode)) "
          + "| \(decimals(verdict)) | \(decimals(verdict / decode)) | \(decimals(whole / decode)) | \(text(small)) |"
      )
    }
    tally.printSummary()
  }

  private struct Tally {
    private var count = 0
    private var (proved, provedSmall, failures) = (0, 0, 0)
    /// Those that are proved by the index; most have their frames decoded once, to see that none is damaged.
    private var proofs = (decode: 0.0, verdict: 0.0)
    private var passing = (decode: 0.0, verdict: 0.0)
    private var failing = (decode: 0.0, verdict: 0.0, whole: 0.0)
    private var all = (decode: 0.0, verdict: 0.0)
    private var logarithms: [Double] = []

    mutating func add(
      _ report: FlashReport, _ small: FlashReport, decode: Double, verdict: Double, whole: Double
    ) {
      count += 1
      if small.isDecoded == false { provedSmall += 1 }
      if report.result == .fails {
        failures += 1
        failing = (failing.decode + decode, failing.verdict + verdict, failing.whole + whole)
      }
      guard report.isDecoded else {
        proved += 1
        proofs = (proofs.decode + decode, proofs.verdict + verdict)
        return
      }
      logarithms.append(log(verdict / decode))
      all = (all.decode + decode, all.verdict + verdict)
      if report.result == .passes { passing = (passing.decode + decode, passing.verdict + verdict) }
    }

    func printSummary() {
      print(
        "\(count) files: \(failures) fail; \(proved) proved by the index at full size, \(provedSmall) at 96 x 64"
      )
      print(
        "those proved take \(decimals(proofs.verdict / max(1e-9, proofs.decode))) of the time of decoding;")
      let mean = exp(logarithms.reduce(0, +) / Double(max(1, logarithms.count)))
      print("of the others: \(decimals(all.verdict / all.decode)) of the time of decoding in all,")
      let fails = failing.decode > 0 ? failing : (decode: 1, verdict: 0, whole: 0)
      print(
        "  geometric mean \(decimals(mean)); those that pass \(decimals(passing.verdict / passing.decode)), "
          + "those that fail \(decimals(fails.verdict / fails.decode))")
      print("the whole report of those that fail: \(decimals(fails.whole / fails.decode))")
    }
  }

  private static func text(_ report: FlashReport) -> String {
    report.result.rawValue + (report.isDecoded ? "" : " by the index")
  }

  /// Milliseconds of processor time.
  private static func best(_ body: () throws -> Void) throws -> Double {
    var best = Double.infinity
    for _ in 0..<5 {
      let start = cpuMilliseconds
      try body()
      best = min(best, cpuMilliseconds - start)
    }
    return best
  }

  private static var cpuMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

private func decimals(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

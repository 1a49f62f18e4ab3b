import Gallop
import Glibc

/// Counts what bounds a batch on more processors than the machine has: 1 to 64 threads decode the files
/// given.
///
/// Time cannot show it on two processors. Counts can: how evenly threads share the files, how often a thread
/// waits, and what the calling task does for each file, which no other thread takes over.
@main
struct Scaling {
  static func main() async {
    let paths = Array(CommandLine.arguments.dropFirst())
    guard !paths.isEmpty else { return print("usage: Scaling FILE...") }
    // So many that each of 64 threads has several.
    let files = (0..<max(1024, paths.count)).map { paths[$0 % paths.count] }
    print(
      "\(files.count) files, \(paths.count) different, \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) processors")
    print(
      "| jobs | ms | CPU ms | threads | files a thread | CPU ms a thread | waits a file | caller us a file | bound |"
    )
    print("| --: | --: | --: | --: | --: | --: | --: | --: | --: |")
    for jobs in [1, 2, 4, 16, 64] { print(await run(files, jobs: jobs).row(jobs: jobs, files: files.count)) }
    print(
      "a thread: least and most. waits: threads left their processors for a lock, for work or for a file."
    )
    print(
      "bound: the CPU time of the threads by the caller's. With more threads than that the caller is the slowest."
    )
  }

  private static func run(_ files: [String], jobs: Int) async -> Outcome {
    let counts = ThreadCounts()
    let results = BatchResults(of: files, jobs: jobs) { path, isCancelled in
      counts.begin()
      decode(path, isCancelled)
      counts.end()
    }
    let (start, before) = (seconds(CLOCK_MONOTONIC), Usage.process)
    for await _ in results {}
    return Outcome(
      seconds: seconds(CLOCK_MONOTONIC) - start, whole: Usage.process - before, threads: counts.threads)
  }

  /// Draws all frames, as `gallop decode --format null` does. A broken file has none.
  private static func decode(_ path: String, _ isCancelled: @escaping @Sendable () -> Bool) {
    guard
      let image = try? GIFImage(contentsOfFile: path),
      var renderer = try? FrameRenderer(image, checkpoints: .none)
    else { return }
    for index in 0..<image.frameCount {
      guard (try? renderer.render(index, isCancelled: isCancelled)) != nil else { return }
    }
  }

  private static func seconds(_ clock: Int32) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What the threads of a batch did, and what was left to its caller.
private struct Outcome {
  let seconds: Double
  let whole: Usage
  let threads: [ThreadCounts.Thread]

  func row(jobs: Int, files: Int) -> String {
    let work = threads.reduce(0) { $0 + $1.usage.cpu }
    let caller = max(0, whole.cpu - work)
    let columns = [
      "\(jobs)", "\(Int(seconds * 1e3))", "\(Int(whole.cpu * 1e3))", "\(threads.count)",
      range(threads.map { $0.files }), range(threads.map { Int($0.usage.cpu * 1e3) }),
      "\((Double(whole.waits) / Double(files) * 100).rounded() / 100)",
      "\(Int(caller / Double(files) * 1e6))",
      "\(Int(work / max(caller, 1e-6)))",
    ]
    return "| " + columns.joined(separator: " | ") + " |"
  }

  private func range(_ values: [Int]) -> String { "\(values.min() ?? 0) - \(values.max() ?? 0)" }
}

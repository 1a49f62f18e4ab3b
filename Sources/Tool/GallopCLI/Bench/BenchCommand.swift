internal import ArgumentParser

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures decoding and playback.",
    subcommands: [BenchDecodeCommand.self, BenchPlaybackCommand.self])
}

extension Double {
  /// Rounded to this many decimals, for printing.
  func rounded(to decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}

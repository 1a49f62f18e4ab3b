import Benchmark
import Foundation
import Gallop

// Speed of the decoder's parts on the sample GIFs, or on the files that GALLOP_BENCH_GIFS names (separated by
// colons). Throughput counts runs a second.

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .cpuTotal, .throughput], warmupIterations: 2, scalingFactor: .one,
    maxDuration: .seconds(2), maxIterations: 10_000)

  for path in BenchmarkFiles.paths {
    guard let image = try? GIFImage(contentsOfFile: path), image.frameCount > 0 else {
      print("passed over: \(path) is no GIF with frames")
      continue
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path

    Benchmark("index \(name)") { benchmark in
      for _ in benchmark.scaledIterations { blackHole(try GIFImage(contentsOfFile: path)) }
    }

    Benchmark("first frame \(name)") { benchmark in
      for _ in benchmark.scaledIterations {
        var renderer = try FrameRenderer(GIFImage(contentsOfFile: path))
        blackHole(try renderer.frame(at: 0))
      }
    }

    // As a player of a file that loads gets it: without an index of the rest.
    Benchmark("first frame as it arrives \(name)") { benchmark in
      let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
      let pieces = stride(from: 0, to: bytes.count, by: 1 << 14).map {
        Array(bytes[$0..<min($0 + 1 << 14, bytes.count)])
      }
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        var stream = GIFStream()
        for (number, piece) in pieces.enumerated() {
          try stream.append(piece)
          // The second frame, or the end, shows that the first is whole.
          let soFar = try stream.image
          guard let soFar, soFar.frameCount > 1 || number == pieces.count - 1 else { continue }
          var renderer = try FrameRenderer(soFar)
          blackHole(try renderer.frame(at: 0))
          break
        }
      }
    }

    Benchmark("lzw \(name)") { benchmark in
      for _ in benchmark.scaledIterations { blackHole(image.checkFrames()) }
    }

    Benchmark("decode \(name)") { benchmark in
      for _ in benchmark.scaledIterations {
        var renderer = try FrameRenderer(image)
        for index in 0..<image.frameCount { try renderer.render(index) }
        blackHole(renderer.canvasPixels[0])
      }
    }

    Benchmark("seek to the end \(name)") { benchmark in
      for _ in benchmark.scaledIterations {
        var renderer = try FrameRenderer(image)
        blackHole(try renderer.frame(at: image.frameCount - 1))
      }
    }
  }
  registerIndexing()
  registerCompositing()
}

/// The index of ten megabytes in memory: a hundred frames whose codes, all in full blocks, are not decoded.
/// `GIFImage` copies the bytes, which is the greater part.
private func registerIndexing() {
  var bytes = Array("GIF89a".utf8) + [0x80, 2, 0xE0, 1, 0xF0, 0, 0] + [UInt8](repeating: 0, count: 6)
  for _ in 0..<100 {
    bytes += [0x2C, 0, 0, 0, 0, 0x80, 2, 0xE0, 1, 0, 8]
    for _ in 0..<410 { bytes += [255] + [UInt8](repeating: 0, count: 255) }
    bytes.append(0)
  }
  bytes.append(0x3B)
  guard let image = try? GIFImage(bytes: bytes), image.frameCount == 100, image.metadata.isComplete else {
    print("passed over: the made-up GIF of ten megabytes is wrong")
    return
  }
  Benchmark("index of ten megabytes in memory") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(try GIFImage(bytes: bytes)) }
  }
}

/// Composing alone, on frames that cost little to decompress: "its lzw" says how much.
private func registerCompositing() {
  let cases: [(name: String, gif: FlatGIF)] = [
    ("opaque", FlatGIF(disposal: 1, isTransparent: false)),
    ("transparent", FlatGIF(disposal: 1, isTransparent: true)),
    ("restore background", FlatGIF(disposal: 2, isTransparent: true)),
    ("restore previous", FlatGIF(disposal: 3, isTransparent: true)),
  ]
  for (name, gif) in cases {
    guard let image = try? GIFImage(bytes: gif.bytes), image.frameCount == gif.frameCount,
      image.checkFrames().statuses.allSatisfy({ $0 == .complete })
    else {
      print("passed over: compositing \(name): the made-up GIF is wrong")
      continue
    }
    if name == "opaque" {
      Benchmark("compositing, its lzw") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(image.checkFrames()) }
      }
    }
    Benchmark("compositing, \(name)") { benchmark in
      for _ in benchmark.scaledIterations {
        var renderer = try FrameRenderer(image)
        for index in 0..<image.frameCount { try renderer.render(index) }
        blackHole(renderer.canvasPixels[0])
      }
    }
  }
}

enum BenchmarkFiles {
  static var paths: [String] {
    if let given = ProcessInfo.processInfo.environment["GALLOP_BENCH_GIFS"] {
      return given.split(separator: ":").map(String.init)
    }
    return ["gallop", "spheres", "lissajous", "disposals"].map { samples + $0 + ".gif" }
  }

  /// The sample folder beside this package, wherever the checkout is.
  private static var samples: String {
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/") + "/Samples/GIFs/"
  }
}

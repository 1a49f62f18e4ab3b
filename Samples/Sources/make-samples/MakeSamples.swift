import Foundation

/// Writes the samples into the folder given as the only argument, or else into `GIFs`.
@main
enum MakeSamples {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
      print("usage: make-samples [folder]")
      exit(2)
    }
    let folder = URL(fileURLWithPath: arguments.first ?? "GIFs", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var total = 0
    for sample in Sample.all {
      let bytes = try sample.make()
      try Data(bytes).write(to: folder.appendingPathComponent("\(sample.name).gif"), options: .atomic)
      print("\(sample.name).gif: \(bytes.count) bytes")
      total += bytes.count
    }
    print("\(Sample.all.count) files, \(total) bytes")
  }
}

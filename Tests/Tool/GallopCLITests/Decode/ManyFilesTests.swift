import Testing

@testable import GallopCLI

@Suite("gallop decode of many files", .serialized, .timeLimit(.minutes(20)))
struct ManyFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A file gets one thread, unless fewer files than threads are left")
  func shares() {
    #expect((0..<5).map { FileShare.jobs(forFile: $0, of: 5, jobs: 2) } == [1, 1, 1, 1, 2])
    #expect((0..<3).map { FileShare.jobs(forFile: $0, of: 3, jobs: 8) } == [3, 4, 8])
    #expect((0..<3).map { FileShare.jobs(forFile: $0, of: 3, jobs: 1) } == [1, 1, 1])
  }

  /// Files of which some are damaged, one is no GIF, and one is missing.
  private func writeFiles() throws -> [String] {
    var names: [String] = []
    for index in 0..<24 {
      let name = "f\(index).gif"
      var bytes = Fixture(delays: [Int](repeating: 2, count: 1 + index % 5), loop: nil).bytes
      if index % 6 == 4 { bytes.removeLast(5) }
      if index == 9 { bytes = Array("no GIF at all".utf8) }
      if index != 13 { try folder.write(bytes, to: name) }
      names.append(name)
    }
    return names
  }

  @Test(
    "Files and messages are the same for any number of threads", arguments: ["png", "rgba", "y4m", "sheet"])
  func sameForAnyJobs(format: String) async throws {
    let names = try writeFiles()
    var former: (names: [String], files: [[UInt8]], errors: String)?
    for jobs in ["1", "2", "7", "64"] {
      let run = try await folder.gallop(
        ["decode", "--format", format, "--jobs", jobs, "--output", "out\(jobs)/"] + names)
      #expect(run.status == 1)
      let written = try folder.names(in: "out\(jobs)").sorted()
      let files = try written.map { try folder.read("out\(jobs)/\($0)") }
      if let former {
        #expect(former.names == written && former.files == files && former.errors == run.errors)
      } else {
        #expect(written.count >= 22)
        #expect(run.errors.contains("f9.gif: ") && run.errors.contains("f13.gif: "))
      }
      former = (written, files, run.errors)
    }
  }

  @Test("An output that exists ends the command, with any number of threads", arguments: ["1", "3"])
  func existingOutput(jobs: String) async throws {
    let names = try writeFiles()
    try folder.write([1], to: "f3.rgba")
    let run = try await folder.gallop(["decode", "--format", "rgba", "--jobs", jobs] + names)
    #expect(run.status == 1)
    #expect(run.errors == "gallop: f3.rgba: exists already; --force overwrites it\n")
    #expect(try folder.read("f3.rgba") == [1])
    #expect(try folder.names().filter { $0.contains(".part") }.isEmpty)
    #expect(try folder.names().contains("f2.rgba"))
  }
}

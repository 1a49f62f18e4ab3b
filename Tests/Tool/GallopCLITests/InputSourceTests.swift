import Foundation
import Testing

/// Where files come from: folders, lists and playlists.
@Suite("Folders, lists and playlists", .serialized, .timeLimit(.minutes(20)))
struct InputSourceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["d", "d/b", "d/b/deep", "d/.hidden", "empty"] { try folder.makeFolder(name) }
    for name in [
      "d/a.gif", "d/c.GIF", "d/b/x.gif", "d/b/deep/y.gif", "d/.hidden/no.gif", "d/b/text.txt", "z.gif",
    ] {
      try folder.write(Fixture.still.bytes, to: name)
    }
  }

  /// The paths that `info` describes.
  private func paths(_ run: CommandRun) -> [String] { run.lines }

  private func info(_ arguments: String...) async throws -> CommandRun {
    try await folder.gallop(["info", "--format", "{path}"] + arguments)
  }

  @Test("-r takes the GIFs at any depth, sorted by path; hidden folders are left out")
  func recursive() async throws {
    let run = try await info("-r", "d", "z.gif")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(paths(run) == ["d/a.gif", "d/b/deep/y.gif", "d/b/x.gif", "d/c.GIF", "z.gif"])
    #expect(paths(try await info("--recursive", "d/b/")) == ["d/b/deep/y.gif", "d/b/x.gif"])
    #expect(paths(try await info("d")) == ["d/a.gif", "d/c.GIF"])
  }

  @Test("Links to folders are not followed, links to files are")
  func links() async throws {
    let run = try await folder.shell(
      "ln -s .. d/b/up; ln -s ../../z.gif d/b/link.gif; \"$0\" info -r --format '{path}' d/b")
    #expect(run.status == 0)
    #expect(paths(run) == ["d/b/deep/y.gif", "d/b/link.gif", "d/b/x.gif"])
  }

  @Test("A folder's pipes and sockets are skipped, so that nothing waits for them")
  func pipes() async throws {
    let run = try await folder.shell("mkfifo d/p.gif d/b/q.gif; \"$0\" info -r --format '{path}' d")
    #expect(run.status == 0)
    #expect(paths(run) == ["d/a.gif", "d/b/deep/y.gif", "d/b/x.gif", "d/c.GIF"])
  }

  @Test("A folder is no list of files")
  func folderAsList() async throws {
    let run = try await info("--files-from", "d")
    #expect(run.status == 64 && run.lines.isEmpty)
    #expect(run.errors.contains("--files-from takes a file that holds names; 'd' is a folder"))
  }

  @Test("A folder whose GIFs are deeper says how they are reached")
  func hint() async throws {
    let run = try await folder.shell("mkdir -p outer/inner; cp z.gif outer/inner; \"$0\" info outer")
    #expect(run.status == 1)
    #expect(
      run.errors == "gallop: outer: is a directory without GIF files; -r looks into the folders in it, too\n")
    let none = try await info("-r", "empty")
    #expect(none.errors == "gallop: empty: is a directory without GIF files\n")
  }

  @Test(
    "A folder that cannot be read is reported", .enabled(if: geteuid() != 0, "root may read everything"))
  func forbidden() async throws {
    let run = try await folder.shell(
      "chmod 0 d/b; \"$0\" info -r --format '{path}' d; S=$?; chmod 700 d/b; exit $S")
    #expect(run.status == 1)
    #expect(run.errors == "gallop: d/b: cannot be read: Permission denied\n")
    #expect(paths(run) == ["d/a.gif", "d/c.GIF"])
  }

  @Test(
    "--files-from reads names from a file or a pipe, one a line or with zero bytes, after those of the arguments"
  )
  func filesFrom() async throws {
    try folder.write(Array("d\nd/b/x.gif\n".utf8), to: "list")
    let run = try await info("--files-from", "list", "z.gif")
    #expect(run.status == 0)
    #expect(paths(run) == ["z.gif", "d/a.gif", "d/c.GIF", "d/b/x.gif"])
    let piped = try await folder.shell(
      "find d -name '*.gif' -print0 | sort -z | \"$0\" info --files-from - --format '{path}'")
    #expect(piped.status == 0)
    #expect(paths(piped) == ["d/.hidden/no.gif", "d/a.gif", "d/b/deep/y.gif", "d/b/x.gif"])
  }

  @Test("A list that cannot be read, or has no names, is a file that cannot be used")
  func badLists() async throws {
    #expect(
      try await info("--files-from", "none").errors
        == "gallop: none: cannot be read: No such file or directory\n")
    let empty = try await folder.shell("\"$0\" info --files-from - </dev/null")
    #expect(empty.status == 1 && empty.errors == "gallop: standard input: is empty\n")
    let twice = try await folder.shell("echo z.gif | \"$0\" info --files-from - -")
    #expect(twice.status == 64)
    let listed = try await folder.shell("echo - | \"$0\" info --files-from -")
    #expect(listed.status == 64)
  }

  @Test("A playlist stands for its files, relative to its own folder, for every command")
  func playlist() async throws {
    try folder.write(Array("#EXTM3U\n#EXTINF:1,x\nx.gif\n../../z.gif\n../a.gif\n".utf8), to: "d/b/list.M3U")
    let run = try await info("d/b/list.M3U")
    #expect(run.status == 0)
    #expect(paths(run) == ["d/b/x.gif", "d/b/../../z.gif", "d/b/../a.gif"])
    let decode = try await folder.gallop("decode", "-o", "out/", "d/b/list.M3U")
    #expect(decode.status == 0)
    #expect(try folder.names(in: "out") == ["a.png", "x.png", "z.png"])
    try folder.write(Array("#EXTM3U\n".utf8), to: "empty.m3u")
    #expect(try await info("empty.m3u").errors == "gallop: empty.m3u: is a playlist without files\n")
    try folder.write(Array("empty.m3u\nd/b/list.M3U\n".utf8), to: "outer.m3u")
    let nested = try await info("outer.m3u").errors
    #expect(nested.contains("list.M3U: is a playlist in a playlist, which is not followed\n"))
    #expect(nested.contains("empty.m3u: is a playlist without files\n"))
  }
}

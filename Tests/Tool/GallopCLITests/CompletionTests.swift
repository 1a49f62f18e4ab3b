import Foundation
import Testing

@Suite("Completions", .serialized, .timeLimit(.minutes(20)))
struct CompletionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")

  @Test(
    "bash completes file names, also those of outputs and after other files",
    .enabled(if: hasBash),
    arguments: [
      "info ho", "info --json ho", "info horse.gif ho", "decode ho", "decode --output ho", "play ho",
      "play --trace ho", "bench decode ho", "bench playback --markdown ho",
    ])
  func bash(line: String) async throws {
    for name in ["horse.gif", "horse two.gif", "other.gif"] { try folder.write([], to: name) }
    let script = """
      . ./completions
      COMP_WORDS=(gallop \(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="gallop \(line)"
      COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
      _gallop gallop ho "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try folder.write(Array(script.utf8), to: "script")
    let run = try await folder.shell("\"$0\" --generate-completion-script bash >completions; bash ./script")
    #expect(Set(run.lines) == ["horse.gif", "horse two.gif"], "\(run.errors)")
  }

  @Test("zsh and fish complete the names of files for every command that takes them")
  func otherShells() async throws {
    let zsh = try await folder.gallop("--generate-completion-script", "zsh")
    #expect(zsh.lines.count { $0.contains("'*:files:_files'") } == 6)
    #expect(zsh.lines.contains { $0.contains("{--output,-o}") && $0.contains(":output:_files'") })
    let fish = try await folder.gallop("--generate-completion-script", "fish")
    for command in ["info", "decode", "play", "bench decode", "bench playback"] {
      #expect(
        fish.lines.contains { $0.contains("positional \"gallop \(command)\" -ge 1'") && $0.hasSuffix(" -F") })
    }
    #expect(fish.lines.contains { $0.contains("-l 'output'") && $0.hasSuffix("-rF") })
  }
}

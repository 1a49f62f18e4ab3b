import Testing

/// Wrong usage of every command, and help.
@Suite("Usage", .serialized, .timeLimit(.minutes(20)))
struct UsageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.gif", "b.gif"] { try folder.write(Fixture.finite.bytes, to: name) }
  }

  private static let wrong: [String] = [
    "unknown", "--unknown", "info", "info --unknown a.gif", "info --json=yes a.gif", "decode",
    "decode --unknown a.gif", "decode --format", "decode --format bmp a.gif", "decode --frames x a.gif",
    "decode --frames 2..<1 a.gif", "decode --frames 1..<1 a.gif", "decode --frames -0 a.gif",
    "decode --frames 1..2 a.gif",
    "decode --frames 0, a.gif", "decode --size 2x2 --fit 2x2 a.gif", "decode --fit 50% a.gif",
    "decode -o {nam}.png a.gif",
    "play --range 0,2 a.gif",
    "decode --frames 1..<x a.gif", "decode --frames ..<2 a.gif", "decode --frames 1234567890 a.gif",
    "decode --output film.mp4 a.gif", "decode --format png --output film.mp4 a.gif",
    "decode --output a.d a.gif",
    "decode --output f%03d.png a.gif b.gif", "decode --compression 10 a.gif",
    "decode --background nocolor a.gif",
    "decode --size 0% a.gif", "decode --size x a.gif", "decode --size 3x4x5 a.gif",
    "decode --frames 2-1 a.gif",
    "info - -", "info --range 3-1 a.gif", "info --piece-bytes 2G a.gif", "decode --max-bytes 1X a.gif",
    "decode --output", "decode --jobs 0 a.gif", "decode --jobs x a.gif",
    "decode --format rgba --output one.rgba a.gif b.gif",
    "decode --format bgra --output one.bgra a.gif b.gif", "decode --output one.png a.gif b.gif",
    "decode --frames 0 --force --output one.PNG a.gif b.gif",
    "decode --format y4m --output one.y4m a.gif b.gif",
    "decode --format y4m --output - a.gif b.gif", "decode --format y4m --max-video-bytes 0 a.gif",
    "decode --format webp --output - a.gif b.gif", "decode --output one.webp a.gif b.gif",
    "decode --fps 5 a.gif", "decode --fps 0 -o a.webp a.gif", "decode --fps inf -o a.webp a.gif",
    "decode --lossy 75 a.gif", "decode --lossy 101 -o a.webp a.gif", "decode --lossy nan -o a.webp a.gif",
    "decode --format sheet --output one.png a.gif b.gif", "play", "play --unknown a.gif",
    "play --headless --terminal a.gif", "play --headless --columns 3 a.gif", "play --headless --debug a.gif",
    "play --terminal --columns 0 a.gif", "play --terminal --window-size 9x9 a.gif", "play --keep-open a.gif",
    "play --terminal --resize-mode fill a.gif", "play --events --terminal a.gif", "play --speed 0 a.gif",
    "play --speed 0.01 a.gif", "play --speed 21 a.gif", "play --speed nan a.gif", "play --speed x a.gif",
    "play --mode sideways a.gif", "play --range 3..<2 a.gif", "play --loops -1 a.gif", "play --loops x a.gif",
    "play --loops 99999999999999999999 a.gif", "play --seconds 0 a.gif", "play --seconds -1 a.gif",
    "play --seconds inf a.gif", "play --seconds nan a.gif", "bench unknown", "bench decode",
    "bench decode --unknown a.gif", "bench decode --repeat 0 a.gif", "bench decode --repeat x a.gif",
    "bench decode --jobs 0 a.gif",
    "bench playback", "bench playback --unknown a.gif", "bench playback --count 0 a.gif",
    "info --plot plot.jpg a.gif", "info --plot plot a.gif", "info --plot plot.svg a.gif b.gif", "info --plot",
    "bench playback --count 1,0 a.gif", "bench playback --count 1, a.gif", "bench playback --count , a.gif",
    "bench playback --until-saturated --count 4 a.gif", "bench playback --svg chart.png a.gif",
    "bench playback --count 100001 a.gif", "bench playback --seconds 0 a.gif",
    "bench playback --seconds nan a.gif", "bench playback --budget 0 a.gif",
    "bench playback --tile 65535x65535 a.gif", "bench playback --tile 5793x5793 a.gif",
    "bench playback --until-saturated --tile 65535x600 a.gif",
    "bench playback --tile 5000x5000 --count 1,100 a.gif",
    "bench playback --tile 5792x5792 a.gif a.gif a.gif a.gif a.gif a.gif a.gif a.gif a.gif",
    "play --headless --graphics kitty a.gif", "play --window --graphics symbols a.gif",
    "edit a.gif", "edit -o c.webp a.gif", "edit --every -2 -o c.gif a.gif", "edit --rate -1 -o c.gif a.gif",
    "edit --loop -1 -o c.gif a.gif", "edit --comment= -o c.gif a.gif", "info --sort flashes a.gif",
    "info --format {flashes} a.gif", "info --flashes --rate -1 a.gif", "info --flashes --size -5x5 a.gif",
    "bench playback --budget 64Q a.gif", "bench playback --budget 99999999999G a.gif",
  ]

  @Test("Wrong usage ends with status 64 and says how it is right", arguments: wrong)
  func wrongUsage(command: String) async throws {
    let before = try folder.names()
    let run = try await folder.gallop(command.split(separator: " ").map(String.init))
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("Error: "))
    #expect(run.errors.contains("Usage: gallop"))
    #expect(try folder.names() == before)
  }

  @Test(
    "The usage of the command concerned is shown",
    arguments: ["info", "decode", "play", "compare", "bench decode"])
  func usageOfCommand(command: String) async throws {
    let run = try await folder.gallop(
      command.split(separator: " ").map(String.init) + ["--unknown", "a.gif"])
    #expect(run.errors.contains("Usage: gallop \(command) "))
  }

  @Test(
    "A command or option that is not known comes with what may be meant",
    arguments: [
      ("ifno a.gif", "Did you mean 'info'?"), ("convert a.gif", "Did you mean 'decode'?"),
      ("help inof", "Did you mean 'info'?"),
      ("missing.gif", "neither a command nor a file"), ("zzzz", "The commands are info, decode, play, "),
      ("decode --scale 2 a.gif", "Did you mean '--size'?"),
      ("play --loop 3 a.gif", "Did you mean '--loops'?"),
      ("--loop 3 a.gif", "Did you mean '--loops'?"), ("info --josn a.gif", "Did you mean '--json'?"),
      ("decode --json a.gif", "It is an option of gallop info"),
      ("info --zzz a.gif", "Unknown option '--zzz'\n"),
      ("edit --every -2 -o c.gif a.gif", "--every takes 1 or more."),
      ("edit -o c.webp a.gif", "edit writes GIFs: --output names a file of another format, .webp."),
      ("info --format {flashes} a.gif", "--format prints {flashes} with --flashes only."),
      ("decode -o film.mp4 a.gif", "--format y4m -o - | ffmpeg -i - film.mp4"),
      ("decode --format png -o b/film.webm a.gif", "--format y4m -o - | ffmpeg -i - b/film.webm"),
    ])
  func suggestions(command: String, expected: String) async throws {
    let run = try await folder.gallop(command.split(separator: " ").map(String.init))
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.contains(expected), "\(run.errors)")
  }

  @Test(
    "Without a command, a file is played",
    arguments: [
      ["a.gif"], ["--headless", "a.gif"], ["./a.gif", "--speed", "20"], ["--speed", "20", "a.gif"],
    ])
  func shorthand(arguments: [String]) async throws {
    let run = try await folder.gallop(
      arguments
        + ["--loops", "1", "--events", "--headless"].filter {
          !arguments.contains($0)
        })
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("\"event\":\"finished\""))
  }

  @Test("A command wins over a file of its name")
  func commandName() async throws {
    try folder.write(Fixture.finite.bytes, to: "info")
    let run = try await folder.gallop("info", "info")
    #expect(run.status == 0 && run.lines.first == "info" && run.lines.contains("  canvas    2 x 2"))
  }

  @Test("The manual page is written by the tool, and man can show it")
  func manual() async throws {
    let run = try await folder.gallop("help", "--man")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.text.hasPrefix(".TH GALLOP 1 "))
    for section in ["NAME", "INFO", "BENCH PLAYBACK", "EXIT STATUS", "EXAMPLES"] {
      #expect(run.lines.contains(".SH \(section)"))
    }
  }

  @Test("Help begins with the usage and ends with limits", arguments: ["info", "decode", "play"])
  func order(command: String) async throws {
    let lines = try await folder.gallop(command, "--help").lines
    let titles = lines.filter { $0.hasSuffix(":") && $0 == $0.uppercased() || $0.hasPrefix("USAGE:") }
    let places = ["ARGUMENTS:", "OPTIONS:", "READING:", "LIMITS:"].map { titles.firstIndex(of: $0) ?? -1 }
    #expect(titles.first?.hasPrefix("USAGE:") == true)
    #expect(places.allSatisfy { $0 > 0 } && places == places.sorted())
  }

  @Test(
    "Help goes to standard output",
    arguments: ["", "info", "decode", "play", "compare", "bench", "bench decode", "bench playback"])
  func help(command: String) async throws {
    let run = try await folder.gallop(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.text.contains(command.isEmpty ? "USAGE: gallop" : "USAGE: gallop \(command) "))
  }
}

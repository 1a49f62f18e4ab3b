/// The examples with which the help of a command begins.
enum UsageExamples {
  static let all: [(command: String, examples: [(line: String, meaning: String)])] = [
    (
      "gallop info",
      [
        ("gallop info film.gif", "a table"),
        ("gallop info --frames film.gif", "with a line for each frame"),
        ("gallop info --json *.gif", "a line of JSON for each file"),
        ("gallop info -r --sort bytes --format '{bytes} {path}' .", "a list by size"),
      ]
    ),
    (
      "gallop decode",
      [
        ("gallop decode film.gif -o frames/", "every frame as PNG"),
        ("gallop decode film.gif --frames 10-19 --size 320x", "some frames, smaller"),
        ("gallop decode film.gif -o film.y4m", "a video for other programs"),
        ("gallop decode film.gif --fit 320x --lossy 75 -o film.webp", "a small animated WebP"),
        ("gallop decode film.gif --format sheet", "all frames in one picture"),
      ]
    ),
    (
      "gallop play",
      [
        ("gallop play film.gif", "in the terminal"),
        ("gallop play --window *.gif", "a wall in a window"),
        ("gallop play --speed 0.5 --loops 3 film.gif", "slowly, three times"),
        ("gallop play --one-by-one -r pictures", "all GIFs below a folder, one after another"),
        ("gallop play --headless --events film.gif", "each event as a line of JSON"),
      ]
    ),
    (
      "gallop edit",
      [
        ("gallop edit film.gif --frames 120-180 -o cut.gif", "some frames"),
        ("gallop edit film.gif --frames 1.5s-3s,30-20 -o cut.gif", "by time, and backwards"),
        ("gallop edit film.gif --bounce --loop forever -o swing.gif", "forwards and backwards"),
        ("gallop edit a.gif b.gif -o joined.gif", "one behind the other"),
        ("gallop edit film.gif --rate 2 --strip --dry-run", "what would become of it"),
      ]
    ),
    (
      "gallop compare",
      [
        ("gallop compare a.gif b.gif", "what differs"),
        ("gallop compare --tolerance 3 a.gif b.gif", "channels may differ by 3"),
      ]
    ),
    (
      "gallop bench decode",
      [
        ("gallop bench decode *.gif", "the time of each file"),
        ("gallop bench decode --jobs 4 film.gif", "with threads"),
      ]
    ),
    (
      "gallop bench playback",
      [
        ("gallop bench playback --count 64 --seconds 5 *.gif", "64 players"),
        ("gallop bench playback --until-saturated *.gif", "how many can play"),
      ]
    ),
  ]

  /// The section for the command of a usage line; nil for others.
  static func section(for usage: some StringProtocol) -> String? {
    guard let found = all.first(where: { usage.hasPrefix($0.command + " [") }) else { return nil }
    let width = found.examples.map(\.line.count).max() ?? 0
    let lines = found.examples.map { example in
      "  " + example.line + String(repeating: " ", count: width - example.line.count + 3) + example.meaning
    }
    return "EXAMPLES:\n" + lines.joined(separator: "\n")
  }
}

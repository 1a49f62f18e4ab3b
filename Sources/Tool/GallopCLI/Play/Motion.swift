internal import Glibc

/// What makes a GIF on a display play.
enum PlayTrigger: String, CaseIterable {
  case start, click, hover
}

/// Whether GIFs play by themselves.
enum Motion: String {
  case full, reduced

  /// The setting of GTK's desktops: reduced if animations are off.
  static var desktop: Motion {
    guard let folder = configurationFolder else { return .full }
    for version in ["gtk-4.0", "gtk-3.0"] {
      guard let text = read(folder + "/\(version)/settings.ini"), let motion = Motion(settings: text) else {
        continue
      }
      return motion
    }
    return .full
  }

  /// The setting in the text of a GTK settings file; nil if it has none.
  init?(settings text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      guard words.count == 2, words[0] == "gtk-enable-animations" else { continue }
      self = ["0", "false", "no"].contains(words[1].lowercased()) ? .reduced : .full
      return
    }
    return nil
  }

  private static var configurationFolder: String? {
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder }
    return variable("HOME").map { $0 + "/.config" }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The first 64 KiB of a file; nil if it cannot be read at once.
  private static func read(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}

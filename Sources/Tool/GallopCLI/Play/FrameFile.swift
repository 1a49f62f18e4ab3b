internal import GIFStage
internal import Gallop
internal import Glibc

/// Files of a window: the size of a GIF before it is loaded, and frames saved as PNG.
enum FrameFile {
  /// The size in the header of a local GIF; nil for what is no regular file or has no such header.
  static func size(of argument: String) -> PixelSize? {
    guard let source = try? GIFSource(argument), case .file(let path) = source.kind else { return nil }
    var status = stat()
    // A pipe must not lose the bytes that are read here.
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 10)
    let count = unsafe header.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    guard count == header.count, header.starts(with: "GIF8".utf8) else { return nil }
    return PixelSize(
      width: Int(header[6]) | Int(header[7]) << 8, height: Int(header[8]) | Int(header[9]) << 8)
  }

  /// Saves a frame in the current folder under a new name; returns the message for the user.
  static func save(_ image: GIFImage, frame: Int, of argument: String) -> String {
    let number = String(frame)
    let zeros = String(repeating: "0", count: max(0, 4 - number.count))
    let stem = OutputFile.baseName(of: argument)
    do {
      var renderer = try FrameRenderer(image)
      let png = try renderer.frame(at: frame).pixels.pngBytes()
      let name = unusedName(stem, frame: "-\(zeros)\(number)") { OutputFile.exists($0) }
      try OutputFile.write(to: name, force: false) { try $0.write(png) }
      return "saved \(name)"
    } catch let error as CommandFailure {
      return error.reason
    } catch {
      return "frame \(FrameText.number(frame)) cannot be saved: \(error)"
    }
  }

  /// The first of `STEM-0007.png`, `STEM-0007-2.png`, and so on that is not taken.
  ///
  /// - Parameters:
  ///   - stem: what the name begins with, shortened where the whole would be too long.
  ///   - frame: the part of the name that tells the frame.
  static func unusedName(_ stem: String, frame: String, isTaken: (String) -> Bool) -> String {
    var suffix = frame + ".png"
    var number = 2
    while true {
      let name = OutputNames.shortened(stem, to: OutputNames.nameBytes - suffix.utf8.count) + suffix
      guard isTaken(name), number < 10_000 else { return name }
      suffix = "\(frame)-\(number).png"
      number += 1
    }
  }
}

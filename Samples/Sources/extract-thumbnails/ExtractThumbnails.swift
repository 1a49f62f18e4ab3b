internal import Gallop
internal import Glibc

/// Writes a thumbnail for each of many untrusted files, and prints a row for each, usable or not.
///
///     swift run -c release extract-thumbnails OUTPUT-FOLDER FILE...
///
/// Thumbnails are PAM files, which ImageMagick, GIMP and ffmpeg read. Exit status 0 if every file has its row
/// and every thumbnail is written, however many files are refused.
@main
struct ExtractThumbnails {
  /// Frames that are tried for one without damage.
  private static let triedFrames = 8
  private static let square = PixelSize(width: 96, height: 96)

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first, arguments.count > 1 else {
      print("usage: extract-thumbnails OUTPUT-FOLDER FILE...")
      exit(64)
    }
    let paths = Array(arguments.dropFirst())
    let thumbnails = BatchResults(of: paths) { path, isCancelled in
      Result { () throws(GIFLoadingError) in try thumbnail(of: path, isCancelled: isCancelled) }
    }
    var (number, written, unwritten) = (0, 0, 0)
    for await outcome in thumbnails {
      print(outcome.row(of: paths[number]))
      if case .success(let thumbnail) = outcome {
        if thumbnail.write(to: "\(folder)/\(number).pam") { written += 1 } else { unwritten += 1 }
      }
      number += 1
    }
    print("\(paths.count) files: \(written) thumbnails, \(paths.count - written - unwritten) refused")
    if unwritten > 0 {
      print("\(unwritten) thumbnails cannot be written to \(folder)")
      exit(1)
    }
  }

  private static func thumbnail(
    of path: String, isCancelled: @escaping @Sendable () -> Bool
  ) throws(GIFLoadingError) -> Thumbnail {
    let image = try GIFImage(contentsOfFile: path, limits: .untrusted)
    do throws(GIFError) {
      return Thumbnail(frame: try firstSoundFrame(of: image, isCancelled: isCancelled), image: image)
    } catch {
      throw GIFLoadingError(.unusableFile, source: path, underlying: error)
    }
  }

  /// The first frame without damage, or the first frame if each has some.
  private static func firstSoundFrame(
    of image: GIFImage, isCancelled: @escaping @Sendable () -> Bool
  ) throws(GIFError) -> Frame {
    var renderer = try FrameRenderer(image, size: square.map(image.size.fitting), checkpoints: .none)
    let first = try renderer.frame(at: 0, isCancelled: isCancelled)
    for index in image.frames.indices.prefix(triedFrames) where first.status != .complete {
      let frame = try renderer.frame(at: index, isCancelled: isCancelled)
      if frame.status == .complete { return frame }
    }
    return first
  }
}

private struct Thumbnail: Sendable {
  let frame: Frame
  let image: GIFImage

  /// Writes the pixels as PAM: a header of text, then RGBA bytes.
  func write(to path: String) -> Bool {
    let pixels = frame.pixels
    guard let file = fopen(path, "wb") else { return false }
    let size = "WIDTH \(pixels.width)\nHEIGHT \(pixels.height)\nDEPTH 4\nMAXVAL 255"
    let head = "P7\n\(size)\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    var isWritten = fputs(head, file) >= 0
    pixels.withUnsafeBytes { bytes in
      isWritten = fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count && isWritten
    }
    return fclose(file) == 0 && isWritten
  }
}

extension Result<Thumbnail, GIFLoadingError> {
  /// What the file is, or why it cannot be used: the code for programs, the sentence for people.
  fileprivate func row(of path: String) -> String {
    switch self {
    case .success(let thumbnail):
      let (image, pixels) = (thumbnail.image, thumbnail.frame.pixels)
      let faults = image.diagnostics.isEmpty ? "sound" : "\(image.diagnostics.count) faults"
      return "\(thumbnail.frame.status)  \(image.width)x\(image.height) to \(pixels.width)x\(pixels.height), "
        + "frame \(thumbnail.frame.index) of \(image.frameCount), \(faults): \(path)"
    case .failure(let error):
      // The decoder's code says more than that a file is unusable.
      return "refused  \(error.underlying?.code.rawValue ?? error.code.rawValue): \(error)"
    }
  }
}

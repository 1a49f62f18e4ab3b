internal import GIFLoading
internal import Gallop
internal import Glibc

/// The header of a GIF that is not loaded yet: a window opens at its size.
enum GIFHeader {
  /// The size in the header of a local GIF; nil for what is no regular file or has no such header.
  static func size(of argument: String) -> PixelSize? {
    guard let source = try? GIFSource(argument), case .file(let path) = source.kind else { return nil }
    var status = stat()
    // A pipe must not lose the bytes that are read here.
    let name = NameText.system(path)
    guard unsafe stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 10)
    let count = unsafe header.withUnsafeMutableBytes {
      unsafe try? FileReading.read(descriptor, at: 0, into: $0)
    }
    guard count == header.count, header.starts(with: "GIF8".utf8) else { return nil }
    return PixelSize(
      width: Int(header[6]) | Int(header[7]) << 8, height: Int(header[8]) | Int(header[9]) << 8)
  }
}

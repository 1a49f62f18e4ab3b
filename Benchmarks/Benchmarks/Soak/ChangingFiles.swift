import Gallop
import Glibc
import Measuring

/// What a file may hold: a GIF that is large enough to stay on disk, and what its pictures look like.
struct FileContent: Sendable {
  let bytes: [UInt8]
  /// A number for each picture at the size at which it is shown.
  let pictures: [UInt64]

  static let size = PixelSize(width: 96, height: 64)
  /// More than is read into memory.
  private static let leastBytes = 3 << 19

  /// The frames of a sample again and again, in colours of their own; nil where the file cannot be continued
  /// so.
  init?(sample path: String, variant: UInt8) throws(GIFError) {
    var sample = fileBytes(path)
    guard try GIFImage(bytes: sample).metadata.isComplete, sample.last == 0x3B, sample[10] & 0x80 != 0 else {
      return nil
    }
    sample.removeLast()
    let header = 13 + 3 * (2 << Int(sample[10] & 7))
    for place in 13..<header { sample[place] ^= variant }
    var bytes = sample
    while bytes.count < Self.leastBytes { bytes += sample[header...] }
    bytes.append(0x3B)
    let image = try GIFImage(bytes: bytes)
    guard image.frameCount > 2 else { return nil }
    var renderer = try FrameRenderer(image, size: Self.size)
    var pictures: [UInt64] = []
    for frame in 0..<image.frameCount { pictures.append(Self.number(of: try renderer.frame(at: frame))) }
    self.bytes = bytes
    self.pictures = pictures
  }

  /// FNV-1a over the pixels.
  static func number(of frame: Frame) -> UInt64 {
    let pixels = frame.pixels.span
    var number: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in pixels.indices { number = (number ^ UInt64(pixels[place])) &* 0x100_0000_01B3 }
    return number
  }
}

/// Files in a folder of their own, which one thread changes in all the ways in which programs do.
final class ChangingFiles {
  let contents: [FileContent]
  let count: Int
  /// What each file holds, or the beginning of it.
  private(set) var held: [Int]
  private var lengths: [Int]
  private let folder: String
  private(set) var changes = 0

  init(_ contents: [FileContent], count: Int) {
    self.contents = contents
    self.count = count
    held = (0..<count).map { $0 % contents.count }
    lengths = Array(repeating: 0, count: count)
    var template = Array("/tmp/gallop-soak-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { stop("soak: no folder can be made") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for file in 0..<count { restore(file) }
  }

  /// Removes the files.
  func remove() {
    for file in 0..<count { unlink(path(file)) }
    rmdir(folder)
  }

  func path(_ file: Int) -> String { "\(folder)/\(file).gif" }

  func restore(_ file: Int) { write(contents[held[file]].bytes[...], to: path(file), of: file) }

  func change(_ file: Int, using random: inout Dice) {
    changes += 1
    let other = Int.random(in: 0..<contents.count, using: &random)
    let bytes = contents[other].bytes
    let length = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      held[file] = other
      write(bytes.prefix(length), to: path(file), of: file)
    case 1:
      lengths[file] = min(lengths[file], length)
      truncate(path(file), lengths[file])
    case 2:
      unlink(path(file))
      restore(file)
    case 3:
      held[file] = other
      write(bytes[...], to: path(file) + ".new", of: file)
      rename(path(file) + ".new", path(file))
    // Behind a beginning it would be part of a frame.
    case 4 where lengths[file] == contents[held[file]].bytes.count:
      write(bytes.prefix(1000), to: path(file), of: file, flags: O_APPEND)
      lengths[file] = contents[held[file]].bytes.count + 1000
    case 5:
      held[file] = other
      // Over the old bytes, and cut only then.
      write(bytes[...], to: path(file), of: file, flags: 0)
      truncate(path(file), bytes.count)
    default:
      held[file] = other
      write(bytes[...], to: path(file), of: file)
    }
  }

  /// Writes piece by piece, so that others read in between.
  private func write(_ bytes: ArraySlice<UInt8>, to path: String, of file: Int, flags: Int32 = O_TRUNC) {
    lengths[file] = bytes.count
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
    guard descriptor >= 0 else { stop("soak: \(path) cannot be written") }
    defer { close(descriptor) }
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.prefix(1 << 16).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { stop("soak: \(path) cannot be written: \(errno)") }
      rest = rest.dropFirst(written)
      sched_yield()
    }
  }
}

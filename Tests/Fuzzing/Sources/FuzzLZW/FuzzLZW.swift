import FuzzSupport
import Gallop

@main enum FuzzLZW {
  static func main() { unsafe runFuzzer(fuzzLZW) }
}

/// Code streams: a GIF of one frame is wrapped around the data, so that nothing but the LZW decoder is tried.
///
/// The same codes are read in sub-blocks of two sizes, which must not make any difference; and a status of
/// complete must mean that every pixel has come.
private func fuzzLZW(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start: start, count: count)
  let codeSize = UInt8(input.takeNumber() % 13)
  let width = input.takeNumber() % 64 + 1
  let height = input.takeNumber() + 1
  let blockSize = max(1, input.takeNumber())
  let codes = input.bytes
  func wrapped(_ size: Int) -> [UInt8] {
    file(width: width, height: height, codeSize: codeSize, codes: codes, blockSize: size)
  }
  do {
    let one = try picture(of: wrapped(255))
    let other = try picture(of: wrapped(blockSize))
    check(one == other, "sub-blocks of 255 and of \(blockSize) bytes differ")
    // Every index has an opaque colour, so a complete frame leaves nothing free.
    check(one.status != .complete || one.words.allSatisfy { $0 >> 24 == 0xFF }, "complete, with holes")
    check(one.status != .truncated && one.status != .blank, "neither cut off nor built on anything")
  } catch {
    fatalError("\(error)")
  }
  return 0
}

private struct Picture: Equatable {
  var status: FrameStatus
  var words: [UInt32]
}

private func picture(of bytes: [UInt8]) throws(GIFError) -> Picture {
  var renderer = try FrameRenderer(GIFImage(bytes: bytes, limits: .fuzzing))
  let frame = try renderer.frame(at: 0)
  let span = frame.pixels.span
  return Picture(status: frame.status, words: span.indices.map { span[$0] })
}

/// A file of one frame without any palette: all black.
private func file(width: Int, height: Int, codeSize: UInt8, codes: [UInt8], blockSize: Int) -> [UInt8] {
  let size = [width, height].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  var bytes = Array("GIF89a".utf8) + size + [0, 0, 0] + [0x2C, 0, 0, 0, 0] + size + [0, codeSize]
  var start = 0
  while start < codes.count {
    let end = min(codes.count, start + blockSize)
    bytes.append(UInt8(end - start))
    bytes += codes[start..<end]
    start = end
  }
  return bytes + [0, 0x3B]
}

import FuzzSupport
import Gallop

@main enum FuzzEdit {
  static func main() { unsafe runFuzzer(fuzzEdit) }
}

/// An edit that the data choose: what is written shows what was chosen, for the time that was chosen, and
/// opens without a diagnostic.
///
/// The editor's own check must find nothing, whatever the files. Frames, delays and plays are worked out here
/// once more, and pictures compared where the canvas stays as it is: the check proves copies by their bytes.
private func fuzzEdit(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start: start, count: count)
  let numbers = input.takeNumbers(20)
  guard let images = images(in: input.bytes, numbers[16]) else { return 0 }
  let edit = edit(of: images, numbers)
  do throws(GIFEditError) {
    let editor = try GIFEditor(images, edit)
    var bytes: [UInt8] = []
    while let part = try editor.next() { bytes += part }
    let output: GIFImage
    do throws(GIFError) {
      output = try GIFImage(bytes: bytes, limits: GIFEditor.outputLimits(.fuzzing))
    } catch {
      check(false, "the output: \(error)")
      return 0
    }
    check(output.diagnostics.isEmpty, "the output has \(output.diagnostics)")
    try editor.check(output)
    compare(output, with: expectedFrames(of: images, edit), of: images, edit)
  } catch {
    check(error.code != .notExact, "\(error)")
  }
  return 0
}

/// The files in the input: one, the same twice, the two that stand in it one behind the other, or one and a
/// small one of the fuzzer's own.
private func images(in bytes: [UInt8], _ number: Int) -> [GIFImage]? {
  let head = Array("GIF8".utf8)
  let second = bytes.indices.dropFirst().first { bytes[$0...].starts(with: head) }
  let files =
    switch number % 4 {
    case 1: [bytes, bytes]
    case 2: second.map { [Array(bytes[..<$0]), Array(bytes[$0...])] } ?? [bytes]
    case 3: [bytes, small]
    default: [bytes]
    }
  let images = files.compactMap { try? GIFImage(bytes: $0, limits: .fuzzing) }
  return images.count == files.count && images.allSatisfy { $0.frameCount > 0 } ? images : nil
}

/// Two frames of 2 x 2 pixels: red for 50 ms, then blue in a corner for a time that browsers lengthen.
private let small: [UInt8] =
  Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
  + [0x21, 0xF9, 4, 4, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 4] + [0x04, 0x41, 0x10, 0x05, 0]
  + [0x21, 0xF9, 4, 8, 1, 0, 0, 0, 0x2C, 1, 0, 1, 0, 1, 0, 1, 0, 0, 2, 2] + [0x4C, 0x01, 0, 0x3B]

private func edit(of images: [GIFImage], _ numbers: [Int]) -> GIFEdit {
  var edit = GIFEdit()
  let count = images.reduce(0) { $0 + $1.frameCount }
  if numbers[1] % 4 == 2 {
    edit.frames = Array(numbers[2] % count..<count)
  } else if numbers[1] % 2 == 1 {
    edit.frames = numbers[2..<8].prefix(1 + numbers[1] / 2 % 6).map { $0 % count }
  }
  edit.skipsFailedFrames = numbers[8] % 2 == 1
  edit.step = 1 + numbers[8] / 2 % 3
  edit.order = [.forward, .reversed, .bounced][numbers[9] % 3]
  edit.mergesStills = numbers[9] / 3 % 2 == 1
  edit.makesSmaller = numbers[9] / 6 % 2 == 1
  var canvas = images[0].size
  if numbers[17] % 4 == 1 || images.contains(where: { $0.size != canvas }) {
    let (width, height) = (1 + numbers[17] / 4 + numbers[12] % 8, 1 + numbers[11] % 64)
    canvas = PixelSize(width: width, height: height) ?? canvas
    edit.canvas = canvas
  }
  if numbers[10] % 2 == 1 {
    let (left, top) = (numbers[11] % canvas.width, numbers[12] % canvas.height)
    edit.crop = PixelRect(
      x: left, y: top, width: 1 + numbers[13] % (canvas.width - left),
      height: 1 + numbers[14] % (canvas.height - top))
  }
  edit.flipsHorizontally = numbers[10] / 2 % 2 == 1
  edit.flipsVertically = numbers[10] / 4 % 2 == 1
  edit.quarterTurns = numbers[10] / 8 % 4
  edit.rate = [1, 2, 0.25, 1000, 0.1][numbers[15] % 5]
  if numbers[15] / 5 % 4 == 1 { edit.delay = .milliseconds(20 + 10 * numbers[14]) }
  if numbers[15] / 20 % 4 == 1 { edit.lastDelay = .milliseconds(20 + 2560 * numbers[13]) }
  edit.loopCount = [nil, .forever, .plays(1), .plays(2 + 257 * numbers[18] / 4)][numbers[18] % 4]
  edit.stripsMetadata = numbers[19] % 2 == 1
  if numbers[19] / 2 % 3 == 1 { edit.comment = String(repeating: "c", count: numbers[19] * 5) }
  return edit
}

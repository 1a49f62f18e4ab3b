import FuzzSupport
import Gallop

@main enum FuzzEdit {
  static func main() { unsafe runFuzzer(fuzzEdit) }
}

/// An edit that the data choose: what is written shows what was chosen, and opens without a diagnostic.
///
/// The editor's own check must find nothing, whatever the file. Where frames are only chosen, the pictures
/// are compared here once more: the check proves copies by their bytes.
private func fuzzEdit(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start: start, count: count)
  let numbers = input.takeNumbers(16)
  guard let image = try? GIFImage(bytes: input.bytes, limits: .fuzzing), image.frameCount > 0
  else { return 0 }
  let edit = edit(of: image, numbers)
  do throws(GIFEditError) {
    let editor = try GIFEditor(Array(repeating: image, count: 1 + numbers[0] % 2), edit)
    var bytes: [UInt8] = []
    while let part = try editor.next() { bytes += part }
    let output: GIFImage
    do throws(GIFError) {
      output = try GIFImage(bytes: bytes, limits: GIFEditor.outputLimits(.fuzzing))
    } catch {
      check(error.code == .tooManyDecodedBytes || error.code == .canvasTooLarge, "the output: \(error)")
      return 0
    }
    check(output.diagnostics.isEmpty, "the output has \(output.diagnostics)")
    try editor.check(output)
    let frames = plainFrames(of: image, edit, copies: 1 + numbers[0] % 2)
    if let frames, frames.count == output.frameCount {
      comparePictures(of: output, with: image, frames)
    }
  } catch {
    check(error.code != .notExact, "\(error)")
  }
  return 0
}

/// The frames that an edit shows which only chooses some; nil for others.
private func plainFrames(of image: GIFImage, _ edit: GIFEdit, copies: Int) -> [Int]? {
  guard !edit.skipsFailedFrames, edit.step == 1, edit.order == .forward, !edit.mergesStills, edit.crop == nil,
    !edit.flipsHorizontally, !edit.flipsVertically, edit.quarterTurns == 0
  else { return nil }
  return edit.frames ?? Array(repeating: Array(0..<image.frameCount), count: copies).flatMap { $0 }
}

private func comparePictures(of output: GIFImage, with image: GIFImage, _ frames: [Int]) {
  guard var shown = try? FrameRenderer(output), var source = try? FrameRenderer(image) else { return }
  for (place, frame) in frames.enumerated() {
    guard let own = try? shown.frame(at: place), let wanted = try? source.frame(at: frame) else { return }
    guard wanted.status == .complete else { continue }
    let isSame = (0..<wanted.pixels.span.count).allSatisfy { own.pixels.span[$0] == wanted.pixels.span[$0] }
    check(isSame, "frame \(place) of the output shows something else than frame \(frame)")
  }
}

private func edit(of image: GIFImage, _ numbers: [Int]) -> GIFEdit {
  var edit = GIFEdit()
  if numbers[1] % 4 == 2 {
    edit.frames = Array(numbers[2] % image.frameCount..<image.frameCount)
  } else if numbers[1] % 2 == 1 {
    edit.frames = numbers[2..<8].prefix(1 + numbers[1] / 2 % 6).map { $0 % image.frameCount }
  }
  edit.skipsFailedFrames = numbers[8] % 2 == 1
  edit.step = 1 + numbers[8] / 2 % 3
  edit.order = [.forward, .reversed, .bounced][numbers[9] % 3]
  edit.mergesStills = numbers[9] / 3 % 2 == 1
  edit.makesSmaller = numbers[9] / 6 % 2 == 1
  if numbers[10] % 2 == 1 {
    let (left, top) = (numbers[11] % image.width, numbers[12] % image.height)
    edit.crop = PixelRect(
      x: left, y: top, width: 1 + numbers[13] % (image.width - left),
      height: 1 + numbers[14] % (image.height - top))
  }
  edit.flipsHorizontally = numbers[10] / 2 % 2 == 1
  edit.flipsVertically = numbers[10] / 4 % 2 == 1
  edit.quarterTurns = numbers[10] / 8 % 4
  edit.rate = [1, 2, 0.25, 1000][numbers[15] % 4]
  return edit
}

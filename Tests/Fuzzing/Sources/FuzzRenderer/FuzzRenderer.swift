import FuzzSupport
import Gallop

@main enum FuzzRenderer {
  static func main() { unsafe runFuzzer(fuzzRenderer) }
}

/// All frames in order, and then in an order and with checkpoints chosen by the data: the pictures must be
/// the same, under both policies for damage, at the canvas's size or another that the data choose.
private func fuzzRenderer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start: start, count: count)
  let order = input.takeNumbers(12)
  let interval = input.takeNumber() % 8
  let canvases = Int64(input.takeNumber() % 8)
  let (width, height) = (input.takeNumber() % 80, input.takeNumber() % 80)
  // None where either is 0.
  let size = PixelSize(width: width, height: height)
  guard var image = try? GIFImage(bytes: input.bytes, limits: .fuzzing), image.frameCount > 0
  else { return 0 }
  for policy in DamagePolicy.allCases {
    image.damagePolicy = policy
    do {
      let expected = try picturesInOrder(of: image, size: size)
      let checkpoints = CheckpointPolicy(
        interval: interval, byteLimit: canvases * Int64(image.width) * Int64(image.height) * 4)
      var renderer = try FrameRenderer(image, size: size, checkpoints: checkpoints)
      for number in order {
        let index = number % image.frameCount
        let frame = try renderer.frame(at: index)
        check(frame.status == expected[index].status, "status of frame \(index), \(policy)")
        check(isEqual(frame, expected[index]), "picture of frame \(index), \(policy)")
      }
    } catch {
      check(error.code == .canvasTooLarge || error.code == .tooManyDecodedBytes, "\(error)")
    }
  }
  return 0
}

import FuzzSupport
import Gallop

@main enum FuzzGrowth {
  static func main() { unsafe runFuzzer(fuzzGrowth) }
}

/// A file that arrives in pieces, while commands chosen by the data take the image so far and draw frames of
/// it with one renderer. Frames that are whole show what they show in the file read at once, and so do all of
/// them at the end.
private func fuzzGrowth(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start: start, count: count)
  let sizes = input.takeNumbers(4)
  let commands = input.takeNumbers(24).map(Command.init)
  let options = input.takeNumber()
  let interval = input.takeNumber() % 8
  let size = PixelSize(width: input.takeNumber() % 80, height: input.takeNumber() % 80)
  let policy = DamagePolicy.allCases[options % DamagePolicy.allCases.count]
  let growth = Growth(
    file: input.bytes, size: size, policy: policy,
    checkpoints: {
      CheckpointPolicy(
        interval: interval, byteLimit: Int64(options / 32) * Int64($0.width) * Int64($0.height) * 4)
    })
  growth.run(pieces: input.pieces(sizes), commands: commands)
  return 0
}

/// What is done after a piece has come.
private struct Command {
  enum Kind: Int { case wait, look, draw, drawAndKeep, drawAll, beyond, again, otherPolicy }

  let kind: Kind
  let frame: Int

  init(_ number: Int) {
    kind = Kind(rawValue: number & 7) ?? .wait
    frame = number >> 3
  }
}

private struct Growth {
  let file: [UInt8]
  let size: PixelSize?
  let policy: DamagePolicy
  let checkpoints: (GIFImage) -> CheckpointPolicy
  private let whole: Facts
  /// The file read at once, where it can be, and its pictures, where they can be drawn.
  private let image: GIFImage?
  private let pictures: [Frame]?

  init(
    file: [UInt8], size: PixelSize?, policy: DamagePolicy,
    checkpoints: @escaping (GIFImage) -> CheckpointPolicy
  ) {
    (self.file, self.size, self.policy, self.checkpoints) = (file, size, policy, checkpoints)
    whole = Facts { () throws(GIFError) in try GIFImage(bytes: file, limits: .fuzzing) }
    var image = try? GIFImage(bytes: file, limits: .fuzzing)
    image?.damagePolicy = policy
    self.image = image
    pictures = image.flatMap { try? picturesInOrder(of: $0, size: size) }
  }

  func run(pieces: [[UInt8]], commands: [Command]) {
    var stream = GIFStream(limits: .fuzzing)
    var renderer: FrameRenderer?
    let streamed: GIFImage
    // Not behind each of thousands of small pieces, so that no input takes long.
    let interval = max(1, pieces.count / 48)
    do throws(GIFError) {
      for (number, piece) in pieces.enumerated() {
        try stream.append(piece)
        guard number.isMultiple(of: interval) else { continue }
        let command = commands[number / interval % commands.count]
        guard command.kind != .wait, let image = try stream.image else { continue }
        carryOut(command, on: image, with: &renderer)
      }
      streamed = try stream.finish()
    } catch {
      return check(error == whole.error, "in pieces: \(error), at once: \(whole)")
    }
    check(
      Facts { () throws(GIFError) in streamed } == whole, "the file in pieces differs from the file at once")
    finish(streamed, commands, with: &renderer)
  }

  /// Draws all frames, first in the order that the commands give.
  private func finish(_ streamed: GIFImage, _ commands: [Command], with renderer: inout FrameRenderer?) {
    guard streamed.frameCount > 0 else { return }
    for command in commands { draw(command.frame % streamed.frameCount, of: streamed, with: &renderer) }
    for index in 0..<streamed.frameCount { draw(index, of: streamed, with: &renderer) }
    check((renderer != nil) == (pictures != nil), "only one of the two can be drawn")
  }

  private func carryOut(_ command: Command, on image: GIFImage, with renderer: inout FrameRenderer?) {
    guard image.frameCount > 0 else { return }
    let frame = command.frame % image.frameCount
    switch command.kind {
    case .wait, .look: break
    case .draw: draw(frame, of: image, with: &renderer)
    case .drawAndKeep:
      draw(frame, of: image, with: &renderer)
      draw(image.frameCount - 1, of: image, with: &renderer)
    case .drawAll:
      for index in 0..<image.frameCount { draw(index, of: image, with: &renderer) }
    case .beyond:
      let found = failure { () throws(GIFError) in try renderer?.render(image.frameCount + frame) }
      check(
        renderer == nil || found?.code == .noSuchFrame || found?.code == .noFrames,
        "a frame that is not there is drawn")
    case .again: renderer = nil
    case .otherPolicy:
      var other = image
      other.damagePolicy = policy == .chromium ? DamagePolicy.allCases.last ?? policy : .chromium
      _ = failure { () throws(GIFError) in
        try renderer?.update(to: other)
        try renderer?.render(frame)
      }
    }
  }

  private func draw(_ index: Int, of image: GIFImage, with renderer: inout FrameRenderer?) {
    var image = image
    image.damagePolicy = policy
    do throws(GIFError) {
      if renderer == nil {
        renderer = try FrameRenderer(image, size: size, checkpoints: checkpoints(image))
      } else {
        try renderer?.update(to: image)
      }
      guard let frame = try renderer?.frame(at: index) else { return }
      compare(frame, of: image)
    } catch {
      check(error.code == .canvasTooLarge || error.code == .tooManyDecodedBytes, "\(error)")
      renderer = nil
    }
  }

  /// A frame that is in the file as it is in the image so far shows what it shows there.
  private func compare(_ frame: Frame, of image: GIFImage) {
    guard let whole = self.image, let pictures, whole.width == image.width, whole.height == image.height
    else { return }
    let info = image.frames[frame.index]
    guard whole.frames.indices.contains(frame.index), whole.frames[frame.index] == info else { return }
    let expected = pictures[frame.index]
    check(
      frame.status == expected.status,
      "status of frame \(frame.index) of \(image.frameCount): \(frame.status), not \(expected.status)")
    check(isEqual(frame, expected), "picture of frame \(frame.index) of \(image.frameCount)")
  }

  private func failure(_ body: () throws(GIFError) -> Void) -> GIFError? {
    do throws(GIFError) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}

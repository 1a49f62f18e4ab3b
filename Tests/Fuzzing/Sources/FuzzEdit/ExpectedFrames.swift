import FuzzSupport
import Gallop

/// A frame of an output as it has to be.
struct ExpectedFrame {
  var image: Int
  var frame: Int
  /// As browsers play it.
  var centiseconds: Int
}

/// The frames that an edit shows, worked out by a plain program; nil where the files' pictures decide.
func expectedFrames(of images: [GIFImage], _ edit: GIFEdit) -> [ExpectedFrame]? {
  guard !edit.skipsFailedFrames, !edit.mergesStills else { return nil }
  var all: [ExpectedFrame] = []
  for (image, file) in images.enumerated() {
    for (frame, info) in file.frames.enumerated() {
      all.append(
        ExpectedFrame(image: image, frame: frame, centiseconds: centiseconds(info.delay())))
    }
  }
  var frames = edit.frames.map { $0.map { all[$0] } } ?? all
  frames = stride(from: 0, to: frames.count, by: edit.step).map { start in
    var frame = frames[start]
    for left in frames[start..<min(start + edit.step, frames.count)].dropFirst() {
      frame.centiseconds += left.centiseconds
    }
    return frame
  }
  switch edit.order {
  case .forward: break
  case .reversed: frames.reverse()
  case .bounced: frames += frames.dropFirst().dropLast().reversed()
  }
  changeDelays(of: &frames, edit)
  return frames.flatMap(parts)
}

private func centiseconds(_ delay: Duration) -> Int { Int((delay / .milliseconds(10)).rounded()) }

private func changeDelays(of frames: inout [ExpectedFrame], _ edit: GIFEdit) {
  // Of what is left over by rounding the next frame gets its share.
  var rest = 0.0
  for place in frames.indices {
    if let delay = edit.lastDelay, place == frames.count - 1 {
      frames[place].centiseconds = centiseconds(delay)
    } else if let delay = edit.delay {
      frames[place].centiseconds = centiseconds(delay)
    } else if edit.rate != 1 {
      let wanted = Double(frames[place].centiseconds) / edit.rate + rest
      let given = max(2, wanted.rounded())
      rest = abs(wanted - given) > 0.5 ? 0 : wanted - given
      frames[place].centiseconds = Int(given)
    }
  }
}

/// A frame as several, where its time is too long for one.
private func parts(of frame: ExpectedFrame) -> [ExpectedFrame] {
  var (parts, rest) = ([ExpectedFrame](), frame.centiseconds)
  while rest > 65_535 {
    let part = min(65_535, rest - 2)
    parts.append(ExpectedFrame(image: frame.image, frame: frame.frame, centiseconds: part))
    rest -= part
  }
  return parts + [ExpectedFrame(image: frame.image, frame: frame.frame, centiseconds: rest)]
}

/// Compares an output with the frames that it has to have; without these, only its plays.
func compare(
  _ output: GIFImage, with frames: [ExpectedFrame]?, of images: [GIFImage], _ edit: GIFEdit
) {
  check(output.loopCount == edit.loopCount ?? images[0].loopCount, "plays: \(output.loopCount)")
  guard let frames else { return }
  check(output.frameCount == frames.count, "\(output.frameCount) frames instead of \(frames.count)")
  for (place, (own, wanted)) in zip(output.frames, frames).enumerated() {
    let delay = centiseconds(own.delay())
    check(delay == wanted.centiseconds, "frame \(place): \(delay) instead of \(wanted.centiseconds)")
  }
  guard edit.canvas ?? images[0].size == images[0].size, images.allSatisfy({ $0.size == images[0].size }),
    edit.crop == nil, !edit.flipsHorizontally, !edit.flipsVertically, edit.quarterTurns == 0
  else { return }
  let sources = images.map { try? picturesInOrder(of: $0, size: nil) }
  guard let shown = try? picturesInOrder(of: output, size: nil) else { return }
  for (place, (own, wanted)) in zip(shown, frames).enumerated() {
    guard let picture = sources[wanted.image]?[wanted.frame], picture.status == .complete else { continue }
    check(isEqual(own, picture), "frame \(place) shows something else than \(wanted)")
  }
}

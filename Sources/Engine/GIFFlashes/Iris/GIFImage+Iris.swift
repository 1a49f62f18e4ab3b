package import GIFDecoding

extension GIFImage {
  /// The verdict of IRIS for each frame of one play, with browsers' delays.
  ///
  /// - Throws: as ``flashes(_:isCancelled:)``.
  package func irisVerdicts() throws(GIFError) -> [IrisVerdict] {
    var judge = IrisJudge()
    var verdicts: [IrisVerdict] = []
    var time = 0
    var pictures = IrisPictures()
    var renderer = try FrameRenderer(self, checkpoints: .none)
    for frame in frames {
      let status = try renderer.render(frame.index)
      let canvas = renderer.canvasPixels
      let (luminance, red) = pictures.take(
        canvas.indices.map { Backdrop.white.shown(status == .blank ? 0 : canvas[$0]) })
      verdicts.append(judge.take(luminance: luminance, red: red, at: time))
      time += frame.delayMilliseconds()
    }
    return verdicts
  }
}

/// The verdict of IRIS on one frame.
package typealias IrisVerdict = IrisJudge.Verdict

/// What IRIS measures in pictures that follow one another.
private struct IrisPictures {
  private let measures = ColorMeasures.shared
  private var luminances: [Float] = []
  private var reds: [Float] = []

  mutating func take(_ pixels: [UInt32]) -> (luminance: IrisJudge.Measure, red: IrisJudge.Measure) {
    let nextLuminances = pixels.map { Float(measures.luminance($0)) / Float(ColorMeasures.white) }
    let nextReds = pixels.map(measures.redExcess)
    defer { (luminances, reds) = (nextLuminances, nextReds) }
    return (Self.measure(nextLuminances, luminances), Self.measure(nextReds, reds))
  }

  private static func measure(_ next: [Float], _ former: [Float]) -> IrisJudge.Measure {
    let sum = next.reduce(0.0) { $0 + Double($1) }
    let changed = zip(next, former).count { $0 != $1 }
    return IrisJudge.Measure(
      mean: Float(sum / Double(max(1, next.count))), changedShare: Float(changed) / Float(max(1, next.count)))
  }
}

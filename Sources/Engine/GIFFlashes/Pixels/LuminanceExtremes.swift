/// The peaks and valleys of each sample's luminance, as they come.
///
/// A change counts when the luminance is a tenth of white's away from the last peak or valley, at whatever
/// speed, and the darker of both states is below 0.8.
struct LuminanceExtremes: Sendable {
  fileprivate enum Direction: UInt8 { case unknown, up, down }

  /// Of one sample.
  fileprivate struct State {
    /// The luminances between which nothing happens. Going up, `upper` is the peak so far; going down, `lower`
    /// is the valley so far; before the first change both are the extremes so far.
    var (lower, upper): (Int32, Int32)
    var direction = Direction.unknown
  }

  private var states: [State] = []

  /// The first picture.
  mutating func begin(_ luminances: [Int32]) { states = luminances.map { State(lower: $0, upper: $0) } }

  /// Whether there was a picture.
  var hasBegun: Bool { !states.isEmpty }

  /// Takes a picture, and notes the samples that became lighter or darker in a way that counts.
  mutating func take(
    _ picture: SampledPicture, _ measures: ColorMeasures, noting changes: inout SampleChanges
  ) {
    var states = self.states.mutableSpan
    let pixels = picture.pixels.span
    var place = 0
    for run in picture.runs {
      for sample in run.start..<run.start + run.count {
        let luminance = measures.luminance(pixels[place])
        place += 1
        if luminance < states[sample].lower || luminance > states[sample].upper {
          changes.note(states[sample].leaveBand(to: luminance), sample)
        }
      }
    }
  }
}

extension LuminanceExtremes.State {
  /// Takes a luminance outside of the band.
  ///
  /// - Returns: above 0 where the sample became lighter, below 0 where it became darker, in a way that counts.
  fileprivate mutating func leaveBand(to luminance: Int32) -> Int {
    switch (direction, luminance > upper) {
    case (.unknown, true):
      upper = luminance
      return luminance - lower >= ColorMeasures.change ? turnUp(at: luminance) : 0
    case (.unknown, false):
      lower = luminance
      return upper - luminance >= ColorMeasures.change ? turnDown(at: luminance) : 0
    case (.up, true):
      setPeak(luminance)
      return 0
    case (.up, false): return turnDown(at: luminance)
    case (.down, true): return turnUp(at: luminance)
    case (.down, false):
      let former = lower
      setValley(luminance)
      // So far the darker state was too light.
      return former >= ColorMeasures.dark && luminance < ColorMeasures.dark ? -1 : 0
    }
  }

  /// `lower` is the valley.
  private mutating func turnUp(at luminance: Int32) -> Int {
    let valley = lower
    direction = .up
    setPeak(luminance)
    return valley < ColorMeasures.dark ? 1 : 0
  }

  private mutating func turnDown(at luminance: Int32) -> Int {
    direction = .down
    setValley(luminance)
    return luminance < ColorMeasures.dark ? -1 : 0
  }

  private mutating func setPeak(_ luminance: Int32) {
    (lower, upper) = (luminance - ColorMeasures.change + 1, luminance)
  }

  private mutating func setValley(_ luminance: Int32) {
    (lower, upper) = (luminance, luminance + ColorMeasures.change - 1)
  }
}

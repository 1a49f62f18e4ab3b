internal import GIFCaching
internal import GIFDecoding

/// The debug overlay: cache and delays of the selected image, lateness and memory over time, and counters.
final class DebugOverlay: View {
  private static let width = 320
  private static let margin = 12
  /// Milliseconds of a refresh at 60 Hz: the longest wait of a picture for the screen.
  private static let refresh = 16.7

  private var subject = OverlaySubject()
  private var recorder = StatisticsRecorder()

  /// Moves to the upper right corner of an area.
  func place(in area: PixelRect) {
    let width = min(area.width, Self.width * scale)
    let height = min(area.height, DebugLayout.height * scale)
    let margin = min(Self.margin * scale, max(0, (area.width - width) / 2))
    frame = PixelRect(
      x: area.maxX - width - margin, y: area.y + min(margin, max(0, area.height - height)), width: width,
      height: height)
  }

  /// - Parameter isNewSample: whether the graphs and counters have changed, too.
  func show(_ subject: OverlaySubject, recorder: StatisticsRecorder, isNewSample: Bool) {
    let hasMoved = subject.playhead != self.subject.playhead
    self.subject = subject
    self.recorder = recorder
    if isNewSample {
      invalidate()
    } else if hasMoved {
      let layout = DebugLayout(width: frame.width, scale: scale)
      invalidate(layout.title)
      invalidate(layout.cacheMap)
      invalidate(layout.delays)
    }
  }

  override func draw(on surface: inout Surface) {
    let layout = DebugLayout(width: frame.width, scale: scale)
    surface.fillRounded(bounds, radius: 6 * scale, Theme.ground.withAlpha(238))
    drawTitle(on: &surface, in: layout.title)
    label("cache", on: &surface, above: layout.cacheMap, value: heatText)
    CacheMapGraph(tiers: subject.tiers, playhead: subject.playhead).draw(
      on: &surface, in: layout.cacheMap, scale: scale)
    label("delays", on: &surface, above: layout.delays, value: delayText)
    BarGraph(values: subject.delays.map(Double.init), marked: subject.playhead, color: Theme.line)
      .draw(on: &surface, in: layout.delays, scale: scale)
    let worst = NumberFormat.decimal(recorder.worstLateness.peak, places: 1)
    label("lateness", on: &surface, above: layout.lateness, value: "worst \(worst) ms")
    BarGraph(
      values: recorder.worstLateness.values, capacity: StatisticsRecorder.sampleCount, least: Self.refresh,
      color: Theme.good, alarm: Self.refresh * 1.25
    ).draw(on: &surface, in: layout.lateness, scale: scale)
    let memory = NumberFormat.bytes(Int64(recorder.memory.last))
    let held = NumberFormat.bytes(Int64(recorder.resident.last))
    label("memory", on: &surface, above: layout.memory, value: "\(memory), \(held) pictures")
    LineGraph(upper: recorder.memory, lower: recorder.resident).draw(
      on: &surface, in: layout.memory, scale: scale)
    drawCounters(on: &surface, in: layout.counters)
  }

  private func drawTitle(on surface: inout Surface, in rect: PixelRect) {
    let place = subject.playhead.map { "\($0 + 1)/\(subject.delays.count)" } ?? ""
    let width = BitmapFont.width(of: place, size: scale)
    surface.draw(place, x: rect.maxX - width, y: rect.y, size: scale, Theme.text)
    let size = subject.decoded == subject.canvas ? subject.canvas : "\(subject.canvas) > \(subject.decoded)"
    let name = "\(subject.name)  \(size)"
    surface.draw(
      BitmapFont.fitted(name, width: rect.width - width - 12 * scale, size: scale), x: rect.x, y: rect.y,
      size: scale, Theme.text)
  }

  private var heatText: String {
    let hot = subject.tiers.count { $0 == .hot }
    let warm = subject.tiers.count { $0 == .warm }
    return "\(hot) hot, \(warm) warm of \(subject.tiers.count)"
  }

  private var delayText: String {
    guard let least = subject.delays.min(), let most = subject.delays.max() else { return "" }
    return least == most ? "\(least) ms each" : "\(least) - \(most) ms"
  }

  private func label(_ name: String, on surface: inout Surface, above rect: PixelRect, value: String) {
    let y = rect.y - 11 * scale
    surface.draw(name, x: rect.x, y: y, size: scale, Theme.faintText)
    let width = BitmapFont.width(of: value, size: scale)
    surface.draw(value, x: rect.maxX - width, y: y, size: scale, Theme.faintText)
  }

  private func drawCounters(on surface: inout Surface, in rect: PixelRect) {
    let totals = recorder.totals
    let p50 = NumberFormat.decimal(recorder.lateness.percentile(0.5), places: 1)
    let p99 = NumberFormat.decimal(recorder.lateness.percentile(0.99), places: 1)
    let counters = [
      ("players", "\(totals.playing)/\(totals.players)"), ("frames/s", "\(recorder.framesPerSecond)"),
      ("shown", "\(recorder.shownFrames)"), ("skipped", "\(recorder.skippedFrames)"),
      ("decoded", "\(totals.decodedFrames)"), ("misses", "\(totals.misses)"),
      ("p50 ms", p50), ("p99 ms", p99),
      ("held", "\(totals.residentFrames)"), ("ticks/s", "\(recorder.ticksPerSecond)"),
    ]
    let column = (rect.width - 16 * scale) / 2
    for (index, counter) in counters.enumerated() {
      let x = rect.x + index % 2 * (column + 16 * scale)
      let y = rect.y + index / 2 * 12 * scale
      surface.draw(counter.0, x: x, y: y, size: scale, Theme.faintText)
      let width = BitmapFont.width(of: counter.1, size: scale)
      let isBad = counter.0 == "skipped" && recorder.skippedFrames > 0
      surface.draw(
        counter.1, x: x + column - width, y: y, size: scale, isBad ? Theme.bad : Theme.text)
    }
  }
}

/// The layout of the overlay. Pure.
struct DebugLayout: Sendable, Hashable {
  /// At scale 1.
  static let height = 326

  let title: PixelRect
  let cacheMap: PixelRect
  let delays: PixelRect
  let lateness: PixelRect
  let memory: PixelRect
  let counters: PixelRect

  init(width: Int, scale: Int) {
    let left = 12 * scale
    let inner = max(0, width - 2 * left)
    func part(_ top: Int, _ height: Int) -> PixelRect {
      PixelRect(x: left, y: top * scale, width: inner, height: height * scale)
    }
    title = part(12, 8)
    cacheMap = part(42, 36)
    delays = part(98, 36)
    lateness = part(154, 36)
    memory = part(210, 36)
    counters = part(260, 60)
  }
}

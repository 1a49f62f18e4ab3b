internal import GIFCaching
internal import GIFDecoding

/// The debug overlay: cache and delays of the selected image, lateness and memory over time, and counters.
final class DebugOverlay: View {
  private static let width = 320
  private static let margin = 12

  private var statistics = SceneStatistics()

  /// Whether it stands beside the images instead of over them.
  private var isDocked = false

  /// Takes the right side of an area if the images keep at least as much, otherwise covers its corner.
  ///
  /// - Returns: the area that remains for the images.
  func place(in area: PixelRect) -> PixelRect {
    let width = min(area.width, Self.width * scale)
    isDocked = area.width >= 2 * width && area.width >= 2 * Self.width * scale
    if isDocked {
      frame = PixelRect(x: area.maxX - width, y: area.y, width: width, height: area.height)
      return PixelRect(x: area.x, y: area.y, width: area.width - width, height: area.height)
    }
    let height = min(area.height, DebugLayout.height * scale)
    let margin = min(Self.margin * scale, max(0, (area.width - width) / 2))
    frame = PixelRect(
      x: area.maxX - width - margin, y: area.y + min(margin, max(0, area.height - height)), width: width,
      height: height)
    return area
  }

  /// - Parameter isNewSample: whether the graphs and counters have changed, too.
  func show(_ statistics: SceneStatistics, isNewSample: Bool) {
    let hasMoved = statistics.subject.playhead != self.statistics.subject.playhead
    self.statistics = statistics
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
    if isDocked {
      surface.fill(bounds, Theme.ground)
      surface.fill(PixelRect(x: 0, y: 0, width: scale, height: frame.height), Theme.raised)
    } else {
      surface.fillRounded(bounds, radius: 6 * scale, Theme.ground.withAlpha(238))
    }
    let (subject, recorder) = (statistics.subject, statistics.recorder)
    drawTitle(on: &surface, in: layout.title)
    label("cache", on: &surface, above: layout.cacheMap, value: statistics.cache)
    CacheMapGraph(tiers: subject.tiers, playhead: subject.playhead).draw(
      on: &surface, in: layout.cacheMap, scale: scale)
    drawLegend(on: &surface, in: layout.legend)
    label("delays", on: &surface, above: layout.delays, value: statistics.delays)
    BarGraph(values: subject.delays.map(Double.init), marked: subject.playhead, color: Theme.line)
      .draw(on: &surface, in: layout.delays, scale: scale)
    label("lateness", on: &surface, above: layout.lateness, value: statistics.lateness)
    let refresh = StatisticsRecorder.refresh
    BarGraph(
      values: recorder.worstLateness.values, capacity: StatisticsRecorder.sampleCount, least: refresh,
      color: Theme.good, alarm: refresh * 1.25
    ).draw(on: &surface, in: layout.lateness, scale: scale)
    label("memory", on: &surface, above: layout.memory, value: statistics.memory)
    LineGraph(upper: recorder.memory, lower: recorder.resident).draw(
      on: &surface, in: layout.memory, scale: scale)
    drawCounters(on: &surface, in: layout.counters)
  }

  private func drawTitle(on surface: inout Surface, in rect: PixelRect) {
    let text = text
    let place = statistics.place ?? ""
    text.draw(place, on: &surface, endingAt: rect.maxX, y: rect.y, Theme.text)
    let room = rect.width - text.width(of: place) - 12 * scale
    let name = text.truncated("\(statistics.subject.name)  \(statistics.size)", width: room)
    text.draw(name, on: &surface, x: rect.x, y: rect.y, Theme.text)
  }

  /// A square of each colour of the cache map, with its meaning.
  private func drawLegend(on surface: inout Surface, in rect: PixelRect) {
    let text = text
    let side = 8 * scale
    var x = rect.x
    for (tier, name) in [
      (CacheMap.Tier.hot, "hot"), (.warm, "warm"), (.cold, "cold"), (.inFlight, "decoding"),
    ] {
      let square = PixelRect(x: x, y: rect.y + (text.height - side) / 2, width: side, height: side)
      surface.fill(square, CacheMapGraph.color(tier))
      text.draw(name, on: &surface, x: x + side + 4 * scale, y: rect.y, Theme.faintText)
      x += side + 4 * scale + text.width(of: name) + 12 * scale
    }
  }

  private func label(_ name: String, on surface: inout Surface, above rect: PixelRect, value: String) {
    let text = text
    let y = rect.y - text.height - 5 * scale
    text.draw(name, on: &surface, x: rect.x, y: y, Theme.faintText)
    let room = rect.width - text.width(of: name) - 8 * scale
    text.draw(
      text.truncated(value, width: room), on: &surface, endingAt: rect.maxX, y: y, Theme.faintText)
  }

  private func drawCounters(on surface: inout Surface, in rect: PixelRect) {
    let pitch = 16 * scale
    draw(statistics.budget, on: &surface, x: rect.x, y: rect.y, width: rect.width)
    let column = (rect.width - 16 * scale) / 2
    for (index, counter) in statistics.counters(updates: "ticks").enumerated() {
      draw(
        counter, on: &surface, x: rect.x + index % 2 * (column + 16 * scale),
        y: rect.y + (index / 2 + 1) * pitch, width: column)
    }
  }

  private func draw(
    _ counter: SceneStatistics.Counter, on surface: inout Surface, x: Int, y: Int, width: Int
  ) {
    let text = text
    text.draw(counter.name, on: &surface, x: x, y: y, Theme.faintText)
    text.draw(counter.value, on: &surface, endingAt: x + width, y: y, counter.isBad ? Theme.bad : Theme.text)
  }
}

/// The layout of the overlay.
struct DebugLayout: Sendable, Hashable {
  /// At scale 1.
  static let height = 394

  let title: PixelRect
  let cacheMap: PixelRect
  let legend: PixelRect
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
    title = part(10, 14)
    cacheMap = part(46, 36)
    legend = part(87, 12)
    delays = part(122, 36)
    lateness = part(180, 36)
    memory = part(238, 36)
    counters = part(290, 98)
  }
}

internal import GIFCaching
internal import GIFDecoding

/// A map of the cache: a cell for each frame, coloured by its tier, and the playhead.
///
/// The cells stand above the bars of a ``BarGraph`` of as many values if there is room, otherwise in rows of
/// squares.
struct CacheMapGraph {
  let tiers: [CacheMap.Tier]
  let playhead: Int?

  func draw(on surface: inout Surface, in rect: PixelRect, scale: Int) {
    guard !tiers.isEmpty, !rect.isEmpty else { return }
    if tiers.count <= rect.width / (4 * scale) {
      for (index, state) in tiers.enumerated() {
        let (left, right) = (index * rect.width / tiers.count, (index + 1) * rect.width / tiers.count)
        let cell = PixelRect(x: rect.x + left, y: rect.y, width: right - left - scale, height: rect.height)
        surface.fill(cell, index == playhead ? Theme.text : Self.color(state))
      }
      return
    }
    let grid = Self.grid(count: tiers.count, width: rect.width, height: rect.height, most: 10 * scale)
    let gap = grid.pitch > 3 * scale ? scale : 0
    for (index, state) in tiers.enumerated() {
      let cell = PixelRect(
        x: rect.x + index % grid.columns * grid.pitch, y: rect.y + index / grid.columns * grid.pitch,
        width: grid.pitch - gap, height: grid.pitch - gap)
      guard cell.maxY <= rect.maxY else { return }
      let isPlayhead = index == playhead
      surface.fill(cell, isPlayhead ? Theme.text : Self.color(state))
    }
  }

  static func color(_ tier: CacheMap.Tier) -> Color {
    switch tier {
    case .hot: Theme.accent
    case .warm: Theme.warm
    case .cold: Theme.raised
    case .inFlight: Theme.good
    }
  }

  /// The largest pitch at which all squares fit, at most `most`, and the squares in a row.
  static func grid(count: Int, width: Int, height: Int, most: Int) -> (columns: Int, pitch: Int) {
    for pitch in stride(from: max(1, most), to: 1, by: -1) {
      let columns = max(1, width / pitch)
      if (count + columns - 1) / columns <= height / pitch { return (columns, pitch) }
    }
    return (max(1, width), 1)
  }
}

/// A bar for each value, from the left.
struct BarGraph {
  var values: [Double]
  /// The number of values that fill the width, the newest at the right; nil for all values.
  var capacity: Int?
  /// The smallest value for the full height.
  var least = 1.0
  var marked: Int?
  var color: Color
  /// Values above this are drawn in the alarm colour.
  var alarm = Double.infinity

  init(
    values: [Double], capacity: Int? = nil, least: Double = 1, marked: Int? = nil, color: Color,
    alarm: Double = .infinity
  ) {
    self.values = values
    self.capacity = capacity
    self.least = least
    self.marked = marked
    self.color = color
    self.alarm = alarm
  }

  func draw(on surface: inout Surface, in rect: PixelRect, scale: Int) {
    surface.fill(rect, Theme.panel)
    let count = capacity ?? values.count
    let top = max(least, values.max() ?? 0)
    guard count > 0, rect.width > 0 else { return }
    let first = count - values.count
    for (index, value) in values.enumerated() {
      let left = (first + index) * rect.width / count
      let right = max(left + 1, (first + index + 1) * rect.width / count)
      let gap = right - left > 3 * scale ? scale : 0
      let height = value > 0 ? max(scale, Int(Double(rect.height) * min(1, value / top))) : 0
      let bar = PixelRect(
        x: rect.x + left, y: rect.maxY - height, width: right - left - gap, height: height)
      surface.fill(bar, index == marked ? Theme.text : value > alarm ? Theme.bad : color)
    }
  }
}

/// Two quantities over time, drawn over each other.
struct LineGraph {
  let upper: History
  let lower: History

  func draw(on surface: inout Surface, in rect: PixelRect, scale: Int) {
    BarGraph(values: upper.values, capacity: upper.capacity, least: 1, color: Theme.line).draw(
      on: &surface, in: rect, scale: scale)
    let top = max(1, upper.peak, lower.peak)
    let first = lower.capacity - lower.values.count
    for (index, value) in lower.values.enumerated() {
      let left = (first + index) * rect.width / lower.capacity
      let right = max(left + 1, (first + index + 1) * rect.width / lower.capacity)
      let height = Int(Double(rect.height) * min(1, value / top))
      surface.fill(
        PixelRect(x: rect.x + left, y: rect.maxY - height, width: right - left, height: height),
        Theme.accent)
    }
  }
}

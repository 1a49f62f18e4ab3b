internal import GIFStage

/// Series of bars over the same positions, one above the other, each with an axis of its own.
struct BarChart {
  struct Series {
    /// What the bars are, with the unit.
    var title: String
    /// One for each position; what is no positive number has no bar.
    var values: [Double]
    var color: Color
    /// Positions whose bars have the alarm colour.
    var alarms: Set<Int> = []
    /// A value marked by a line, such as a limit.
    var mark: Double?
  }

  var title: String
  /// Below the title; empty for none.
  var subtitle = ""
  /// Under the axis: what the positions are.
  var axisTitle: String
  /// One for each position, drawn where there is room.
  var labels: [String]
  var series: [Series]

  static let width = 1200
  private static let panelHeight = 230
  private static let margin = 24
  private static let axisWidth = 120
  /// The space between a panel's bars and the next panel's: labels below, a title above.
  private static let panelGap = 96
  /// Where bars are, from the left.
  private static var plot: Range<Int> { axisWidth..<width - margin }

  /// Positions that have a bar of their own at the most; a chart of more is to be grouped first.
  static var mostBars: Int { plot.count / 2 }

  /// The chart as shapes.
  var drawing: ChartDrawing {
    let pitch = Self.panelHeight + Self.panelGap
    var top = Self.margin + ChartDrawing.letterHeight
    var heading = [headline(title, y: top, Theme.text)]
    if !subtitle.isEmpty {
      top += 2 * ChartDrawing.letterHeight
      heading.append(headline(subtitle, y: top, Theme.faintText))
    }
    top += 60
    var drawing = ChartDrawing(
      width: Self.width, height: top + series.count * pitch, shapes: heading)
    for (index, series) in series.enumerated() {
      addPanel(series, from: top + index * pitch, isLast: index == self.series.count - 1, to: &drawing)
    }
    return drawing
  }

  private func headline(_ text: String, y: Int, _ color: Color) -> ChartDrawing.Shape {
    let room = (Self.width - 2 * Self.margin) / ChartDrawing.letterWidth
    let line = BitmapFont.truncated(text, width: room * BitmapFont.advance, size: 1)
    return .text(line, x: Self.margin, y: y, .start, color)
  }

  private func addPanel(_ series: Series, from top: Int, isLast: Bool, to drawing: inout ChartDrawing) {
    let bottom = top + Self.panelHeight
    let scale = AxisScale(largest: max(series.values.max() ?? 0, series.mark ?? 0), marks: 5)
    func height(_ value: Double) -> Int {
      Int((min(1, max(0, value / scale.end)) * Double(Self.panelHeight)).rounded())
    }
    drawing.shapes.append(.text(series.title, x: Self.axisWidth, y: top - 16, .start, Theme.faintText))
    for value in scale.values {
      let y = bottom - height(value)
      drawing.shapes.append(
        .bar(x: Self.plot.lowerBound, y: y, width: Self.plot.count, height: 1, Theme.line))
      drawing.shapes.append(
        .text(
          Self.text(value), x: Self.plot.lowerBound - 12, y: y + ChartDrawing.letterHeight / 2, .end,
          Theme.faintText))
    }
    for (index, value) in series.values.enumerated() where value.isFinite && value > 0 {
      let (x, width) = span(index)
      let gap = width > 4 ? max(1, width / 8) : 0
      // A value above 0 is at least one pixel high.
      let height = max(1, height(value))
      drawing.shapes.append(
        .bar(
          x: x, y: bottom - height, width: width - gap, height: height,
          series.alarms.contains(index) ? Theme.bad : series.color))
    }
    if let mark = series.mark {
      drawing.shapes.append(
        .bar(x: Self.plot.lowerBound, y: bottom - height(mark), width: Self.plot.count, height: 2, Theme.warm)
      )
    }
    addLabels(below: bottom, to: &drawing)
    if isLast {
      drawing.shapes.append(
        .text(
          axisTitle, x: Self.plot.lowerBound + Self.plot.count / 2,
          y: bottom + 24 + 2 * ChartDrawing.letterHeight,
          .middle, Theme.faintText))
    }
  }

  private func addLabels(below bottom: Int, to drawing: inout ChartDrawing) {
    let widest = labels.map(\.count).max() ?? 0
    let most = Self.plot.count / ((widest + 2) * ChartDrawing.letterWidth)
    let stride = AxisScale.stride(of: labels.count, most: most)
    for index in Swift.stride(from: 0, to: labels.count, by: stride) {
      let (x, width) = span(index)
      drawing.shapes.append(
        .text(
          labels[index], x: x + width / 2, y: bottom + 10 + ChartDrawing.letterHeight, .middle,
          Theme.faintText))
    }
  }

  /// Where the bar of a position begins, and its width with the gap behind it.
  private func span(_ index: Int) -> (x: Int, width: Int) {
    let count = max(1, labels.count)
    let left = index * Self.plot.count / count
    return (Self.plot.lowerBound + left, max(1, (index + 1) * Self.plot.count / count - left))
  }

  /// A number without needless decimals.
  private static func text(_ value: Double) -> String {
    let rounded = value.rounded(to: 6)
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

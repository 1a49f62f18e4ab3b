import GIFDecoding
import GIFStage
import GIFTestSupport
import Testing

@testable import GallopCLI

@Suite("Charts")
struct BarChartTests {
  private func chart(_ values: [Double], alarms: Set<Int> = [], mark: Double? = nil) -> BarChart {
    BarChart(
      title: "A title", axisTitle: "place", labels: values.indices.map { "\($0)" },
      series: [
        .init(title: "first", values: values, color: Theme.accent, alarms: alarms, mark: mark),
        .init(title: "second", values: values.map { $0 * 2 }, color: Theme.good),
      ])
  }

  private func bars(_ drawing: ChartDrawing, _ color: Color) -> [PixelRect] {
    drawing.shapes.compactMap {
      guard case .bar(let x, let y, let width, let height, color) = $0 else { return nil }
      return PixelRect(x: x, y: y, width: width, height: height)
    }
  }

  private func texts(_ drawing: ChartDrawing) -> [String] {
    drawing.shapes.compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } }
  }

  @Test("Bars stand side by side, as high as their values", arguments: [1, 2, 7, 100, BarChart.mostBars])
  func heights(count: Int) throws {
    let values = (0..<count).map { Double($0 % 10 + 1) }
    let drawing = chart(values).drawing
    let bars = bars(drawing, Theme.accent)
    #expect(bars.count == count)
    let unit = try #require(bars.first).height
    for (bar, value) in zip(bars, values) {
      #expect(abs(Double(bar.height) - Double(unit) * value) <= value / 2 + 1)
      #expect(bar.maxY == bars[0].maxY)
      #expect(bar.width >= 1)
    }
    for (bar, next) in zip(bars, bars.dropFirst()) { #expect(bar.maxX <= next.x) }
    #expect(
      bars.allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.maxX <= drawing.width && $0.maxY <= drawing.height })
  }

  @Test("Title, series, axis and marks are named")
  func words() {
    let texts = texts(chart([1, 2, 3]).drawing)
    for word in ["A title", "first", "second", "place", "0", "1", "2", "3", "6"] {
      #expect(texts.contains(word))
    }
    #expect(texts.count { $0 == "place" } == 1)
  }

  @Test("A line below the title moves everything else down")
  func subtitle() throws {
    let plain = chart([1, 2]).drawing
    var chart = chart([1, 2])
    chart.subtitle = "Below"
    let drawing = chart.drawing
    #expect(texts(drawing).prefix(2) == ["A title", "Below"])
    let moved = drawing.height - plain.height
    #expect(moved > 0)
    let (first, other) = (bars(plain, Theme.accent), bars(drawing, Theme.accent))
    #expect(zip(first, other).allSatisfy { $1.y == $0.y + moved && $1.x == $0.x })
  }

  @Test("What is no positive number has no bar, and does no harm")
  func oddValues() {
    let drawing = chart([0, -1, .nan, .infinity, 2, 1e-12]).drawing
    #expect(bars(drawing, Theme.accent).count == 2)
    #expect(chart([]).drawing.shapes.isEmpty == false)
  }

  @Test("Alarms and a mark are drawn in their colours")
  func alarms() throws {
    let drawing = chart([5, 5, 5], alarms: [1], mark: 20).drawing
    #expect(bars(drawing, Theme.accent).count == 2)
    #expect(bars(drawing, Theme.bad).count == 1)
    let mark = try #require(bars(drawing, Theme.warm).first)
    let bar = try #require(bars(drawing, Theme.accent).first)
    // The axis reaches the mark.
    #expect(mark.y < bar.y)
  }

  @Test("Long titles are cut, and labels do not run into each other")
  func narrow() {
    var chart = chart((0..<500).map(Double.init))
    chart.title = String(repeating: "long ", count: 100)
    let texts = texts(chart.drawing)
    #expect(texts[0].hasSuffix("..") && texts[0].count < 100)
    // Two rows of labels and the marks.
    #expect(texts.count < 80)
  }

  @Test("A GIF's chart shows effective delays and compressed sizes")
  func frames() throws {
    let chart = BarChart(of: try GIFImage(bytes: Fixture.finite.bytes), name: "a")
    #expect(chart.title == "a  2 x 2, 4 frames, 0.300 s")
    #expect(chart.labels == ["0", "1", "2", "3"])
    #expect(chart.axisTitle == "frame")
    #expect(chart.series.map(\.title) == ["delay, ms", "compressed size, bytes"])
    #expect(chart.series[0].values == [100, 30, 70, 100])
    #expect(chart.series[1].values.allSatisfy { (3...20).contains($0) })
  }

  @Test("More frames than bars are grouped, the largest counts")
  func grouped() throws {
    var delays = [Int](repeating: 2, count: 2000)
    delays[1999] = 50
    let chart = BarChart(of: try GIFImage(bytes: Fixture(delays: delays, loop: 0).bytes), name: "a")
    let bars = chart.series[0].values
    #expect(bars.count <= BarChart.mostBars && bars.count == chart.labels.count)
    #expect(bars.last == 500)
    #expect(bars.dropLast().allSatisfy { $0 == 20 })
    #expect(chart.axisTitle == "frame (each bar: the largest of 4)")
    #expect(chart.labels[1] == "4")
  }

  @Test("An animation without frames has an empty chart")
  func noFrames() throws {
    var gif = GIFWriter(width: 3, height: 3, palette: [0, 1])
    gif.trailer()
    let chart = BarChart(of: try GIFImage(bytes: gif.bytes), name: "none")
    #expect(chart.labels.isEmpty)
    #expect(!chart.drawing.shapes.isEmpty)
  }
}

internal import ArgumentParser
internal import GIFStage
internal import Gallop

/// A file that a chart is written to; its extension says how.
struct ChartFile: ExpressibleByArgument, Equatable {
  enum Format: String {
    case svg, png
  }

  let path: String
  let format: Format

  /// Nil where the path ends neither in `.svg` nor in `.png`.
  init?(argument: String) {
    guard let dot = argument.lastIndex(of: "."),
      let format = Format(rawValue: argument[argument.index(after: dot)...].lowercased())
    else { return nil }
    path = argument
    self.format = format
  }

  func write(_ chart: BarChart, force: Bool, keeping inputs: Set<FileIdentity> = []) throws {
    let drawing = chart.drawing
    try OutputFile.write(to: path, force: force, keeping: inputs) { target in
      switch format {
      case .svg: try target.write(Array(SVGWriter.text(drawing).utf8))
      case .png: try target.write(PNGEncoder.encode(Surface(drawing)))
      }
    }
  }
}

extension Surface {
  /// The chart with the bitmap font.
  init(_ drawing: ChartDrawing) {
    self.init(width: drawing.width, height: drawing.height)
    for shape in drawing.shapes {
      switch shape {
      case .bar(let x, let y, let width, let height, let color):
        fill(PixelRect(x: x, y: y, width: width, height: height), color)
      case .text(let text, let x, let y, let alignment, let color):
        let width = BitmapFont.width(of: text, size: ChartDrawing.textSize)
        let left =
          switch alignment {
          case .start: x
          case .middle: x - width / 2
          case .end: x - width
          }
        draw(text, x: left, y: y - ChartDrawing.letterHeight, size: ChartDrawing.textSize, color)
      }
    }
  }
}

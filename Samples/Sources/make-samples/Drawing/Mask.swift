/// How much of each pixel something covers, from 0 to 1.
struct Mask {
  let width: Int
  let height: Int
  var values: [Float]

  /// Makes a mask that covers nothing.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = Array(repeating: 0, count: width * height)
  }

  /// Makes the mask of a path.
  ///
  /// Each row is cut along several lines; along a line the coverage is exact, so upright edges are smoother
  /// than the number of lines lets expect.
  init(_ path: Path, width: Int, height: Int) {
    self.init(width: width, height: height)
    let lines = Mask.crossings(of: path, rows: height)
    for (line, crossings) in lines.enumerated() where !crossings.isEmpty {
      let row = line / Mask.linesPerRow
      var (winding, start) = (0, 0.0)
      for crossing in crossings.sorted(by: { $0.x < $1.x }) {
        if winding == 0 { start = crossing.x }
        winding += crossing.winding
        if winding == 0 { addSpan(from: start, to: crossing.x, row: row) }
      }
    }
  }

  private typealias Crossing = (x: Double, winding: Int)

  private static let linesPerRow = 6

  /// For each line, where the edges of the path cross it.
  private static func crossings(of path: Path, rows: Int) -> [[Crossing]] {
    var lines = [[Crossing]](repeating: [], count: rows * linesPerRow)
    let scale = Double(linesPerRow)
    for polygon in path.polygons {
      for (index, first) in polygon.enumerated() {
        let second = polygon[(index + 1) % polygon.count]
        let (upper, lower) = first.y < second.y ? (first, second) : (second, first)
        // Line n lies at (n + 0.5) / scale; an edge owns its upper end but not its lower one.
        let firstLine = max(0, Int((upper.y * scale - 0.5).rounded(.up)))
        let endLine = min(lines.count, Int((lower.y * scale - 0.5).rounded(.up)))
        guard firstLine < endLine else { continue }
        let slope = (lower.x - upper.x) / (lower.y - upper.y)
        for line in firstLine..<endLine {
          let y = (Double(line) + 0.5) / scale
          lines[line].append((upper.x + (y - upper.y) * slope, first.y < second.y ? 1 : -1))
        }
      }
    }
    return lines
  }

  private mutating func addSpan(from start: Double, to end: Double, row: Int) {
    let (left, right) = (max(start, 0), min(end, Double(width)))
    guard left < right else { return }
    let share = Float(1) / Float(Mask.linesPerRow)
    for column in Int(left)...min(Int(right), width - 1) {
      let covered = min(right, Double(column + 1)) - max(left, Double(column))
      values[row * width + column] += Float(max(covered, 0)) * share
    }
  }

  /// The part of this mask that another one, shifted by whole pixels, does not cover.
  func subtracting(_ other: Mask, shiftedBy columns: Int, _ rows: Int) -> Mask {
    var result = self
    for row in 0..<height {
      for column in 0..<width where values[row * width + column] > 0 {
        let (x, y) = (column - columns, row - rows)
        guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
        result.values[row * width + column] *= 1 - min(1, other.values[y * width + x])
      }
    }
    return result
  }

  /// The mask with each value replaced by the mean of the square around it.
  func blurred(radius: Int) -> Mask {
    func pass(_ source: [Float], count: Int, length: Int, start: Int, step: Int) -> [Float] {
      var result = source
      for line in 0..<count {
        let origin = line * start
        var sum: Float = 0
        for index in -radius..<length + radius {
          if index + radius < length { sum += source[origin + (index + radius) * step] }
          if index - radius - 1 >= 0 { sum -= source[origin + (index - radius - 1) * step] }
          if (0..<length).contains(index) { result[origin + index * step] = sum / Float(2 * radius + 1) }
        }
      }
      return result
    }
    var result = self
    let rows = pass(values, count: height, length: width, start: width, step: 1)
    result.values = pass(rows, count: width, length: height, start: 1, step: width)
    return result
  }
}

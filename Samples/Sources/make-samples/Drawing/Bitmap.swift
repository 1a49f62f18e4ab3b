import GIFWriting

/// A colour with red, green and blue from 0 to 1, in the encoding of sRGB.
typealias RGB = SIMD3<Float>

extension RGB {
  /// Makes a colour of a number written as `0xRRGGBB`.
  init(_ hex: UInt32) {
    self.init(Float(hex >> 16 & 0xFF) / 255, Float(hex >> 8 & 0xFF) / 255, Float(hex & 0xFF) / 255)
  }
}

extension GIFColor {
  /// Makes the colour of a palette that is nearest to a colour from 0 to 1.
  init(rounding color: RGB) {
    let bytes = (color.clamped(lowerBound: .zero, upperBound: .one) * 255).rounded(.toNearestOrEven)
    self.init(red: UInt8(bytes.x), green: UInt8(bytes.y), blue: UInt8(bytes.z))
  }
}

/// The colour a fraction of the way from one to another.
func mix(_ from: RGB, _ to: RGB, _ fraction: Float) -> RGB {
  from + (to - from) * fraction
}

/// An image of full colours, on which the scenes are painted before a palette is chosen.
struct Bitmap {
  let width: Int
  let height: Int
  var pixels: [RGB]

  init(width: Int, height: Int, color: RGB = .zero) {
    self.width = width
    self.height = height
    pixels = Array(repeating: color, count: width * height)
  }

  /// Paints each pixel by a function of its centre.
  mutating func paint(_ color: (Double, Double) -> RGB) {
    for row in 0..<height {
      for column in 0..<width {
        pixels[row * width + column] = color(Double(column) + 0.5, Double(row) + 0.5)
      }
    }
  }

  /// Paints a colour where a mask says.
  mutating func fill(_ mask: Mask, _ color: RGB, opacity: Float = 1) {
    for (index, coverage) in mask.values.enumerated() where coverage > 0 {
      pixels[index] = mix(pixels[index], color, min(coverage, 1) * opacity)
    }
  }

  /// Paints a path in a colour.
  mutating func fill(_ path: Path, _ color: RGB, opacity: Float = 1) {
    fill(Mask(path, width: width, height: height), color, opacity: opacity)
  }

  /// Paints a round spot that is thickest in its middle and fades to nothing at its edge.
  mutating func addPuff(at center: Point, radius: Double, color: RGB, opacity: Double) {
    let rows = Self.pixels(center.y - radius, center.y + radius, limit: height)
    let columns = Self.pixels(center.x - radius, center.x + radius, limit: width)
    guard opacity > 0 else { return }
    for row in rows {
      for column in columns {
        let distance = (Point(Double(column) + 0.5, Double(row) + 0.5) - center).length / radius
        guard distance < 1 else { continue }
        let falloff = (1 - distance * distance) * (1 - distance * distance)
        let index = row * width + column
        pixels[index] = mix(pixels[index], color, Float(opacity * falloff))
      }
    }
  }

  /// The pixels between two coordinates, as far as they are inside the image.
  private static func pixels(_ from: Double, _ to: Double, limit: Int) -> Range<Int> {
    let start = min(max(Int(from), 0), limit)
    return start..<max(start, min(Int(to) + 1, limit))
  }
}

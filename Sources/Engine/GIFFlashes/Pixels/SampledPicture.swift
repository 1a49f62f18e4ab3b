internal import GIFDecoding

/// The samples of a picture that differ from the picture before.
struct SampledPicture: Sendable {
  private(set) var count = 0
  /// The numbers of the samples: see ``SampleGrid/rowLength``. More than ``count`` where there is room.
  private var sampleRoom: [UInt32] = []
  /// Their pixels.
  private var pixelRoom: [UInt32] = []
  /// Whether one is transparent.
  private(set) var hasTransparency = false

  /// The numbers of the samples.
  var samples: Span<UInt32> {
    @_lifetime(borrow self)
    get { sampleRoom.span.extracting(0..<count) }
  }

  /// Their pixels, as they stand on the canvas; red in the lowest byte.
  var pixels: Span<UInt32> {
    @_lifetime(borrow self)
    get { pixelRoom.span.extracting(0..<count) }
  }

  /// Adds its samples and pixels to those of other pictures.
  func append(to samples: inout [UInt32], _ pixels: inout [UInt32]) {
    samples.append(contentsOf: sampleRoom[..<count])
    pixels.append(contentsOf: pixelRoom[..<count])
  }

  /// Takes other samples and their pixels.
  mutating func replace(_ samples: ArraySlice<UInt32>, _ pixels: ArraySlice<UInt32>) {
    removeAll()
    makeRoom(for: samples.count)
    count = samples.count
    sampleRoom.replaceSubrange(..<count, with: samples)
    pixelRoom.replaceSubrange(..<count, with: pixels)
    hasTransparency = pixels.contains(where: Backdrop.isTransparent)
  }

  /// Removes all, and keeps the memory.
  mutating func removeAll() { (count, hasTransparency) = (0, false) }

  /// Makes room for as many more.
  mutating func makeRoom(for more: Int) {
    let missing = count + more - sampleRoom.count
    guard missing > 0 else { return }
    // As much again where there is some: a picture is put together from many pieces.
    sampleRoom.append(contentsOf: repeatElement(0, count: max(missing, sampleRoom.count)))
    pixelRoom.append(contentsOf: repeatElement(0, count: max(missing, pixelRoom.count)))
  }

  /// Adds a sample.
  ///
  /// - Parameter pixel: as it stands on the canvas.
  mutating func append(_ sample: Int, _ pixel: UInt32) {
    makeRoom(for: 1)
    sampleRoom[count] = UInt32(truncatingIfNeeded: sample)
    pixelRoom[count] = pixel
    count += 1
    if Backdrop.isTransparent(pixel) { hasTransparency = true }
  }

  /// Adds neighbours in a row, from `sample` on: all, or those that differ from what was seen.
  ///
  /// - Parameters:
  ///   - canvas: their pixels.
  ///   - seen: for each sample the pixel that was seen last; becomes that of now.
  mutating func append(_ sample: Int, _ canvas: Span<UInt32>, seen: inout [UInt32], isWhole: Bool) {
    makeRoom(for: canvas.count)
    let start = count
    count = Self.write(
      sample, canvas, &seen, isWhole: isWhole, &sampleRoom, &pixelRoom, from: start)
    if !hasTransparency { hasTransparency = pixelRoom[start..<count].contains(where: Backdrop.isTransparent) }
  }

  /// Returns the place behind the last one written.
  private static func write(
    _ sample: Int, _ canvas: Span<UInt32>, _ seen: inout [UInt32], isWhole: Bool, _ samples: inout [UInt32],
    _ pixels: inout [UInt32], from start: Int
  ) -> Int {
    var samples = samples.mutableSpan
    var pixels = pixels.mutableSpan
    var seen = seen.mutableSpan
    var end = start
    for place in canvas.indices {
      let pixel = canvas[place]
      // Without a branch: what changes cannot be foreseen.
      samples[end] = UInt32(truncatingIfNeeded: sample + place)
      pixels[end] = pixel
      end += isWhole || seen[sample + place] != pixel ? 1 : 0
      seen[sample + place] = pixel
    }
    return end
  }
}

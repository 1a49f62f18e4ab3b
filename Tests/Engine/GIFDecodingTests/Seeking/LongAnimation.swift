import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport

/// Animations of many small frames, and what they show in order.
struct LongAnimation {
  let image: GIFImage
  /// The picture of each frame, drawn in order by a renderer that keeps nothing.
  let pictures: [[UInt32]]
  let statuses: [FrameStatus]

  /// How the frames of an animation dispose of themselves.
  enum Disposals: String, Sendable, CaseIterable {
    case keep, background, previous, mixed

    func stored(_ number: Int, _ generator: inout SeededGenerator) -> Int {
      switch self {
      case .keep: 1
      case .background: 2
      // A file whose frames all restore would be one of key frames.
      case .previous: number % 3 == 0 ? 1 : 3
      case .mixed: [0, 1, 1, 2, 3, 4, 5][Int.random(in: 0...6, using: &generator)]
      }
    }
  }

  /// - Parameters:
  ///   - damage: one frame in this many is damaged; 0 for none.
  ///   - opaque: one frame in this many is opaque, and may hide earlier ones; 0 for none.
  init(
    frames count: Int, disposals: Disposals, seed: UInt64 = 1, damage: Int = 0, opaque: Int = 0,
    policy: DamagePolicy = .chromium
  ) throws(GIFError) {
    var generator = SeededGenerator(seed: seed)
    var writer = GIFWriter(width: 6, height: 5, palette: [0, 0xFF0000, 0x00FF00, 0x0000FF])
    writer.image(width: 6, height: 5, indices: (0..<30).map { UInt8($0 % 4) })
    for number in 1..<count {
      let isOpaque = opaque > 0 && Int.random(in: 0..<opaque, using: &generator) == 0
      writer.graphicsControl(
        disposal: disposals.stored(number, &generator), delay: 2, transparent: isOpaque ? nil : 0)
      let x = Int.random(in: 0...4, using: &generator)
      let y = Int.random(in: 0...3, using: &generator)
      let width = Int.random(in: 1...(6 - x), using: &generator)
      let height = Int.random(in: 1...(5 - y), using: &generator)
      let indices = (0..<width * height).map { _ in UInt8.random(in: 0...3, using: &generator) }
      var coding = GIFWriter.ImageCoding()
      if damage > 0, Int.random(in: 0..<damage, using: &generator) == 0 {
        coding.pixelLimit = Int.random(in: 0..<indices.count, using: &generator)
      }
      writer.image(x: x, y: y, width: width, height: height, indices: indices, coding: coding)
    }
    writer.trailer()
    var image = try GIFImage(bytes: writer.bytes)
    image.damagePolicy = policy
    self.image = image
    var renderer = try FrameRenderer(image, checkpoints: .none)
    let show = try ReadingOutcome.Show(&renderer)
    pictures = show.pictures
    statuses = show.statuses
  }

  static let canvasBytes: Int64 = 6 * 5 * 4

  var count: Int { image.frameCount }

  /// All frames in a random order.
  func shuffled(seed: UInt64) -> [Int] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).shuffled(using: &generator)
  }
}

extension FrameRenderer {
  /// Renders a frame; gives how many decodings that took.
  mutating func cost(of index: Int) throws(GIFError) -> Int {
    let before = decodedFrames
    try render(index)
    return decodedFrames - before
  }
}

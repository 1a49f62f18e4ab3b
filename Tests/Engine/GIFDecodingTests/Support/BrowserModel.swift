import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport

/// A random animation in which some frames are damaged.
struct DamagedAnimation {
  /// What is wrong with a frame; `indices` of the plain frame are then only those before the fault.
  enum Fault: CaseIterable {
    case invalidCode, earlyEnd, dataRunsOut, cutOff
  }

  var animation: PlainAnimation
  var faults: [Fault?]

  /// Up to eight frames on a few pixels, so that rectangles often coincide or contain each other.
  static func make(seed: UInt64) -> DamagedAnimation {
    var generator = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let width = number(1...4)
    let height = number(1...3)
    var result = DamagedAnimation(
      animation: PlainAnimation(screenWidth: width, screenHeight: height, globalPalette: Letters.palette),
      faults: [])
    let count = number(1...8)
    for index in 0..<count {
      let isFull = number(0...3) == 0
      var frame = PlainFrame(
        x: isFull ? 0 : number(0...width - 1), y: isFull ? 0 : number(0...height - 1),
        width: isFull ? width : number(0...width), height: isFull ? height : number(1...height), indices: [])
      if number(0...1) == 0 { frame.transparentIndex = UInt8(number(0...3)) }
      frame.disposal = [0, 1, 1, 2, 2, 3, 4, 7][number(0...7)]
      frame.isInterlaced = index > 0 && number(0...3) == 0
      frame.indices = (0..<frame.width * frame.height).map { _ in UInt8(number(0...3)) }
      var fault: Fault?
      if !frame.indices.isEmpty, number(0...3) == 0 {
        frame.indices.removeLast(number(1...frame.indices.count))
        fault = [.invalidCode, .earlyEnd, .dataRunsOut, index == count - 1 ? .cutOff : nil][number(0...3)]
        fault = fault ?? .invalidCode
      }
      result.animation.frames.append(frame)
      result.faults.append(fault)
    }
    return result
  }

  /// The file.
  var bytes: [UInt8] {
    var gif = GIFWriter(
      width: animation.screenWidth, height: animation.screenHeight, palette: animation.globalPalette)
    for (frame, fault) in zip(animation.frames, faults) {
      gif.graphicsControl(disposal: frame.disposal, transparent: frame.transparentIndex)
      let ending: [Int] =
        switch fault {
        case .invalidCode: LZWCodeStream.invalid
        case .dataRunsOut, .cutOff: []
        case .earlyEnd, nil: LZWCodeStream.end
        }
      gif.image(
        x: frame.x, y: frame.y, width: frame.width, height: frame.height,
        codes: .exactly(frame.indices, ending: ending),
        flags: frame.isInterlaced ? 0x40 : 0, hasTerminator: fault != .cutOff)
    }
    if faults.last != .cutOff { gif.trailer() }
    return gif.bytes
  }
}

/// What Chromium shows of a damaged animation that plays in order, by the way its decoder keeps pictures.
///
/// The decoder holds the sound pictures of few frames. It draws a frame onto a held one between the required
/// frame and this one, or else onto the required frame, decoded again, whose rectangle it clears where its
/// disposal says so. The frame takes over what it is drawn on, unless it restores that afterwards. Then the
/// decoder drops all pictures but the frame's own; it spares one more where it cannot build on this frame.
struct BrowserModel {
  private(set) var statuses: [FrameStatus] = []
  private(set) var pictures: [[UInt32]] = []
  private(set) var required: [Int?] = []
  /// The sound frames that the decoder holds.
  private var held: Set<Int> = []
  private let animation: PlainAnimation
  private let canvas: PixelRect

  init(_ damaged: DamagedAnimation) {
    animation = damaged.animation
    canvas = PixelRect(x: 0, y: 0, width: animation.canvasWidth, height: animation.canvasHeight)
    for (index, frame) in animation.frames.enumerated() {
      required.append(requiredFrame(of: index))
      show(frame, at: index, fault: damaged.faults[index])
      let spared = statuses[index] == .complete && stays(index) ? nil : heldFrame(for: index)
      held = held.filter { $0 == index || $0 == spared }
    }
  }

  private mutating func show(_ frame: PlainFrame, at index: Int, fault: DamagedAnimation.Fault?) {
    var picture = [UInt32](repeating: 0, count: canvas.width * canvas.height)
    if let required = required[index] {
      let base = heldFrame(for: index) ?? required
      guard statuses[base] == .complete else {
        statuses.append(.blank)
        pictures.append(picture)
        return
      }
      picture = pictures[base]
      if base == required, animation.frames[base].disposal == 2 {
        for position in picture.indices
        where covers(rect(of: base), x: position % canvas.width, y: position / canvas.width) {
          picture[position] = 0
        }
      }
      if stays(index) { held.remove(base) }
    }
    let rows = frame.isInterlaced ? InterlacedRows.order(height: frame.height) : Array(0..<frame.height)
    for (number, colour) in frame.indices.enumerated() where colour != frame.transparentIndex {
      let column = frame.x + number % frame.width
      let row = frame.y + rows[number / frame.width]
      if column < canvas.width, row < canvas.height {
        picture[row * canvas.width + column] = Letters.palette[Int(colour)].opaquePixel
      }
    }
    statuses.append(fault == nil ? .complete : fault == .cutOff ? .truncated : .failed)
    pictures.append(picture)
    if fault == nil { held.insert(index) }
  }

  /// The latest frame held that a frame can be drawn onto in place of the required one.
  private func heldFrame(for index: Int) -> Int? {
    guard let required = required[index] else { return nil }
    return held.filter { $0 > required && $0 < index && stays($0) }.max()
  }

  /// Whether a frame's drawing outlives it.
  private func stays(_ index: Int) -> Bool { ![3, 4].contains(animation.frames[index].disposal) }

  // MARK: - The independence rule, in the table's words

  private func requiredFrame(of index: Int) -> Int? {
    if index == 0 { return nil }  // (1)
    let isOpaque = animation.frames[index].transparentIndex == nil
    if isOpaque, rect(of: index) == canvas { return nil }  // (2)
    // (3)
    guard var previous = (0..<index).last(where: stays) else { return nil }
    if animation.frames[previous].disposal == 2,
      rect(of: previous) == canvas || required[previous] == nil
    {
      return nil  // (4)
    }
    if !isOpaque { return previous }  // (5)
    while holds(rect(of: index), rect(of: previous)) {
      guard let deeper = required[previous] else { return nil }  // (6)
      previous = deeper
    }
    return previous  // (7)
  }

  /// A frame's rectangle as far as it lies on the canvas.
  private func rect(of index: Int) -> PixelRect {
    let frame = animation.frames[index]
    let width = min(frame.x + frame.width, canvas.width) - frame.x
    let height = min(frame.y + frame.height, canvas.height) - frame.y
    return width > 0 && height > 0 ? PixelRect(x: frame.x, y: frame.y, width: width, height: height) : .empty
  }

  private func holds(_ outer: PixelRect, _ inner: PixelRect) -> Bool {
    !outer.isEmpty && !inner.isEmpty && covers(outer, x: inner.x, y: inner.y)
      && covers(outer, x: inner.x + inner.width - 1, y: inner.y + inner.height - 1)
  }

  private func covers(_ rect: PixelRect, x: Int, y: Int) -> Bool {
    x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height
  }
}

/// Reads well-formed GIFs back into plain values, just well enough to check what was written.
public enum MiniReader {
  /// An image as stored: `frame` without its indices, and the joined sub-blocks.
  public struct Image {
    public var frame: PlainFrame
    public var minimumCodeSize: Int
    public var data: [UInt8]
    public var end: Int
  }

  /// The animation in `bytes`; `failure` tells the first record that is not understood.
  public static func animation(in bytes: [UInt8]) -> (animation: PlainAnimation, failure: Int?) {
    var animation = PlainAnimation(
      screenWidth: number(bytes, 6), screenHeight: number(bytes, 8), globalPalette: nil)
    var position = 13
    if bytes[10] & 0x80 != 0 {
      let table = palette(bytes, 13, flags: bytes[10])
      animation.globalPalette = table
      position += table.count * 3
    }
    var control: ArraySlice<UInt8> = [0, 0, 0, 0]
    while position < bytes.count {
      switch (bytes[position], bytes.dropFirst(position + 1).first) {
      case (0x21, let label):
        if label == 0xF9 { control = bytes[(position + 3)..<(position + 7)] }
        let (data, end) = subBlocks(bytes, position + 2)
        let isLoop = ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { data.starts(with: $0.utf8) }
        if label == 0xFF, isLoop { animation.loopCount = number(data, 12) }
        position = end
      case (0x2C, _):
        var image = image(in: bytes, at: position)
        let fields = Array(control)
        image.frame.disposal = Int(fields[0] >> 2 & 7)
        image.frame.delay = number(fields, 1)
        image.frame.transparentIndex = fields[0] & 1 == 1 ? fields[3] : nil
        let result = PlainLZWDecoder.decode(
          image.data, literalWidth: image.minimumCodeSize, pixelLimit: image.frame.width * image.frame.height)
        image.frame.indices = result.indices
        animation.frames.append(image.frame)
        control = [0, 0, 0, 0]
        position = image.end
      case (0x3B, nil):
        return (animation, nil)
      default:
        return (animation, position)
      }
    }
    return (animation, position)
  }

  /// The image whose descriptor stands at `start`.
  public static func image(in bytes: [UInt8], at start: Int) -> Image {
    var frame = PlainFrame(
      x: number(bytes, start + 1), y: number(bytes, start + 3), width: number(bytes, start + 5),
      height: number(bytes, start + 7), indices: [])
    let flags = bytes[start + 9]
    frame.isInterlaced = flags & 0x40 != 0
    var position = start + 10
    if flags & 0x80 != 0 {
      let table = palette(bytes, position, flags: flags)
      frame.localPalette = table
      position += table.count * 3
    }
    let (data, end) = subBlocks(bytes, position + 1)
    return Image(frame: frame, minimumCodeSize: Int(bytes[position]), data: data, end: end)
  }

  private static func number(_ bytes: [UInt8], _ position: Int) -> Int {
    Int(bytes[position]) | Int(bytes[position + 1]) << 8
  }

  private static func palette(_ bytes: [UInt8], _ start: Int, flags: UInt8) -> [RGB] {
    (0..<(2 << Int(flags & 7))).map { entry in
      let place = start + entry * 3
      return RGB(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
    }
  }

  /// The joined sub-blocks from `start` on, and where their terminator ends.
  private static func subBlocks(_ bytes: [UInt8], _ start: Int) -> (data: [UInt8], end: Int) {
    var data: [UInt8] = []
    var position = start
    while bytes[position] != 0 {
      let next = position + 1 + Int(bytes[position])
      data += bytes[(position + 1)..<next]
      position = next
    }
    return (data, position + 1)
  }
}

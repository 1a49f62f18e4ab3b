/// A way in which a client uses a noncopyable type. It gives the number of frames that it has read.
public struct Shape: Sendable {
  public let name: String
  public let frameCount: @Sendable ([UInt8]) async throws -> Int

  public init(_ name: String, _ frameCount: @escaping @Sendable ([UInt8]) async throws -> Int) {
    (self.name, self.frameCount) = (name, frameCount)
  }
}

/// A file of three frames, written byte by byte.
public enum GIFBytes {
  public static let frameCount = 3

  public static let threeFrames: [UInt8] = {
    let head: [UInt8] = Array("GIF89a".utf8) + [8, 0, 8, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let control: [UInt8] = [0x21, 0xF9, 4, 4, 5, 0, 0, 0]
    let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 8, 0, 8, 0, 0, 2]
    let data: [UInt8] = pixelData
    let frame: [UInt8] = control + descriptor + [UInt8(data.count)] + data + [0]
    return head + frame + frame + frame + [0x3B]
  }()

  /// 64 pixels of colour 1. A clear code before every second one keeps all codes three bits wide.
  private static let pixelData: [UInt8] = {
    var data: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for number in 0...96 {
      let code: UInt32 = number == 96 ? 5 : number % 3 == 0 ? 4 : 1
      bits |= code << bitCount
      bitCount += 3
      if bitCount >= 8 || number == 96 {
        data.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        bitCount -= min(8, bitCount)
      }
    }
    return data
  }()
}

/// A YUV4MPEG2 stream read back: the words of its header and its 4:4:4 pictures.
struct Y4MPictures {
  struct Unreadable: Error {}

  /// The header's fields behind the magic, such as `W2`.
  let fields: [String]
  let width: Int
  let height: Int
  /// Each picture's planes, one after another.
  let pictures: [[UInt8]]

  init(_ bytes: [UInt8]) throws {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw Unreadable() }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").map(String.init)
    func side(_ letter: Character) -> Int? {
      words.first { $0.first == letter }.flatMap { Int($0.dropFirst()) }
    }
    guard words.first == "YUV4MPEG2", let width = side("W"), let height = side("H") else {
      throw Unreadable()
    }
    let line = Array("FRAME\n".utf8)
    let size = 3 * width * height
    var rest = bytes[(end + 1)...]
    var pictures: [[UInt8]] = []
    while !rest.isEmpty {
      guard rest.starts(with: line), rest.count >= line.count + size else { throw Unreadable() }
      pictures.append(Array(rest.dropFirst(line.count).prefix(size)))
      rest = rest.dropFirst(line.count + size)
    }
    (self.width, self.height) = (width, height)
    fields = Array(words.dropFirst())
    self.pictures = pictures
  }
}

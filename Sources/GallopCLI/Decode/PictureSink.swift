internal import GIFDecoding

/// Where decoded pictures go.
enum PictureSink {
  case discard
  /// All pictures one after another.
  case rawStream
  case rawFile(String, force: Bool)
  case pngStream
  /// One file, for a single picture.
  case pngFile(String, force: Bool)
  /// Numbered files; the text is the path up to the number.
  case pngFiles(String, force: Bool)

  init(format: DecodeCommand.Format, output: String?, path: String, force: Bool) throws {
    let name = OutputFile.baseName(of: path)
    switch format {
    case .null:
      self = .discard
    case .rgba, .bgra:
      if output == "-" {
        self = .rawStream
      } else if let output, Self.isOneFile(output, for: format) {
        self = .rawFile(output, force: force)
      } else {
        self = .rawFile(try Self.folder(output) + name + "." + format.rawValue, force: force)
      }
    case .png:
      if output == "-" {
        self = .pngStream
      } else if let output, Self.isOneFile(output, for: format) {
        self = .pngFile(output, force: force)
      } else {
        self = .pngFiles(try Self.folder(output) + name, force: force)
      }
    }
  }

  /// Whether an output path means one file rather than a folder.
  static func isOneFile(_ output: String, for format: DecodeCommand.Format) -> Bool {
    guard !output.hasSuffix("/"), !OutputFile.isDirectory(output) else { return false }
    return switch format {
    case .rgba, .bgra: true
    case .png: output.lowercased().hasSuffix(".png")
    case .null: false
    }
  }

  /// The folder to write into, made if need be, ready to put a name behind.
  private static func folder(_ output: String?) throws -> String {
    guard let output else { return "" }
    try OutputFile.makeDirectory(output)
    return output.hasSuffix("/") ? output : output + "/"
  }

  /// Writes all pictures; returns the damage met on the way.
  func write(_ pictures: consuming PictureSource) throws -> [GIFDiagnostic] {
    switch self {
    case .discard:
      return try pictures.deliver(to: nil)
    case .rawStream:
      return try Self.writeRaw(pictures, to: .standardOutput)
    case .rawFile(let path, let force):
      var source: PictureSource? = consume pictures
      var found: [GIFDiagnostic] = []
      try OutputFile.write(to: path, force: force) { target in
        if let taken = source.take() { found = try Self.writeRaw(taken, to: target) }
      }
      return found
    case .pngStream:
      return try pictures.deliver(encoding: Self.png) { _, bytes in
        try OutputDescriptor.standardOutput.write(bytes)
      }
    case .pngFile(let path, let force):
      guard pictures.range.count == 1 else {
        throw FileFailure(
          reason: "\(pictures.range.count) frames do not fit into one PNG; name a folder or --frames")
      }
      return try pictures.deliver(encoding: Self.png) { _, bytes in
        try OutputFile.write(to: path, force: force) { try $0.write(bytes) }
      }
    case .pngFiles(let stem, let force):
      return try pictures.deliver(encoding: Self.png) { index, bytes in
        let number = "\(index)"
        let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
        try OutputFile.write(to: "\(stem)-\(digits).png", force: force) { try $0.write(bytes) }
      }
    }
  }

  @Sendable private static func png(_ frame: Frame) throws -> [UInt8] {
    try PNGEncoder.encode(frame.pixels)
  }

  private static func writeRaw(
    _ pictures: consuming PictureSource, to target: OutputDescriptor
  ) throws -> [GIFDiagnostic] {
    try pictures.deliver { frame in
      try unsafe frame.pixels.withUnsafeBytes { bytes in try unsafe target.write(bytes) }
    }
  }
}

internal import GIFDecoding

extension OutputDestination {
  /// Writes one stream with `body`; returns the damage found.
  func write(
    _ pictures: consuming PictureSource, force: Bool,
    _ body: (consuming PictureSource, OutputDescriptor) throws -> [GIFDiagnostic]
  ) throws -> [GIFDiagnostic] {
    guard case .file(let path) = self else { return try body(pictures, .standardOutput) }
    var source: PictureSource? = consume pictures
    var found: [GIFDiagnostic] = []
    try OutputFile.write(to: path, force: force) { target in
      if let taken = source.take() { found = try body(taken, target) }
    }
    return found
  }

  /// Writes a PNG file for each picture; returns the damage found.
  func writePNG(_ pictures: consuming PictureSource, force: Bool) throws -> [GIFDiagnostic] {
    if case .file = self, pictures.range.count != 1 {
      throw FileFailure(
        reason: "\(pictures.range.count) frames do not fit into one PNG; name a folder or --frames")
    }
    return try pictures.deliver(
      encoding: { try PNGEncoder.encode($0.pixels) },
      to: { index, bytes in
        switch self {
        case .discard, .standardOutput:
          try OutputDescriptor.standardOutput.write(bytes)
        case .file(let path):
          try OutputFile.write(to: path, force: force) { try $0.write(bytes) }
        case .numberedFiles(let stem):
          let number = "\(index)"
          let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
          try OutputFile.write(to: "\(stem)-\(digits).png", force: force) { try $0.write(bytes) }
        }
      })
  }
}

/// Raw canvases, one after another.
enum RawPictures {
  static func write(
    _ pictures: consuming PictureSource, to target: OutputDescriptor
  ) throws -> [GIFDiagnostic] {
    try pictures.deliver { frame in
      try unsafe frame.pixels.withUnsafeBytes { bytes in try unsafe target.write(bytes) }
    }
  }
}

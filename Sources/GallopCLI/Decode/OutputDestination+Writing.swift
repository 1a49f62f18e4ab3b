internal import GIFDecoding
internal import Glibc

/// What output may overwrite.
struct OutputRules {
  let force: Bool
  /// Files that are never overwritten.
  let inputs: Set<FileIdentity>
}

extension OutputDestination {
  /// Writes one stream with `body`; returns the damage found.
  func write(
    _ pictures: consuming PictureSource, _ rules: OutputRules,
    _ body: (consuming PictureSource, OutputDescriptor) throws -> [GIFDiagnostic]
  ) throws -> [GIFDiagnostic] {
    guard case .file(let path) = self else {
      try Self.checkStandardOutput(rules)
      return try body(pictures, .standardOutput)
    }
    var source: PictureSource? = consume pictures
    var found: [GIFDiagnostic] = []
    try OutputFile.write(to: path, force: rules.force, keeping: rules.inputs) { target in
      if let taken = source.take() { found = try body(taken, target) }
    }
    return found
  }

  /// Writes a PNG file for each picture; returns the damage found.
  ///
  /// Files that may not be written are found before the first one is.
  func writePNG(_ pictures: consuming PictureSource, _ rules: OutputRules, compression: Int) throws
    -> [GIFDiagnostic]
  {
    switch self {
    case .discard, .standardOutput: try Self.checkStandardOutput(rules)
    case .file where pictures.range.count != 1:
      throw FileFailure(
        reason: "\(pictures.range.count) frames do not fit into one PNG; name a folder, a pattern such as "
          + "f%03d.png, or --frames")
    case .file: break
    case .numberedFiles(let names):
      for index in pictures.range {
        try OutputFile.check(names.name(index), force: rules.force, keeping: rules.inputs)
      }
    }
    return try pictures.deliver(
      encoding: { try PNGEncoder.encode($0.pixels, compression: compression) },
      to: { index, bytes in
        guard let path = path(ofFrame: index) else {
          return try OutputDescriptor.standardOutput.write(bytes)
        }
        try OutputFile.write(to: path, force: rules.force, keeping: rules.inputs) { try $0.write(bytes) }
      })
  }

  /// The file of a frame; nil for standard output.
  private func path(ofFrame index: Int) -> String? {
    switch self {
    case .discard, .standardOutput: nil
    case .file(let path): path
    case .numberedFiles(let names): names.name(index)
    }
  }

  /// Refuses standard output that the shell has opened on an input.
  private static func checkStandardOutput(_ rules: OutputRules) throws {
    guard let output = FileIdentity(descriptor: STDOUT_FILENO), rules.inputs.contains(output) else { return }
    throw CommandFailure(subject: "standard output", reason: "is a file that is read as an input")
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

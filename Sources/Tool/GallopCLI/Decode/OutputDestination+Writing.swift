internal import EngineSupport
internal import Gallop
internal import Glibc

/// What output may overwrite, and from where on its pictures are counted.
struct OutputRules {
  let force: Bool
  /// Files that are never overwritten.
  let inputs: Set<FileIdentity>
  /// The number of the first picture in names with `{index}`.
  var firstIndex = 0
  /// The paths that this command has written: none is written twice, even where files may be overwritten.
  var written = Lock<Set<String>>([])
}

extension OutputDestination {
  /// Writes one stream with `body`; returns the damage found.
  func write(
    _ pictures: consuming PictureSource, _ rules: OutputRules,
    _ body: (consuming PictureSource, OutputDescriptor) throws -> [GIFDiagnostic]
  ) throws -> [GIFDiagnostic] {
    guard case .files(let names) = self else {
      try OutputFile.checkStandardOutput(keeping: rules.inputs)
      OutputDescriptor.standardOutput.enlargePipe()
      return try body(pictures, .standardOutput)
    }
    var source: PictureSource? = consume pictures
    var found: [GIFDiagnostic] = []
    let path = names.path(frame: 0, index: rules.firstIndex, of: 1)
    if names.makesFolder { try OutputFile.makeDirectory(OutputFile.folder(of: path)) }
    try OutputFile.write(to: path, force: rules.force, keeping: rules.inputs) { target in
      if let taken = source.take() { found = try body(taken, target) }
    }
    return found
  }

  /// Writes a file for each picture; returns the damage found.
  ///
  /// Files that may not be written are found before the first one is.
  /// - Parameter encode: makes the file of a picture, on any thread.
  func writeEach(
    _ pictures: consuming PictureSource, _ rules: OutputRules,
    _ encode: @escaping @Sendable (PixelBuffer) throws -> [UInt8]
  ) throws -> [GIFDiagnostic] {
    let paths = try paths(ofFrames: pictures.frames, rules)
    if paths.isEmpty { try OutputFile.checkStandardOutput(keeping: rules.inputs) }
    for path in paths { try OutputFile.check(path, force: rules.force, keeping: rules.inputs) }
    var madeFolder: String?
    return try pictures.deliver(
      encoding: { _, picture in try encode(picture.pixels) },
      to: { place, bytes in
        guard !paths.isEmpty else { return try OutputDescriptor.standardOutput.write(bytes) }
        let path = paths[place]
        let folder = OutputFile.folder(of: path)
        if makesFolder, folder != madeFolder { try OutputFile.makeDirectory(folder) }
        madeFolder = folder
        guard rules.written.withLock({ $0.insert(path).inserted }) else {
          throw FileFailure(
            reason: "is not written: \(Printable.text(path)) holds another picture of this command")
        }
        try OutputFile.write(to: path, force: rules.force, keeping: rules.inputs) { try $0.write(bytes) }
      })
  }

  /// The file of each picture; empty for standard output.
  private func paths(ofFrames frames: [Int], _ rules: OutputRules) throws -> [String] {
    guard case .files(let names) = self else { return [] }
    guard names.hasFrame || names.hasIndex || frames.count == 1 else {
      throw FileFailure(
        reason: "\(frames.count) frames do not fit into one picture; name a folder, a pattern such as "
          + "'{name}-{frame}.png', or --frames")
    }
    return frames.enumerated().map { place, frame in
      names.path(frame: frame, index: rules.firstIndex + place, of: frames.count)
    }
  }
}

/// Raw canvases, one after another.
enum RawPictures {
  static func write(
    _ pictures: consuming PictureSource, to target: OutputDescriptor
  ) throws -> [GIFDiagnostic] {
    try pictures.deliver { _, picture in
      try unsafe picture.pixels.withUnsafeBytes { bytes in try unsafe target.write(bytes) }
    }
  }
}

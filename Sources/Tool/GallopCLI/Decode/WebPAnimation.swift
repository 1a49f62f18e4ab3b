internal import Gallop
internal import WebPExport

/// An animated WebP of chosen frames.
struct WebPAnimation {
  let schedule: WebPSchedule
  private let size: PixelSize
  private let compression: WebPOptions.Compression

  /// - Parameter mostPerSecond: pictures a second at the most; nil for all.
  /// - Throws: ``FileFailure`` where WebP cannot hold the pictures.
  init(
    _ image: GIFImage, frames: [Int], size: PixelSize, quality: Float?, mostPerSecond: Double?
  ) throws {
    do throws(WebPError) {
      try WebPEncoder.check(size)
      schedule = try WebPSchedule(image, frames: frames, mostPerSecond: mostPerSecond)
    } catch {
      let option = error.code == .tooLarge ? "--fit" : "--frames"
      throw FileFailure(reason: "\(error); choose \(option)")
    }
    self.size = size
    compression = quality.map { .lossy($0) } ?? .lossless
  }

  /// Writes the file; returns the damage found.
  func write(
    _ pictures: consuming PictureSource, to target: OutputDescriptor
  ) throws -> [GIFDiagnostic] {
    do {
      var encoder = try WebPEncoder(size, plays: schedule.plays, compression: compression)
      let found = try pictures.deliver { [schedule] place, picture in
        try encoder.add(picture.pixels, at: schedule.times[place])
      }
      let file = try encoder.finish(at: schedule.end)
      try unsafe file.withUnsafeBytes { bytes in try unsafe target.write(bytes) }
      return found
    } catch let error as WebPError {
      throw CommandFailure(reason: error.description)
    }
  }
}

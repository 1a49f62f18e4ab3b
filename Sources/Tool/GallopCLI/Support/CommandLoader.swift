internal import EngineSupport
internal import Gallop

/// The loader of the command line, with the limits and rules of its options.
struct CommandLoader: ImageLoader {
  let reading: ReadingOptions
  /// The frames that every complete image must have; nil for any.
  var range: PlaybackRange?

  func states(of source: GIFSource) -> LoadingStates {
    let (damage, range, name) = (reading.damage, range, source.description)
    return unpreparedStates(of: source).preparing { image, isComplete throws(GIFLoadingError) in
      var image = image
      image.damagePolicy = damage
      guard isComplete, let range else { return image }
      do throws(FileFailure) {
        _ = try range.range(in: image)
        return image
      } catch {
        throw GIFLoadingError(.decoding, .unusableFile, source: name, detail: error.reason)
      }
    }
  }

  private func unpreparedStates(of source: GIFSource) -> LoadingStates {
    guard let path = source.path,
      let size = PiecewiseReading.pieceSize(of: path, asked: reading.pieceSize)
    else {
      return GIFLoader(options: reading.loaderOptions).states(of: source)
    }
    return LoadingStates(source: source.description, limits: reading.limits) { sink in
      let read: @Sendable () -> Void = {
        PiecewiseReading.read(path, size: size, limits: reading.limits, into: sink)
      }
      if !EngineThread.start(read) { read() }
    }
  }
}

extension GIFLoadingError {
  /// The warning for a transfer that was interrupted.
  func warning(for name: String) -> String { "warning: \(reason(for: name)); the loaded part is used" }
}

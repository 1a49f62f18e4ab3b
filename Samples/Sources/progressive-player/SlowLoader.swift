internal import Foundation
internal import Gallop

/// A loader that delivers files in pieces with a pause after each, and leaves URLs to ``GIFLoader``.
///
/// A loader of one's own, from an archive or a database, looks the same: it puts what arrives into the sink.
struct SlowLoader: ImageLoader {
  var pieceCount = 24
  var pause = Duration.milliseconds(40)

  func states(of source: GIFSource) -> LoadingStates {
    guard let path = source.path else { return webLoader.states(of: source) }
    return LoadingStates(source: path) { sink in
      let delivery = Task { await deliver(path, to: sink) }
      sink.onCancel { delivery.cancel() }
    }
  }

  /// A loader with less patience and smaller files than by default.
  private var webLoader: GIFLoader {
    var options = GIFLoader.Options()
    options.byteLimit = 64 << 20
    options.connectTimeout = .seconds(5)
    options.totalTimeout = .seconds(120)
    return GIFLoader(options: options)
  }

  private func deliver(_ path: String, to sink: LoadingSink) async {
    guard let bytes = FileManager.default.contents(atPath: path).map(Array.init) else {
      return sink.fail(GIFLoadingError(.unusableFile, source: path, underlying: GIFError(.unreadable)))
    }
    sink.announce(byteCount: Int64(bytes.count))
    let length = max(1, bytes.count / pieceCount)
    for start in stride(from: 0, to: bytes.count, by: length) {
      let piece = Array(bytes[start...].prefix(length))
      // The sink wants no more once the bytes are no GIF, or the load is cancelled.
      guard sink.receive(piece.span) else { return }
      do { try await Task.sleep(for: pause) } catch { return }
    }
    sink.finish()
  }
}

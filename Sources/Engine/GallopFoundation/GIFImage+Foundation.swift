public import Foundation
public import Gallop

// Foundation's types in place of bytes, paths and texts.

extension GIFImage {
  /// Reads a GIF in a `Data`, without a copy of the whole.
  ///
  /// - Throws: ``/Gallop/GIFError`` where browsers show nothing: no GIF signature, a canvas without area or
  ///   above the limits.
  public init(data: Data, limits: DecodingLimits = .default) throws(GIFError) {
    try unsafe self.init(byteCount: data.count, limits: limits) { offset, target in
      // The indices of a slice begin where it was cut out.
      let start = data.startIndex + offset
      return unsafe data.copyBytes(to: target, from: start..<start + target.count)
    }
  }

  /// Opens the file of a `file:` URL, as ``/Gallop/GIFImage/init(contentsOfFile:firstFrames:limits:)`` does.
  ///
  /// - Parameter count: the number of frames to read; nil for all.
  /// - Throws: ``/Gallop/GIFLoadingError``, also for a URL that is not one of a file.
  public init(
    contentsOf url: URL, firstFrames count: Int? = nil, limits: DecodingLimits = .default
  ) throws(GIFLoadingError) {
    guard let path = try GIFSource(url).path else {
      throw GIFLoadingError(
        .unsupportedScheme, source: try GIFSource(url).description, detail: "only a file opens at once")
    }
    try self.init(contentsOfFile: path, firstFrames: count, limits: limits)
  }

  /// Loads a `file:`, `http:`, `https:` or `data:` URL to its end.
  ///
  /// - Throws: ``/Gallop/GIFLoadingError``, with the frames received before it.
  public init(url: URL, loader: any ImageLoader = GIFLoader()) async throws(GIFLoadingError) {
    self = try await loader.load(try GIFSource(url))
  }

  /// The file as it is, or as much of it as has come.
  ///
  /// - Throws: ``/Gallop/GIFError`` where the bytes are in a file that can no longer be read.
  public func fileData() throws(GIFError) -> Data { Data(try fileBytes()) }
}

extension GIFSource {
  /// The place of a URL.
  ///
  /// - Throws: ``/Gallop/GIFLoadingError`` for a scheme that cannot be loaded.
  public init(_ url: URL) throws(GIFLoadingError) {
    // A relative URL of a file has no scheme of its own.
    let url = url.absoluteURL
    self = url.isFileURL ? .file(path: url.path) : try GIFSource(url.absoluteString)
  }
}

extension GIFPlayer {
  /// Makes a player of a GIF that it loads, and plays while it arrives; see
  /// ``/Gallop/GIFPlayer/init(loading:loader:options:clock:pool:)-(String,_,_,_,_)``.
  public convenience init(
    loading url: URL, loader: any ImageLoader = GIFLoader(), options: Options = Options(),
    clock: PlaybackClock = .shared
  ) {
    self.init(loading: url.absoluteURL.absoluteString, loader: loader, options: options, clock: clock)
  }
}

extension PixelBuffer {
  /// The picture as a PNG file: ``/Gallop/PixelBuffer/pngBytes(compressionLevel:)``.
  ///
  /// - Throws: ``/Gallop/PNGError``.
  public func pngData(compressionLevel: Int = 6) throws(PNGError) -> Data {
    Data(try pngBytes(compressionLevel: compressionLevel))
  }
}

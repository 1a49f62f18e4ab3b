// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

/// A GIF that arrives in pieces. Used by one call at a time: see ``Handles/withExclusive(_:_:_:)``.
final class StreamObject: HandleObject, @unchecked Sendable {
  static let kind = HandleKind.stream
  static let hasThreads = false

  /// Nil once the stream has ended.
  private var stream: GIFStream?
  private let damage: DamagePolicy

  init(_ options: OpenOptions) {
    stream = GIFStream(limits: options.limits)
    damage = options.damage
  }

  func feed(_ bytes: [UInt8]) throws(Failure) {
    guard stream != nil else { throw .argument("the stream has ended") }
    try decoding { () throws(GIFError) in try stream?.append(bytes) }
  }

  /// The image so far; nil until its size is known.
  func image() throws(Failure) -> ImageObject? {
    guard stream != nil else { throw .argument("the stream has ended") }
    return try decoding { () throws(GIFError) in try stream?.image }.map { object(of: $0) }
  }

  func finish() throws(Failure) -> ImageObject {
    guard let ended = stream.take() else { throw .argument("the stream has ended") }
    do throws(GIFError) {
      return object(of: try ended.finish())
    } catch {
      throw Failure(error)
    }
  }

  private func object(of image: GIFImage) -> ImageObject {
    var image = image
    image.damagePolicy = damage
    return ImageObject(image)
  }
}

// MARK: - Exports

@c @implementation
public func gallop_stream_new(
  _ options: UnsafePointer<gallop_open_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(StreamObject(OpenOptions(options)), to: out)
  }
}

@c @implementation
public func gallop_stream_feed(
  _ stream: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ size: Int
) -> gallop_status {
  answer { () throws(Failure) in
    let piece = try unsafe copy(bytes, size: size)
    try unsafe Handles.withExclusive(stream, StreamObject.self) { (object) throws(Failure) in
      try object.feed(piece)
    }
  }
}

@c @implementation
public func gallop_stream_image(
  _ stream: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    let out = try unsafe emptied(out)
    let image = try unsafe Handles.withExclusive(stream, StreamObject.self) { (object) throws(Failure) in
      try object.image()
    }
    guard let image else { return .again }
    try unsafe Handles.add(image, to: out)
    return .ok
  }
}

@c @implementation
public func gallop_stream_finish(
  _ stream: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let image = try unsafe Handles.withExclusive(stream, StreamObject.self) { (object) throws(Failure) in
      try object.finish()
    }
    try unsafe Handles.add(image, to: out)
  }
}

@c @implementation
public func gallop_stream_release(_ stream: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(stream, StreamObject.self) }
}

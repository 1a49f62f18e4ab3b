// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop
internal import Glibc
internal import WebPExport

@c @implementation
public func gallop_image_poster(
  _ image: OpaquePointer!, _ cancel: OpaquePointer!, _ index: UnsafeMutablePointer<Int64>!
) -> gallop_status {
  answer { () throws(Failure) in
    let object: ImageObject = try unsafe Handles.object(image)
    let index = try unsafe given(index, "the pointer for the frame's number")
    let isCancelled = try unsafe CancelObject.question(cancel)
    unsafe index.pointee = Int64(
      try decoding(object.name) { () throws(GIFError) in
        try object.image.posterIndex(isCancelled: isCancelled)
      })
  }
}

@c @implementation
public func gallop_image_webp(
  _ image: OpaquePointer!, _ options: UnsafePointer<gallop_webp_options>!,
  _ bytes: UnsafeMutablePointer<UnsafeMutableRawPointer?>!, _ size: UnsafeMutablePointer<Int>!
) -> gallop_status {
  answer { () throws(Failure) in
    let object: ImageObject = try unsafe Handles.object(image)
    let bytes = try unsafe given(bytes, "the pointer for the bytes")
    let size = try unsafe given(size, "the pointer for their number")
    unsafe (bytes.pointee, size.pointee) = (nil, 0)
    let record = try unsafe read(options, empty: gallop_webp_options())
    let isCancelled = try unsafe CancelObject.question(record.cancel)
    let options = try unsafe WebPOptions(record)
    let file: WebPFile
    do throws(WebPError) {
      file = try object.image.webpFile(options, isCancelled: isCancelled)
    } catch {
      throw Failure(error, source: object.name)
    }
    // The caller's free() is that of this process.
    unsafe (bytes.pointee, size.pointee) = try file.withUnsafeBytes { (file) throws(Failure) in
      guard let source = file.baseAddress, let copy = unsafe malloc(file.count) else {
        throw Failure(.outOfMemory, "there is no memory for \(file.count) bytes")
      }
      unsafe copy.copyMemory(from: source, byteCount: file.count)
      return unsafe (copy, file.count)
    }
  }
}

extension WebPOptions {
  fileprivate init(_ options: gallop_webp_options) throws(Failure) {
    self.init()
    size = try unsafe PixelSize(canvas: options.width, options.height)
    frames = try unsafe frameList(options.frames, count: options.frame_count)
    let most = unsafe options.most_per_second
    guard most >= 0, most.isFinite else { throw .argument("\(most) pictures a second: it is above 0") }
    mostPerSecond = most == 0 ? nil : most
    if unsafe options.is_lossy != 0 {
      let quality = unsafe options.quality
      guard (0...100).contains(quality) else { throw .argument("a quality of \(quality): it is 0 to 100") }
      compression = .lossy(quality)
    }
  }
}

extension Failure {
  fileprivate init(_ error: WebPError, source: String?) {
    if let underlying = error.underlying {
      self.init(underlying, source: source)
      return
    }
    let status: Status =
      switch error.code {
      case .noLibrary: .noLibrary
      case .tooLarge: Status(GIFError.Code.canvasTooLarge)
      case .tooLong: .invalidArgument
      case .outOfMemory: .outOfMemory
      case .cancelled: .cancelled
      case .refused, .decoding: .otherError
      }
    self.init(status, (source.map { $0 + ": " } ?? "") + error.description)
  }
}

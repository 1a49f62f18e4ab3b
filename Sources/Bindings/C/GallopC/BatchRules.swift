internal import CGallop
internal import Gallop

/// What became of a file.
struct BatchResult: Sendable {
  let tag: UInt64
  var failure: Failure?
  var image: ImageObject?
  /// The frames, all four bytes of each pixel.
  var frames: FrameObject?
  /// The frames in another packing.
  var memory: PictureMemory?
  var list: FrameList?
  var size = PixelSize(clampingWidth: 1, height: 1)
  var diagnostics: [GIFDiagnostic] = []

  /// Bytes of its pixels.
  var byteCount: Int { unsafe frames?.byteCount ?? memory?.bytes.count ?? 0 }
}

/// How each file of a batch is decoded.
struct BatchRules: Sendable {
  let opening: OpenOptions
  let format: PixelFormat
  let (width, height, fit): (UInt32, UInt32, Int32)
  /// Where a file has no choice of its own.
  let choice: FrameChoice
  let itemBytes: Int64
  private let packing: BatchPacking

  init(_ options: gallop_batch_options) throws(Failure) {
    opening = try unsafe OpenOptions(
      limits: DecodingLimits(options.limits), damage: DamagePolicy(options.damage),
      isCancelled: CancelObject.question(options.cancel))
    format = try unsafe PixelFormat(options.format)
    unsafe (width, height, fit) = (options.width, options.height, options.fit)
    let (first, count) = unsafe (options.first_frame, options.frame_count)
    guard first >= 0, count >= -1 else { throw .argument("frames from \(first) on, \(count) of them") }
    let (end, overflows) = first.addingReportingOverflow(count)
    choice = count < 0 ? .none : .part(first: first, end: count == 0 || overflows ? .max : end, step: 1)
    let bytes = unsafe options.item_bytes
    itemBytes = bytes > 0 ? bytes : 1 << 30
    packing = try unsafe BatchPacking(options, format)
  }

  /// Opens and decodes a file; an error is a result, too.
  func result(of source: BatchObject.Source, _ choice: FrameChoice, tag: UInt64) -> BatchResult {
    var result = BatchResult(tag: tag)
    do throws(Failure) {
      let object = try open(source)
      result.image = object
      try decode(choice, of: object, into: &result)
    } catch {
      result.failure = error
    }
    return result
  }

  private func open(_ source: BatchObject.Source) throws(Failure) -> ImageObject {
    if let isCancelled = opening.isCancelled, isCancelled() { throw Failure(GIFError(.cancelled)) }
    switch source {
    case .path(let path): return try ImageObject(path: path, opening)
    case .bytes(let bytes): return try ImageObject(bytes: bytes, opening)
    case .image(let object): return object
    }
  }

  private func decode(
    _ choice: FrameChoice, of object: ImageObject, into result: inout BatchResult
  ) throws(Failure) {
    let image = object.image
    // The index alone.
    guard let indices = try choice.indices(of: image.frameCount, named: object.name) else { return }
    let size = try PixelSize(of: image, width: width, height: height, fit: fit)
    try checkMemory(bytes: Int(image.pixelCount * 4))
    // What the file cannot have at all is told before what does not fit into one result.
    var renderer: FrameRenderer
    do throws(GIFError) {
      renderer = try FrameRenderer(image, format: format, size: size, checkpoints: .none)
    } catch {
      throw Failure(error, source: object.name)
    }
    let frameBytes = renderer.frameSize.area * Int64(packing.channels)
    let (bytes, overflows) = frameBytes.multipliedReportingOverflow(by: Int64(indices.count))
    guard !overflows, bytes <= itemBytes else {
      throw Failure(
        GIFError(.tooManyDecodedBytes, value: overflows ? .max : bytes, limit: itemBytes), source: object.name
      )
    }
    let memory = try PictureMemory(byteCount: Int(bytes))
    let list = FrameList(indices)
    try decoding(object.name) { () throws(GIFError) in try draw(list, of: &renderer, in: memory) }
    (result.size, result.list, result.diagnostics) = (renderer.frameSize, list, renderer.diagnostics)
    if packing.isWhole {
      result.frames = FrameObject(stacked: list, result.size, format, in: memory)
    } else {
      memory.companion = list
      result.memory = memory
    }
  }

  /// Draws frames into memory, one below another in the list's order. Each is decoded once, in the file's
  /// order.
  private func draw(
    _ list: FrameList, of renderer: inout FrameRenderer, in memory: PictureMemory
  ) throws(GIFError) {
    let size = renderer.frameSize
    let bytes = Int(size.area) * packing.channels
    unsafe precondition(memory.bytes.count >= bytes * list.count)
    guard let start = unsafe memory.bytes.baseAddress else { return }
    var former: Int?
    for place in list.places {
      let index = Int(list[place].index)
      if let former, list[former].index == list[place].index {
        list.setStatus(list[former].status, at: place)
        unsafe (start + place * bytes).copyMemory(from: start + former * bytes, byteCount: bytes)
        continue
      }
      former = place
      let status = try renderer.render(index, isCancelled: opening.isCancelled)
      list.setStatus(UInt8(status.number), at: place)
      try renderer.withPixels(of: index, status: status) { words, _, _ in
        guard
          let target = try? unsafe CallerPixels(
            packing.target(at: start + place * bytes, bytes, size), width: size.width, format: format,
            isUncached: memory.isLarge)
        else { return }
        if status == .blank { return unsafe target.clear(size) }
        let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        unsafe words.withUnsafeBytes { unsafe target.copy($0, width: size.width, rect: whole) }
      }
    }
  }
}

/// Channels and planes of a batch's frames.
struct BatchPacking: Sendable {
  let channels: Int
  private let number: Int32
  private let isPlanar: Bool
  private let background: UInt32

  /// Whether pixels have all four bytes, next to each other.
  var isWhole: Bool { channels == 4 && !isPlanar }

  init(_ options: gallop_batch_options, _ format: PixelFormat) throws(Failure) {
    let target = unsafe gallop_target(
      struct_size: 0, pixels: nil, size: 0, row_stride: 0, pixel_stride: 0, plane_stride: 0,
      channels: options.channels, background: options.background, flags: 0)
    // Refused here, not at each frame.
    channels = try unsafe PixelPacking(target, format).pixelStride
    unsafe (number, isPlanar, background) = (options.channels, options.is_planar != 0, options.background)
  }

  /// A frame's memory.
  func target(at start: UnsafeMutableRawPointer, _ bytes: Int, _ size: PixelSize) -> gallop_target {
    unsafe gallop_target(
      struct_size: 0, pixels: start, size: bytes, row_stride: 0, pixel_stride: 0,
      plane_stride: isPlanar ? Int(size.area) : 0, channels: number, background: background, flags: 0)
  }
}

extension FrameObject {
  /// Frames one below another in memory.
  fileprivate convenience init(
    stacked list: FrameList, _ size: PixelSize, _ format: PixelFormat, in memory: PictureMemory
  ) {
    let pixels = PixelBuffer(
      width: size.width, height: size.height * list.count, format: format,
      memory: unsafe PixelMemory(unwritten: memory.bytes.bindMemory(to: UInt32.self), of: memory))
    let rect = PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
    self.init(Frame(index: Int(list[0].index), pixels: pixels, changedRect: rect), delay: 0, list: list)
  }
}

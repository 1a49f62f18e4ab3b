// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

@c @implementation
public func gallop_batch_new(
  _ options: UnsafePointer<gallop_batch_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let options = try unsafe read(options, empty: gallop_batch_options())
    let batch = try unsafe BatchObject(options, hasThreads: ProcessState.shared.useBatches())
    try unsafe Handles.add(batch, to: out)
  }
}

@c @implementation
public func gallop_batch_add_path(
  _ batch: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ tag: UInt64
) -> gallop_status {
  answerStatus { () throws(Failure) in
    let path = try unsafe copy(path: path)
    return try unsafe add(.path(path), to: batch, tag)
  }
}

@c @implementation
public func gallop_batch_add_bytes(
  _ batch: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ size: Int, _ tag: UInt64
) -> gallop_status {
  answerStatus { () throws(Failure) in
    // Nothing is copied if the window is full.
    try unsafe add(.bytes(copy(bytes, size: size)), to: batch, tag)
  }
}

@c @implementation
public func gallop_batch_add_image(
  _ batch: OpaquePointer!, _ image: OpaquePointer!, _ tag: UInt64
) -> gallop_status {
  answerStatus { () throws(Failure) in
    let object: ImageObject = try unsafe Handles.object(image)
    return try unsafe add(.image(object), to: batch, tag)
  }
}

@c @implementation
public func gallop_batch_choose(
  _ batch: OpaquePointer!, _ choice: UnsafePointer<gallop_frame_choice>!
) -> gallop_status {
  answer { () throws(Failure) in
    let chosen: FrameChoice? =
      unsafe choice == nil ? nil : try FrameChoice(read(choice, empty: gallop_frame_choice()))
    try unsafe Handles.withExclusive(batch, BatchObject.self) { $0.choice = chosen }
  }
}

private func add(
  _ source: @autoclosure () throws(Failure) -> BatchObject.Source, to batch: OpaquePointer?, _ tag: UInt64
) throws(Failure) -> Status {
  try unsafe Handles.withExclusive(batch, BatchObject.self) { (object) throws(Failure) in
    try object.add(try source(), tag: tag)
  }
}

@c @implementation
public func gallop_batch_next(
  _ batch: OpaquePointer!, _ timeout_ms: Int64, _ item: UnsafeMutablePointer<gallop_batch_item>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    // Looked at first: a result that cannot be written would be lost.
    try unsafe write(gallop_batch_item(), to: item)
    return try unsafe Handles.withExclusive(batch, BatchObject.self) { (object) throws(Failure) in
      switch object.next(waiting: timeout_ms) {
      case .none: return .end
      case .notYet: return .again
      case .result(let result):
        try unsafe write(gallop_batch_item(result, message: object.keep(result)), to: item)
        return .ok
      }
    }
  }
}

extension gallop_batch_item {
  /// Hands out a result with its handles.
  fileprivate init(_ result: BatchResult, message: UnsafePointer<CChar>?) throws(Failure) {
    let image = try unsafe result.image.map { image throws(Failure) in try unsafe Handles.add(image) }
    let frames = try unsafe result.frames.map { frames throws(Failure) in try unsafe Handles.add(frames) }
    let memory = try unsafe result.memory.map { memory throws(Failure) in try unsafe Handles.add(memory) }
    let packed = unsafe (result.memory?.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)).map {
      unsafe UnsafePointer($0)
    }
    let pixels = unsafe result.frames?.view.pixels ?? packed
    let failure = result.failure
    unsafe self.init(
      struct_size: 0, tag: result.tag, status: (failure?.status ?? .ok).rawValue,
      error_frame: Int32(clamping: failure?.frame ?? -1), error_offset: Int64(failure?.offset ?? -1),
      error_value: failure?.value ?? 0, error_limit: failure?.limit ?? 0, message: message, image: image,
      frames: frames, frame_count: Int64(result.list?.count ?? 0), width: UInt32(result.size.width),
      frame_height: UInt32(result.size.height), pixels: pixels,
      statuses: result.list.flatMap { unsafe UnsafePointer($0.statuses.baseAddress) },
      diagnostic_count: Int32(clamping: result.diagnostics.count), reserved: 0,
      indices: result.list.flatMap { unsafe UnsafePointer($0.indices.baseAddress) }, memory: memory)
  }
}

@c @implementation
public func gallop_batch_diagnostic(
  _ batch: OpaquePointer!, _ index: Int32, _ diagnostic: UnsafeMutablePointer<gallop_diagnostic>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    let found = try unsafe Handles.withExclusive(batch, BatchObject.self) { $0.diagnostics }
    return try unsafe write(index, of: found, to: diagnostic)
  }
}

@c @implementation
public func gallop_batch_release(_ batch: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(batch, BatchObject.self) }
}

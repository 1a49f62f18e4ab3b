// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

@c @implementation
public func gallop_decoder_new(
  _ image: OpaquePointer!, _ options: UnsafePointer<gallop_decoder_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let options = try unsafe read(options, empty: gallop_decoder_options())
    try unsafe Handles.add(DecoderObject(Handles.object(image), options), to: out)
  }
}

@c @implementation
public func gallop_decoder_get_info(
  _ decoder: OpaquePointer!, _ info: UnsafeMutablePointer<gallop_decoder_info>!
) -> gallop_status {
  answer { () throws(Failure) in
    try unsafe write(Handles.withExclusive(decoder, DecoderObject.self) { $0.info }, to: info)
  }
}

@c @implementation
public func gallop_decoder_read(
  _ decoder: OpaquePointer!, _ index: Int64, _ pixels: UnsafeMutableRawPointer!, _ size: Int, _ stride: Int,
  _ flags: UInt32, _ view: UnsafeMutablePointer<gallop_frame_view>!
) -> gallop_status {
  answer { () throws(Failure) in
    try check(readFlags: flags)
    try unsafe Handles.withExclusive(decoder, DecoderObject.self) { decoder throws(Failure) in
      let target = try unsafe CallerPixels(
        pixels, size: size, stride: stride, width: decoder.size.width,
        isUncached: flags & UInt32(GALLOP_READ_UNCACHED) != 0)
      let answer = try unsafe decoder.read(
        index, into: target, onlyChanges: flags & UInt32(GALLOP_READ_CHANGES) != 0)
      if let view = unsafe view { try unsafe write(answer, to: view) }
    }
  }
}

@c @implementation
public func gallop_decoder_read_to(
  _ decoder: OpaquePointer!, _ index: Int64, _ target: UnsafePointer<gallop_target>!,
  _ view: UnsafeMutablePointer<gallop_frame_view>!
) -> gallop_status {
  answer { () throws(Failure) in
    _ = try unsafe given(target, "the target")
    let target = try unsafe read(target, empty: gallop_target())
    let flags = unsafe target.flags
    try check(readFlags: flags)
    try unsafe Handles.withExclusive(decoder, DecoderObject.self) { decoder throws(Failure) in
      let memory = try unsafe CallerPixels(
        target, width: decoder.size.width, format: decoder.format,
        isUncached: flags & UInt32(GALLOP_READ_UNCACHED) != 0)
      let answer = try unsafe decoder.read(
        index, into: memory, onlyChanges: flags & UInt32(GALLOP_READ_CHANGES) != 0)
      if let view = unsafe view { try unsafe write(answer, to: view) }
    }
  }
}

private func check(readFlags flags: UInt32) throws(Failure) {
  let known = UInt32(GALLOP_READ_CHANGES | GALLOP_READ_UNCACHED)
  guard flags & ~known == 0 else { throw .argument("there are no flags \(flags)") }
}

@c @implementation
public func gallop_decoder_frame(
  _ decoder: OpaquePointer!, _ index: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ view: UnsafeMutablePointer<gallop_frame_view>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let frame = try unsafe Handles.withExclusive(decoder, DecoderObject.self) { (object) throws(Failure) in
      try object.frame(index)
    }
    if let view = unsafe view { try unsafe write(frame.view, to: view) }
    try unsafe Handles.add(frame, to: out)
  }
}

@c @implementation
public func gallop_decoder_update(_ decoder: OpaquePointer!, _ image: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in
    let newer: ImageObject = try unsafe Handles.object(image)
    try unsafe Handles.withExclusive(decoder, DecoderObject.self) { (object) throws(Failure) in
      try object.update(to: newer)
    }
  }
}

@c @implementation
public func gallop_decoder_diagnostic(
  _ decoder: OpaquePointer!, _ index: Int32, _ diagnostic: UnsafeMutablePointer<gallop_diagnostic>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    let found = try unsafe Handles.withExclusive(decoder, DecoderObject.self) { $0.diagnostics }
    return try unsafe write(index, of: found, to: diagnostic)
  }
}

@c @implementation
public func gallop_decoder_release(_ decoder: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(decoder, DecoderObject.self) }
}

// MARK: - Frames

@c @implementation
public func gallop_frame_get_view(
  _ frame: OpaquePointer!, _ view: UnsafeMutablePointer<gallop_frame_view>!
) -> gallop_status {
  answer { () throws(Failure) in try unsafe write(Handles.object(frame, FrameObject.self).view, to: view) }
}

@c @implementation
public func gallop_frame_retain(
  _ frame: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(Handles.object(frame, FrameObject.self), to: out)
  }
}

@c @implementation
public func gallop_frame_copy(
  _ frame: OpaquePointer!, _ format: Int32, _ pixels: UnsafeMutableRawPointer!, _ size: Int, _ stride: Int
) -> gallop_status {
  answer { () throws(Failure) in
    let object: FrameObject = try unsafe Handles.object(frame)
    let width = object.frame.pixels.width
    try unsafe object.copy(
      PixelFormat(format), to: CallerPixels(pixels, size: size, stride: stride, width: width))
  }
}

@c @implementation
public func gallop_frame_release(_ frame: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(frame, FrameObject.self) }
}

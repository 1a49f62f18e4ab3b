// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

@c @implementation
public func gallop_limits_init(
  _ limits: UnsafeMutablePointer<gallop_limits>!, _ preset: Int32
) -> gallop_status {
  answer { () throws(Failure) in try unsafe write(DecodingLimits.preset(preset).structure, to: limits) }
}

@c @implementation
public func gallop_image_open(
  _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<gallop_open_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(ImageObject(path: copy(path: path), OpenOptions(options)), to: out)
  }
}

@c @implementation
public func gallop_image_from_bytes(
  _ bytes: UnsafeRawPointer!, _ size: Int, _ options: UnsafePointer<gallop_open_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(ImageObject(bytes: copy(bytes, size: size), OpenOptions(options)), to: out)
  }
}

@c @implementation
public func gallop_image_release(_ image: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(image, ImageObject.self) }
}

@c @implementation
public func gallop_image_get_info(
  _ image: OpaquePointer!, _ info: UnsafeMutablePointer<gallop_image_info>!
) -> gallop_status {
  answer { () throws(Failure) in
    try unsafe write(Handles.object(image, ImageObject.self).image.info, to: info)
  }
}

@c @implementation
public func gallop_image_get_frame(
  _ image: OpaquePointer!, _ index: Int64, _ info: UnsafeMutablePointer<gallop_frame_info>!
) -> gallop_status {
  answer { () throws(Failure) in
    let object: ImageObject = try unsafe Handles.object(image)
    try unsafe write(object.image.info(of: object.frame(at: index)), to: info)
  }
}

@c @implementation
public func gallop_image_get_frames(
  _ image: OpaquePointer!, _ first: Int64, _ count: Int64, _ infos: UnsafeMutablePointer<gallop_frame_info>!,
  _ struct_size: Int
) -> gallop_status {
  answer { () throws(Failure) in
    try unsafe Handles.object(image, ImageObject.self).writeFrames(first, count, to: infos, size: struct_size)
  }
}

@c @implementation
public func gallop_image_comment(
  _ image: OpaquePointer!, _ index: Int32, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int,
  _ length: UnsafeMutablePointer<Int>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    try unsafe Handles.object(image, ImageObject.self).writeComment(
      index, to: buffer, capacity: capacity, length: length)
  }
}

@c @implementation
public func gallop_image_extension(
  _ image: OpaquePointer!, _ index: Int32, _ target: UnsafeMutablePointer<gallop_extension>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    try unsafe Handles.object(image, ImageObject.self).writeExtension(index, to: target)
  }
}

@c @implementation
public func gallop_image_palette(
  _ image: OpaquePointer!, _ frame: Int64, _ format: Int32, _ colors: UnsafeMutablePointer<UInt8>!,
  _ capacity: Int, _ count: UnsafeMutablePointer<Int>!
) -> gallop_status {
  answer { () throws(Failure) in
    let object: ImageObject = try unsafe Handles.object(image)
    let palette = try object.palette(ofFrame: frame, PixelFormat(format))
    try unsafe write(palette, to: colors, capacity: capacity, count: count)
  }
}

@c @implementation
public func gallop_image_diagnostic(
  _ image: OpaquePointer!, _ index: Int32, _ diagnostic: UnsafeMutablePointer<gallop_diagnostic>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    try unsafe write(index, of: Handles.object(image, ImageObject.self).image.diagnostics, to: diagnostic)
  }
}

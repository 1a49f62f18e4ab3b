// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

@c @implementation
public func gallop_editor_new(
  _ images: UnsafePointer<OpaquePointer?>!, _ count: Int, _ edit: UnsafePointer<gallop_edit>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let edit = try unsafe read(edit, empty: gallop_edit())
    let objects = try unsafe imageObjects(images, count: count)
    let isCancelled = try unsafe CancelObject.question(edit.cancel)
    try unsafe Handles.add(EditorObject(objects, GIFEdit(edit), isCancelled: isCancelled), to: out)
  }
}

/// The images of a list of handles, of which C guarantees that it has `count`.
private func imageObjects(
  _ handles: UnsafePointer<OpaquePointer?>?, count: Int
) throws(Failure) -> [ImageObject] {
  let most = 1 << 20
  let handles = try unsafe given(handles, "the list of images")
  guard (1...most).contains(count) else {
    throw .argument("a list of \(count) images: it may have 1 to \(most)")
  }
  var objects: [ImageObject] = []
  for place in 0..<count { objects.append(try unsafe Handles.object(handles[place])) }
  return objects
}

@c @implementation
public func gallop_editor_write(_ editor: OpaquePointer!, _ fd: Int32) -> gallop_status {
  answer { () throws(Failure) in
    try unsafe Handles.withExclusive(editor, EditorObject.self) { (object) throws(Failure) in
      try object.write(to: fd)
    }
  }
}

@c @implementation
public func gallop_editor_bytes(
  _ editor: OpaquePointer!, _ bytes: UnsafeMutablePointer<UnsafeRawPointer?>!,
  _ size: UnsafeMutablePointer<Int>!
) -> gallop_status {
  answer { () throws(Failure) in
    let bytes = try unsafe given(bytes, "the pointer for the bytes")
    let size = try unsafe given(size, "the pointer for their number")
    unsafe (bytes.pointee, size.pointee) = (nil, 0)
    try unsafe Handles.withExclusive(editor, EditorObject.self) { (object) throws(Failure) in
      let output = try unsafe object.output()
      unsafe (bytes.pointee, size.pointee) = (output.baseAddress, output.count)
    }
  }
}

@c @implementation
public func gallop_editor_get_info(
  _ editor: OpaquePointer!, _ info: UnsafeMutablePointer<gallop_editor_info>!
) -> gallop_status {
  answer { () throws(Failure) in
    try unsafe write(Handles.withExclusive(editor, EditorObject.self) { $0.info }, to: info)
  }
}

@c @implementation
public func gallop_editor_release(_ editor: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(editor, EditorObject.self) }
}

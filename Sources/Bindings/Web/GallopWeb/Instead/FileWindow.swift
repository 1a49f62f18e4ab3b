/// The web has no files that stay where they are: without a value of this type nothing that reads one is in
/// the module.
enum FileWindow {
  init(_ source: any ByteSource, size: Int) { preconditionFailure("the web has no files") }

  var source: any ByteSource { switch self {} }
  var base: Int { switch self {} }
  var end: Int { switch self {} }
  var failure: GIFError? { switch self {} }
  var start: UnsafeRawPointer { switch self {} }
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { switch self {} }
  }

  func copy(_ range: Range<Int>) -> HeapBlock { switch self {} }
  func cover(_ range: Range<Int>) { switch self {} }
  func begin(at offset: Int) { switch self {} }
  func slide(to offset: Int, wanted: Int) { switch self {} }
  func digest(of range: Range<Int>) -> UInt64 { switch self {} }
  func beginDigest(at offset: Int) { switch self {} }
  func endDigest(at offset: Int) -> UInt64 { switch self {} }
}

/// A window that another object holds.
@unsafe enum UnretainedFileWindow {
  static func passUnretained(_ window: FileWindow) -> UnretainedFileWindow { switch window {} }
  func takeUnretainedValue() -> FileWindow { switch unsafe self {} }
}

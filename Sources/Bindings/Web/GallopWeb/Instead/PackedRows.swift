/// On the web a canvas never rests packed: without a value of this type nothing that packs or unpacks is in
/// the module.
enum PackedRows {
  enum Change { case none, drawn, overwritten }

  init(width: Int, height: Int) { preconditionFailure("canvases of the web are not packed") }

  static func mostBytes(width: Int, height: Int) -> Int64 { 0 }
  var byteCount: Int { switch self {} }
  func close(_ words: Span<UInt32>) -> Bool { switch self {} }
  func open(_ rows: Range<Int>, for change: Change, _ words: inout PixelMemory) { switch self {} }
  func change(_ rows: Range<Int>, where blocks: ChangedBlocks) { switch self {} }
}

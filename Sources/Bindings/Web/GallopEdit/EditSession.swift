internal import GIFDecoding
internal import GIFEditing

/// A GIF and the edit of it, with the block through which the page passes bytes in and takes them out.
struct EditSession: ~Copyable {
  var bytes = SharedBlock<UInt8>(capacity: 1 << 16, filledWith: 0)
  private var stream: GIFStream? = GIFStream(limits: .default, reserve: nil)
  private var editor: GIFEditor?
  private var code = ""
  private(set) var errorFrame: Int32 = -1

  mutating func append(_ count: Int32) {
    do throws(GIFError) {
      try bytes.withPrefix(Int(count)) { piece throws(GIFError) in try stream?.append(piece) }
    } catch {
      stream = nil
      fail(error)
    }
  }

  mutating func begin(_ first: Int32, _ end: Int32) -> Int32 {
    guard let stream = stream.take() else { return -1 }
    do throws(GIFError) {
      let image = try stream.finish()
      var edit = GIFEdit()
      edit.frames = Array(Int(max(0, first))..<Int(max(0, first, end)))
      do throws(GIFEditError) {
        let editor = try GIFEditor([image], edit)
        self.editor = editor
        return Int32(clamping: editor.chosenFrames)
      } catch {
        fail(error)
        return -1
      }
    } catch {
      fail(error)
      return -1
    }
  }

  mutating func next() -> Int32 {
    guard let editor else { return -1 }
    do throws(GIFEditError) {
      bytes.removeAll()
      // One frame at a time: the page shows how many are done, and may go on with other things between.
      guard try editor.writeNext({ false }) else { return 0 }
      let count = editor.piece.count
      bytes.append(contentsOf: editor.piece)
      editor.dropPiece(count)
      return Int32(clamping: count)
    } catch {
      fail(error)
      return -1
    }
  }

  mutating func writeError() -> Int32 {
    bytes.removeAll()
    bytes.append(code)
    return Int32(clamping: bytes.count)
  }

  private mutating func fail(_ error: GIFError) {
    code = error.code.rawValue
    errorFrame = Int32(clamping: error.frame ?? -1)
  }

  private mutating func fail(_ error: GIFEditError) {
    if let reason = error.reason { return fail(reason) }
    code = error.code.rawValue
    errorFrame = Int32(clamping: error.frame ?? -1)
  }
}

import GIFEditing

extension GIFEditor {
  /// The whole output; nil where a frame has too many colours to be written anew.
  func writtenBytes() throws -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(GIFEditError) {
      while let part = try next() { bytes += part }
    } catch {
      guard error.code == .tooManyColors else { throw error }
      return nil
    }
    return bytes
  }
}

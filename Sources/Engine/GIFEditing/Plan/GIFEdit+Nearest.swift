extension GIFEdit {
  /// The edit with another beginning of the run of frames that cannot begin where it does.
  ///
  /// - Parameters:
  ///   - error: why a frame cannot be written; it names the nearest frames that can.
  ///   - count: the number of frames of all images.
  /// - Returns: the edit and the frame; nil where none is named, or the frame is not the first of a run.
  package func beginningNearest(
    to error: GIFEditError, of count: Int
  ) -> (edit: GIFEdit, frame: Int)? {
    let frames = self.frames ?? Array(0..<count)
    guard error.code == .tooManyColors, let frame = error.frame,
      let start = frames.indices.first(where: { place in
        frames[place] == frame && (place == 0 || frames[place - 1] + 1 != frame)
      })
    else { return nil }
    let run = frames[start...].enumerated().prefix { $0.element == frame + $0.offset }.count
    // A later beginning leaves at least one frame of the run.
    let possible = error.nearest.filter { $0 < frame + run }
    guard let nearest = possible.min(by: { abs($0 - frame) < abs($1 - frame) }) else { return nil }
    var edit = self
    let added = nearest < frame ? Array(nearest..<frame) : []
    edit.frames = Array(frames[..<start]) + added + frames[(start + max(0, nearest - frame))...]
    return (edit, nearest)
  }
}

extension GIFEdit {
  /// An edit of which a run of frames begins elsewhere.
  package struct MovedBeginning {
    package var edit: GIFEdit
    /// The frame at which the run begins now.
    package var frame: Int
    /// How many frames stand behind the run. It stays the same wherever this run or one before it begins.
    package var framesBehind: Int
  }

  /// Whether a place in the list of chosen frames is the first one of a run.
  func beginsRun(at place: Int) -> Bool {
    guard let frames else { return place == 0 }
    return place == 0 || (frames.indices.contains(place) && frames[place - 1] + 1 != frames[place])
  }

  /// The edit with another beginning of the run of frames that cannot begin where it does.
  ///
  /// - Parameters:
  ///   - error: why a frame cannot be written; it names the nearest frames that can.
  ///   - count: the number of frames of all images.
  /// - Returns: nil where no frame is named, or the one that fails is not the first of a run.
  package func beginningNearest(to error: GIFEditError, of count: Int) -> MovedBeginning? {
    let frames = self.frames ?? Array(0..<count)
    guard error.code == .tooManyColors, let frame = error.frame, let start = error.place,
      frames.indices.contains(start), frames[start] == frame, beginsRun(at: start)
    else { return nil }
    let run = frames[start...].enumerated().prefix { $0.element == frame + $0.offset }.count
    // A later beginning leaves at least one frame of the run.
    let possible = error.nearest.filter { $0 < frame + run }
    guard let nearest = possible.min(by: { abs($0 - frame) < abs($1 - frame) }) else { return nil }
    var edit = self
    let added = nearest < frame ? Array(nearest..<frame) : []
    edit.frames = Array(frames[..<start]) + added + frames[(start + max(0, nearest - frame))...]
    return MovedBeginning(edit: edit, frame: nearest, framesBehind: frames.count - start - run)
  }
}

/// A value for each of some frames.
///
/// No dictionary: its hashing is a large part of what a module for the web links of the standard library.
struct PerFrame<Value: Sendable>: Sendable {
  private var values: [Value?] = []

  subscript(frame: Int) -> Value? {
    get { frame < values.count ? values[frame] : nil }
    set {
      if frame >= values.count {
        values.append(contentsOf: repeatElement(nil, count: frame + 1 - values.count))
      }
      values[frame] = newValue
    }
  }
}

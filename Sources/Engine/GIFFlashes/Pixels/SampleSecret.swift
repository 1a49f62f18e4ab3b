/// A number that no file can foresee, so that none can be made whose samples hide its flashes.
///
/// The content alone would not do: bytes of a comment can be chosen for any number that follows from them.
enum SampleSecret {
  static let ofProcess = UInt64.random(in: .min ... .max)
}

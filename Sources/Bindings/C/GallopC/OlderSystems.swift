/// The one function of the Swift runtime that would need a newer C library than all others: `hypotf` has a
/// new version since glibc 2.35, which differs in setting `errno`. The linker puts this one in its place.
@_cdecl("__wrap_hypotf")
func wrappedHypotenuse(_ x: Float, _ y: Float) -> Float {
  // An infinite side counts even beside one that is no number.
  if x.isInfinite || y.isInfinite { return .infinity }
  // The squares of two Floats, and their sum, fit a Double.
  return Float((Double(x) * Double(x) + Double(y) * Double(y)).squareRoot())
}

/// What looks at pictures over one backdrop.
protocol BackdropLook: Sendable {
  var backdrop: Backdrop { get set }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64)
}

/// The same look over white, and over black from the first transparent sample on.
struct Backdrops<Look: BackdropLook>: Sendable {
  private(set) var overWhite: Look
  /// Nil as long as all is opaque.
  private(set) var overBlack: Look?

  init(_ look: Look) { overWhite = look }

  var looks: [Look] { [overWhite] + (overBlack.map { [$0] } ?? []) }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64) {
    if picture.hasTransparency, overBlack == nil {
      overBlack = overWhite
      overBlack?.backdrop = .black
    }
    overWhite.take(picture, frame: frame, time: time)
    overBlack?.take(picture, frame: frame, time: time)
  }
}

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

  /// Changes each look.
  mutating func update(_ body: (inout Look) -> Void) {
    body(&overWhite)
    if var look = overBlack.take() {
      body(&look)
      overBlack = look
    }
  }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64) {
    if picture.hasTransparency, overBlack == nil {
      overBlack = overWhite
      overBlack?.backdrop = .black
    }
    update { $0.take(picture, frame: frame, time: time) }
  }
}

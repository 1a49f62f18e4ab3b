/// A file that the tool writes.
struct Sample: Sendable {
  let name: String
  let make: @Sendable () throws -> [UInt8]

  /// All of the samples, the picture of the project first.
  static let all = [
    Sample(name: "gallop", make: GallopScene.make),
    Sample(name: "delays", make: DelaysScene.make),
    Sample(name: "disposals", make: DisposalsScene.make),
    Sample(name: "palettes", make: PalettesScene.make),
    Sample(name: "interlaced", make: InterlacedScene.make),
    Sample(name: "spinner", make: SpinnerScene.make),
    Sample(name: "lissajous", make: LissajousScene.make),
    Sample(name: "spheres", make: SpheresScene.make),
    Sample(name: "thrice", make: BounceScene.make),
    Sample(name: "horseshoe", make: HorseshoeScene.make),
  ]
}

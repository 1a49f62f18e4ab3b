// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "Samples",
  products: [
    .library(name: "GIFWriting", targets: ["GIFWriting"]),
    .executable(name: "make-samples", targets: ["make-samples"]),
    .executable(name: "embed-player", targets: ["embed-player"]),
  ],
  dependencies: [.package(name: "gallop", path: "..")],
  targets: [
    .systemLibrary(name: "CGifEncoder", pkgConfig: "libgif", providers: [.apt(["libgif-dev"])]),
    .target(name: "GIFWriting", dependencies: ["CGifEncoder"], swiftSettings: settings),
    .executableTarget(name: "make-samples", dependencies: ["GIFWriting"], swiftSettings: settings),
    .executableTarget(
      name: "embed-player", dependencies: [.product(name: "Gallop", package: "gallop")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

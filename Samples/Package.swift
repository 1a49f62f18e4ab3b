// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let gallop = Target.Dependency.product(name: "Gallop", package: "gallop")

let package = Package(
  name: "Samples",
  products: [
    .executable(name: "make-samples", targets: ["make-samples"]),
    .executable(name: "embed-player", targets: ["embed-player"]),
    .executable(name: "chat-list", targets: ["chat-list"]),
    .executable(name: "extract-thumbnails", targets: ["extract-thumbnails"]),
    .executable(name: "progressive-player", targets: ["progressive-player"]),
    .executable(name: "control-panel", targets: ["control-panel"]),
    .executable(name: "windowed-player", targets: ["windowed-player"]),
  ],
  dependencies: [.package(name: "gallop", path: "..")],
  targets: [
    .executableTarget(
      name: "make-samples", dependencies: [gallop, .product(name: "GIFWriting", package: "gallop")],
      swiftSettings: settings),
    .executableTarget(name: "embed-player", dependencies: [gallop], swiftSettings: settings),
    .executableTarget(
      name: "chat-list", dependencies: [gallop, .product(name: "GIFStage", package: "gallop")],
      swiftSettings: settings),
    .executableTarget(name: "extract-thumbnails", dependencies: [gallop], swiftSettings: settings),
    .executableTarget(name: "progressive-player", dependencies: [gallop], swiftSettings: settings),
    .executableTarget(name: "control-panel", dependencies: [gallop], swiftSettings: settings),
    .executableTarget(
      name: "windowed-player",
      dependencies: [
        gallop, .product(name: "GallopFoundation", package: "gallop"),
        .product(name: "GIFStage", package: "gallop"), .product(name: "WindowDisplay", package: "gallop"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets for libFuzzer: see fuzz.sh. Apart from the engine's own package, so that its build leaves them
// out.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "gallop", path: "../..")],
  targets: [
    .systemLibrary(name: "CLibFuzzer", path: "Sources/CLibFuzzer"),
    .target(
      name: "FuzzSupport", dependencies: ["CLibFuzzer", .product(name: "Gallop", package: "gallop")]),
    .executableTarget(name: "FuzzEdit", dependencies: ["FuzzSupport"]),
    .executableTarget(name: "FuzzGrowth", dependencies: ["FuzzSupport"]),
    .executableTarget(name: "FuzzIndex", dependencies: ["FuzzSupport"]),
    .executableTarget(name: "FuzzLZW", dependencies: ["FuzzSupport"]),
    .executableTarget(name: "FuzzRenderer", dependencies: ["FuzzSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}

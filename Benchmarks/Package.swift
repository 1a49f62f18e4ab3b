// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what benchmarks depend on never reaches a user of the library.
let package = Package(
  name: "gallop-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "gallop", path: ".."),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Decoding",
      dependencies: [
        .product(name: "Gallop", package: "gallop"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Decoding",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "Tiers", dependencies: [.product(name: "Gallop", package: "gallop")],
      path: "Benchmarks/Tiers"),
    .executableTarget(
      name: "Flashes", dependencies: [.product(name: "Gallop", package: "gallop")],
      path: "Benchmarks/Flashes"),
    .executableTarget(
      name: "Scaling", dependencies: [.product(name: "Gallop", package: "gallop")],
      path: "Benchmarks/Scaling"),
    .executableTarget(
      name: "Soak", dependencies: ["Measuring", .product(name: "Gallop", package: "gallop")],
      path: "Benchmarks/Soak"),
    .executableTarget(
      name: "Players", dependencies: ["Measuring", .product(name: "Gallop", package: "gallop")],
      path: "Benchmarks/Players"),
    .executableTarget(
      name: "Wall",
      dependencies: [
        "Measuring",
        .product(name: "Gallop", package: "gallop"), .product(name: "GIFStage", package: "gallop"),
      ],
      path: "Benchmarks/Wall"),
    .executableTarget(
      name: "Scrolling", dependencies: ["Measuring", .product(name: "Gallop", package: "gallop")],
      path: "Benchmarks/Scrolling"),
    .target(name: "Measuring", path: "Benchmarks/Measuring"),
  ],
  swiftLanguageModes: [.v6]
)

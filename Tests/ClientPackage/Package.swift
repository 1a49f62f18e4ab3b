// swift-tools-version: 6.2
import PackageDescription

// A package as users of the library write one, built for release: the library's code is then compiled into
// it.
let package = Package(
  name: "client-test",
  dependencies: [.package(name: "gallop", path: "../..")],
  targets: [
    .target(name: "Shapes"),
    .executableTarget(
      name: "ClientTest",
      dependencies: ["Shapes", gallop] + shapeTargets.map { .init(stringLiteral: $0) }),
  ],
  swiftLanguageModes: [.v6]
)

// Each target has one file, as a small program has: only there has the compiler crashed.
for name in shapeTargets {
  package.targets.append(.target(name: name, dependencies: ["Shapes", gallop]))
}

var gallop: Target.Dependency { .product(name: "Gallop", package: "gallop") }

var shapeTargets: [String] { ["AsyncShapes", "PipelineShapes", "RendererShapes", "StreamShapes"] }

// swift-tools-version: 6.3
import PackageDescription

// A floor is a folder: its targets may use those of the floors before it, and of their own.

// C modules: headers of libraries, and what Swift cannot express.
let system: [Target] = [
  .systemLibrary(name: "CGiflib", pkgConfig: "libgif", providers: [.apt(["libgif-dev"])]),
  .systemLibrary(name: "CSpng", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
  .systemLibrary(
    name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev", "libglib2.0-dev"])]),
  // Headers only: without `pkgConfig` nothing links libcurl, which is opened when a URL is first loaded.
  .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
  // Headers only, no linking: see its shim.h.
  .systemLibrary(name: "CSDL2", providers: [.apt(["libsdl2-dev"])]),
  // Declarations only: FreeType and fontconfig are opened when a window needs letters.
  .systemLibrary(name: "CFreeType"),
  // Headers only: libwebp and libwebpmux are opened when a WebP is first written.
  .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
  .target(name: "CArguments"),
  .systemLibrary(name: "CLinux"),
  .systemLibrary(name: "CMemory"),
  .systemLibrary(name: "CPixelPacking"),
  .systemLibrary(name: "CUncachedCopy"),
  .systemLibrary(name: "CVectorBlend"),
]

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

// Bytes to pixels to players, without views.
let engine: [Target] = [
  .target(name: "GIFDecoding", dependencies: ["CGiflib", "CMemory", "CVectorBlend"]),
  .target(name: "GIFTimeline", dependencies: ["GIFDecoding"]),
  .target(name: "GIFWriting", dependencies: ["GIFDecoding"]),
  .target(name: "GIFEditing", dependencies: ["GIFDecoding", "GIFWriting"]),
  .target(name: "GIFFlashes", dependencies: ["GIFDecoding", "GIFTimeline"]),
  .target(name: "EngineSupport", dependencies: [deque]),
  .target(name: "GIFBatch", dependencies: ["EngineSupport", "GIFDecoding", deque]),
  .target(
    name: "GIFCaching", dependencies: ["CLinux", "EngineSupport", "GIFDecoding", "GIFTimeline", heap]),
  .target(name: "GIFLoading", dependencies: ["CCurl", "EngineSupport", "GIFDecoding", deque]),
  .target(
    name: "GIFPlayback",
    dependencies: [
      "EngineSupport", "GIFCaching", "GIFFlashes", "GIFLoading", "GIFTimeline", deque, heap,
    ]),
  // Without CSpng: libspng is opened with the first PNG.
  .target(name: "PNGExport", dependencies: ["EngineSupport", "GIFDecoding"]),
  // Not part of `import Gallop`, whose users need no headers of libwebp.
  .target(name: "WebPExport", dependencies: ["CWebP", "EngineSupport", "GIFDecoding"]),
  .target(
    name: "Gallop",
    dependencies: [
      "GIFBatch", "GIFCaching", "GIFDecoding", "GIFEditing", "GIFFlashes", "GIFLoading", "GIFPlayback",
      "GIFTimeline", "PNGExport",
    ]),
  .target(name: "GallopFoundation", dependencies: ["Gallop"]),
]

let views: [Target] = [
  .target(name: "GIFStage", dependencies: ["EngineSupport", "GIFLoading", "GIFPlayback"]),
  .target(name: "TerminalDisplay", dependencies: ["CChafa", "CSpng", "EngineSupport", "GIFStage"]),
  .target(name: "WindowDisplay", dependencies: ["CFreeType", "CSDL2", "EngineSupport", "GIFStage"]),
]

let tool: [Target] = [
  .executableTarget(
    name: "GallopCLI",
    dependencies: [
      "Gallop", "GIFStage", "TerminalDisplay", "WindowDisplay", "CArguments", "CLinux", "CSpng",
      "WebPExport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ])
]

// The library for C, which `make library` builds: a build of the whole package need not.
let buildsLibrary = Context.environment["GALLOP_C_LIBRARY"] != nil
let bindings: [Target] =
  buildsLibrary
  ? [
    .systemLibrary(name: "CGallop", path: "Sources/Bindings/C/CGallop/include"),
    .target(
      name: "GallopC",
      dependencies: [
        "CLinux", "CGallop", "CPixelPacking", "CUncachedCopy", "EngineSupport", "Gallop", "WebPExport",
      ],
      path: "Sources/Bindings/C/GallopC",
      // `--static-swift-stdlib` is for programs alone.
      linkerSettings: [.unsafeFlags(["-static-stdlib"])]),
  ] : []

let support: [Target] = [
  .target(name: "GIFTestSupport"),
  .target(name: "GIFDecodingTestSupport", dependencies: ["GIFDecoding", "GIFTestSupport"]),
  .target(name: "HTTPTestSupport"),
  .testTarget(name: "GIFTestSupportTests", dependencies: ["GIFTestSupport"]),
]

let engineTests: [Target] = [
  .testTarget(
    name: "GIFDecodingTests",
    dependencies: ["GIFDecoding", "GIFDecodingTestSupport", "GIFTestSupport", "CGiflib", "CVectorBlend"],
    exclude: ["Goldens/README.md", "Goldens/goldens.jsonl"]),
  .testTarget(
    name: "GIFTimelineTests", dependencies: ["GIFCaching", "GIFPlayback", "GIFTimeline", "GIFTestSupport"]),
  .testTarget(name: "GIFWritingTests", dependencies: ["GIFDecoding", "GIFTestSupport", "GIFWriting"]),
  .testTarget(
    name: "GIFEditingTests",
    dependencies: [
      "GIFBatch", "GIFDecoding", "GIFDecodingTestSupport", "GIFEditing", "GIFTestSupport", "GIFWriting",
    ]),
  .testTarget(
    name: "GIFFlashesTests", dependencies: ["GIFDecoding", "GIFFlashes", "GIFTestSupport"]),
  .testTarget(name: "EngineSupportTests", dependencies: ["EngineSupport", "GIFTestSupport"]),
  .testTarget(
    name: "GIFBatchTests", dependencies: ["GIFBatch", "GIFDecodingTestSupport", "GIFTestSupport"]),
  .testTarget(
    name: "GIFCachingTests", dependencies: ["EngineSupport", "GIFCaching", "GIFTestSupport", "GIFTimeline"]),
  .testTarget(
    name: "GIFLoadingTests",
    dependencies: [
      "EngineSupport", "GIFDecodingTestSupport", "GIFLoading", "GIFTestSupport", "HTTPTestSupport", "CCurl",
    ]),
  .testTarget(
    name: "GIFPlaybackTests",
    dependencies: [
      "EngineSupport", "GIFLoading", "GIFPlayback", "GIFTestSupport", "GIFTimeline", "HTTPTestSupport",
    ]),
  .testTarget(name: "PNGExportTests", dependencies: ["CSpng", "GIFDecoding", "PNGExport"]),
  .testTarget(
    name: "WebPExportTests", dependencies: ["GIFDecoding", "GIFTestSupport", "WebPExport"]),
  .testTarget(name: "GallopFoundationTests", dependencies: ["Gallop", "GallopFoundation"]),
]

let viewTests: [Target] = [
  .testTarget(
    name: "GIFStageTests", dependencies: ["EngineSupport", "GIFStage", "GIFTestSupport", "GIFTimeline"]),
  .testTarget(name: "TerminalDisplayTests", dependencies: ["CSpng", "GIFDecoding", "TerminalDisplay"]),
  .testTarget(
    name: "WindowDisplayTests",
    dependencies: ["CSDL2", "EngineSupport", "GIFStage", "GIFTimeline", "WindowDisplay"]),
]

let toolTests: [Target] = [
  .testTarget(
    name: "GallopCLITests",
    dependencies: [
      "CLinux", "GIFTestSupport", "HTTPTestSupport", "Gallop", "GallopCLI", "TerminalDisplay",
    ])
]

let floors: KeyValuePairs = [
  "Sources/System": system, "Sources/Engine": engine, "Sources/Views": views, "Sources/Tool": tool,
  "Sources/Bindings": bindings, "Tests/Support": support, "Tests/Engine": engineTests,
  "Tests/Views": viewTests, "Tests/Tool": toolTests,
]
for (folder, targets) in floors {
  for target in targets where target.path == nil { target.path = "\(folder)/\(target.name)" }
}

let package = Package(
  name: "gallop",
  products: [
    .library(name: "Gallop", targets: ["Gallop"]),
    // Writes GIFs from palettes and indices.
    .library(name: "GIFWriting", targets: ["GIFWriting"]),
    // Writes animated WebPs, with libwebp.
    .library(name: "WebPExport", targets: ["WebPExport"]),
    // For programs that use Foundation: sentences for `localizedDescription`.
    .library(name: "GallopFoundation", targets: ["GallopFoundation"]),
    // The views: a product of its own, as Color, View and Stage are names that UI libraries have, too.
    .library(name: "GIFStage", targets: ["GIFStage"]),
    // A stage in a window: one of ours, or one of a program's own SDL.
    .library(name: "WindowDisplay", targets: ["WindowDisplay"]),
    .executable(name: "gallop", targets: ["GallopCLI"]),
  ] + (buildsLibrary ? [.library(name: "gallop-c", type: .dynamic, targets: ["GallopC"])] : []),
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: floors.flatMap(\.value),
  swiftLanguageModes: [.v6]
)

// One set of rules for every Swift target of ours; each line says what it buys.
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    // `any P` is spelled out, so a boxed value never hides in a signature.
    .enableUpcomingFeature("ExistentialAny"),
    // A member comes only from a module that the file itself imports.
    .enableUpcomingFeature("MemberImportVisibility"),
    // An import leaks to users only where it says `public`.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A property may hand out a Span of what it owns.
    .enableExperimentalFeature("Lifetimes"),
    // Every unsafe construct is marked where it stands.
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}

// Tests decode and play thousands of files: `make test` has them run the engine as its users do, optimised, and so are
// the tests that compare most pixels. A build by hand leaves that out, as it compiles each module whole.
let comparing: Set = ["GIFBatchTests", "GIFFlashesTests"]
if Context.environment["GALLOP_OPTIMIZED"] == "1" {
  for target in engine + support + engineTests
  where target.type == .regular || comparing.contains(target.name) {
    target.swiftSettings?.append(
      .unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug)))
  }
}

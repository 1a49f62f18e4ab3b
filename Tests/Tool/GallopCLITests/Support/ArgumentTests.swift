import GIFDecoding
import Testing

@testable import GallopCLI

@Suite("Arguments")
struct ArgumentTests {
  @Test(
    "Sizes have one side, both, or a part of the canvas",
    arguments: [
      ("320x240", 320, 240), ("320x", 320, 180), ("x90", 160, 90), ("50%", 320, 180), ("12.5%", 80, 45),
      ("1x", 1, 1), ("X90", 160, 90), ("0.01%", 1, 1),
    ])
  func sizes(argument: String, width: Int, height: Int) throws {
    let size = try #require(OutputSize(argument: argument))
    #expect(
      size.size(of: PixelSize(clampingWidth: 640, height: 360)) == PixelSize(width: width, height: height))
  }

  @Test(
    "Other sizes are refused",
    arguments: ["", "x", "%", "0%", "-5%", "nan%", "inf%", "0x", "x0", "-3x", "3", "3x4x", "3 x", "200000x"])
  func wrongSizes(argument: String) { #expect(OutputSize(argument: argument) == nil) }

  @Test(
    "Amounts take K, M, G and T, with or without B or iB behind it",
    arguments: [
      ("0", 0), ("17", 17), ("17B", 17), ("64K", 65_536), ("3m", 3_145_728), ("2G", 2_147_483_648),
      ("1T", 1_099_511_627_776), ("64MB", 67_108_864), ("64MiB", 67_108_864), ("1.5M", 1_572_864),
    ] as [(String, Int64)])
  func amounts(argument: String, bytes: Int64) { #expect(ByteAmount(argument: argument)?.bytes == bytes) }

  @Test(
    "Other amounts are refused",
    arguments: ["", "K", "B", ".", "-1", "1.5", "1..5M", "MB", "64Mi", "64MX", "99999999999G"])
  func wrongAmounts(argument: String) { #expect(ByteAmount(argument: argument) == nil) }

  @Test("An amount is described with its largest unit")
  func descriptions() {
    #expect(
      [0, 1000, 1 << 16, 3 << 20, 8 << 30].map { ByteAmount(bytes: $0).description } == [
        "0", "1000", "64K", "3M", "8G",
      ])
  }

  @Test(
    "A box keeps the canvas's shape and enlarges nothing",
    arguments: [
      ("320x240", 320, 180), ("320x90", 160, 90), ("320x", 320, 180), ("x90", 160, 90), ("9999x", 640, 360),
      ("640x360", 640, 360), ("1x1", 1, 1),
    ])
  func boxes(argument: String, width: Int, height: Int) throws {
    let box = try #require(OutputBox(argument: argument))
    #expect(
      box.size(of: PixelSize(clampingWidth: 640, height: 360)) == PixelSize(width: width, height: height))
  }

  @Test("Other boxes are refused", arguments: ["", "x", "50%", "0x1", "320"])
  func wrongBoxes(argument: String) { #expect(OutputBox(argument: argument) == nil) }

  @Test(
    "Colours are names or hexadecimal digits",
    arguments: [
      ("white", [255, 255, 255]), ("#fff", [255, 255, 255]), ("#12aBff", [0x12, 0xAB, 0xFF]),
      ("102030", [0x10, 0x20, 0x30]), ("", nil), ("#", nil), ("#12", nil), ("#1234567", nil),
      ("nocolor", nil),
      ("+12345", nil), ("#-12345", nil),
    ])
  func colors(argument: String, expected: [UInt32]?) {
    #expect(BackgroundColor(argument: argument).map { [$0.red, $0.green, $0.blue] } == expected)
  }

  @Test("A background mixes by alpha, in either order of channels", arguments: [PixelFormat.rgba, .bgra])
  func background(format: PixelFormat) throws {
    let color = try #require(BackgroundColor(argument: "#102030"))
    let pixels = PixelBuffer(width: 3, height: 1, format: format, words: [0, 0xFF01_0203, 0x8000_0000])
    let result = color.under(pixels)
    let full: UInt32 = format == .rgba ? 0xFF30_2010 : 0xFF10_2030
    let half: UInt32 = format == .rgba ? 0xFF18_1008 : 0xFF08_1018
    #expect([result[0, 0], result[1, 0], result[2, 0]] == [full, 0xFF01_0203, half])
  }

  @Test(
    "The extension of the output names the format",
    arguments: [
      ("a.png", OutputFormat.png), ("a.Y4M", .y4m), ("x/a.rgba", .rgba), ("a.bgra", .bgra), ("folder", .png),
      ("a.mp4/", .png), ("-", .png), (".hidden", .png), ("/tmp", .png),
    ])
  func formats(output: String, format: OutputFormat) throws {
    #expect(try OutputFormat.resolve(nil, output: output) == format)
  }

  @Test("An explicit format comes first; an extension that is never written is refused")
  func explicitFormats() throws {
    #expect(try OutputFormat.resolve(.rgba, output: "a.bin") == .rgba)
    #expect(try OutputFormat.resolve(.rgba, output: "a.png") == .rgba)
    #expect(try OutputFormat.resolve(.null, output: "a.mp4") == .null)
    #expect(try OutputFormat.resolve(.sheet, output: "a.png") == .sheet)
    #expect(try OutputFormat.resolve(.png, output: nil) == .png)
    let misfits: [(OutputFormat?, String)] = [
      (nil, "a.mp4"), (nil, "a.gif"), (.png, "a.y4m"), (.sheet, "a.y4m"), (.sheet, "a.jpg"),
    ]
    for (asked, output) in misfits {
      #expect(throws: (any Error).self) { try OutputFormat.resolve(asked, output: output) }
    }
  }

  @Test("Raw bytes and pictures do not go to a terminal")
  func terminal() throws {
    for format in OutputFormat.allCases where format != .null {
      #expect(throws: (any Error).self) {
        try OutputDestination.check(format: format, output: "-", inputs: ["a.gif"]) { $0 == "-" }
      }
      #expect(throws: (any Error).self) {
        try OutputDestination.check(format: format, output: "/dev/tty", inputs: ["a.gif"]) {
          $0 == "/dev/tty"
        }
      }
      try OutputDestination.check(format: format, output: "x/", inputs: ["a.gif"]) { $0 == "-" }
    }
    try OutputDestination.check(format: .null, output: "-", inputs: ["a.gif"]) { _ in true }
  }
}

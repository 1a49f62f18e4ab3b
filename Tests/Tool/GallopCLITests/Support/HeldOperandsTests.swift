import Testing

@testable import GallopCLI

@Suite("HeldOperands")
struct HeldOperandsTests {
  private static let many = (0..<5000).map { "file\($0).gif" }

  @Test(
    "The parser gets few arguments, and all operands come back in order",
    arguments: [
      ["info", "--json"] + many,
      ["decode"] + many + ["--format", "null", "-o", "out"] + many + ["--quiet"],
      ["decode", "--format", "null", "--"] + many + ["-x.gif", "--", "--json"],
      many,
    ])
  func order(arguments: [String]) {
    let held = HeldOperands(arguments)
    #expect(held.arguments.count < 60)
    #expect(held.restored(held.arguments) == arguments)
  }

  @Test(
    "Few operands stay as they are",
    arguments: [[], ["-"], ["play", "-", "a.gif"], ["info", "--", "-"]])
  func few(arguments: [String]) {
    #expect(HeldOperands(arguments).arguments == arguments)
  }

  @Test("Standard input is an operand, and options end a run")
  func dash() {
    let arguments = Array(repeating: "-", count: 20) + ["-q"] + Array(repeating: "a", count: 3)
    let held = HeldOperands(arguments)
    #expect(held.arguments.suffix(4) == ["-q", "a", "a", "a"])
    #expect(held.restored(held.arguments) == arguments)
  }

  @Test("A message that quotes what the parser was given is known")
  func message() {
    let held = HeldOperands((0..<20).map { "\($0)" })
    #expect(HeldOperands.areQuoted(in: "unexpected '\(held.arguments[16])'"))
    #expect(!HeldOperands.areQuoted(in: "unexpected '15'"))
  }
}

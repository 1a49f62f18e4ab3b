import Testing

@testable import GallopCLI

@Suite("Templates with fields")
struct FieldTemplateTests {
  private enum Field: String {
    case width, path
  }

  private func template(_ text: String) throws(FieldTemplate<Field>.Fault) -> FieldTemplate<Field> {
    try FieldTemplate(text) { Field(rawValue: $0) }
  }

  @Test(
    "Each field is replaced, and doubled braces stand for themselves",
    arguments: [
      ("", ""), ("plain", "plain"), ("{width}", "<width>"),
      ("{width}x{width} {path}!", "<width>x<width> <path>!"),
      ("{{width}}", "{width}"), ("{{{width}}}", "{<width>}"), ("ä{path}馬", "ä<path>馬"),
    ])
  func texts(text: String, expected: String) throws {
    #expect(try template(text).text { "<\($0.rawValue)>" } == expected)
  }

  @Test("A value with braces is not read again")
  func values() throws {
    #expect(try template("{path}{path}").text { _ in "{width}" } == "{width}{width}")
  }

  @Test(
    "Braces without a partner and unknown names are told",
    arguments: [
      ("{width", FieldTemplate<Field>.Fault.openBrace("{width")), ("a}b", .openBrace("}b")),
      ("{height}", .unknownField("height")), ("{}", .unknownField("")), ("{{width}", .openBrace("}")),
      ("{ width}", .unknownField(" width")),
    ])
  private func faults(text: String, fault: FieldTemplate<Field>.Fault) {
    #expect(throws: fault) { try template(text) }
  }

  @Test("The fields are known")
  func fields() throws {
    #expect(try template("{path}{{x}}{width}").fields == [.path, .width])
  }
}

import Testing

@testable import GIFLoading

/// What becomes of a transfer when its answer comes.
@Suite struct TransferPlanTests {
  private func plan(_ url: String, limit: Int64 = 1000, redirects: Int = 3) throws -> TransferPlan {
    try TransferPlan(address: WebAddress(url), byteLimit: limit, redirectLimit: redirects)
  }

  private func head(_ status: Int, _ lines: String...) -> ResponseHead {
    var head = ResponseHead()
    for line in ["HTTP/1.1 \(status) x"] + lines + [""] { head.consume(line.utf8) }
    return head
  }

  private func fault(_ answer: TransferPlan.Answer) -> LoadingFault? {
    if case .fail(let error) = answer { LoadingFault(error) } else { nil }
  }

  private func followed(_ answer: TransferPlan.Answer) -> String? {
    if case .follow(let address) = answer { address.description } else { nil }
  }

  @Test func success() throws {
    let plan = try plan("http://h/a")
    for status in [200, 203, 204, 206, 299] {
      guard case .receive(announced: 1000) = plan.answer(to: head(status, "Content-Length: 1000")),
        case .receive(announced: nil) = plan.answer(to: head(status))
      else {
        Issue.record("\(status) is not received")
        continue
      }
    }
  }

  @Test func announcedTooLarge() throws {
    let answer = try plan("http://h/a").answer(to: head(200, "Content-Length: 1001"))
    #expect(fault(answer) == LoadingFault(.receiving, .tooLarge, value: 1001, limit: 1000))
  }

  @Test(arguments: [300, 304, 305, 306, 400, 401, 404, 418, 500, 503, 999])
  func otherStatus(_ status: Int) throws {
    let answer = try plan("http://h/a").answer(to: head(status, "Location: /b"))
    #expect(fault(answer) == LoadingFault(.status, .badStatus, value: Int64(status)))
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirects(_ status: Int) throws {
    let plan = try plan("http://h/a")
    #expect(followed(plan.answer(to: head(status, "Location: b?c"))) == "http://h/b?c")
    #expect(followed(plan.answer(to: head(status, "Location: https://s/b"))) == "https://s/b")
    #expect(
      fault(plan.answer(to: head(status))) == LoadingFault(.status, .badStatus, value: Int64(status)),
      "a redirect to nowhere")
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://h/a", "data:image/gif;base64,R0lG", "javascript:x", "http://", "http://h:x/",
  ])
  func forbiddenTargets(_ location: String) throws {
    let answer = try plan("http://h/a").answer(to: head(302, "Location: \(location)"))
    #expect(fault(answer) == LoadingFault(.redirecting, .forbiddenRedirect))
  }

  /// What was asked for under TLS is not fetched in the clear.
  @Test func downgrade() throws {
    var plan = try plan("https://h/a")
    let answer = plan.answer(to: head(302, "Location: http://u:secret@h/b"))
    #expect(fault(answer) == LoadingFault(.redirecting, .forbiddenRedirect))
    guard case .fail(let error) = answer else { return }
    #expect(error.description.contains("from https to http://h/b"))
    #expect(followed(plan.answer(to: head(302, "Location: /b"))) == "https://h/b")
    // Neither after an upgrade on the way.
    plan = try self.plan("http://h/a")
    plan.follow(try WebAddress("https://h/b"))
    #expect(
      fault(plan.answer(to: head(302, "Location: http://h/c")))
        == LoadingFault(.redirecting, .forbiddenRedirect))
  }

  @Test(arguments: 0...4)
  func redirectLimit(_ limit: Int) throws {
    var plan = try plan("http://h/0", redirects: limit)
    for count in 0..<limit {
      let answer = plan.answer(to: head(301, "Location: /\(count + 1)"))
      guard case .follow(let next) = answer else {
        Issue.record("redirect \(count) is not followed")
        return
      }
      plan.follow(next)
    }
    #expect(plan.address.description == "http://h/\(limit)")
    #expect(
      fault(plan.answer(to: head(301, "Location: /x")))
        == LoadingFault(.redirecting, .tooManyRedirects, limit: Int64(limit)))
  }

  /// Headers that may hold secrets go to the first server only.
  @Test func ownHeaders() throws {
    var plan = try plan("https://h/a")
    #expect(plan.sendsOwnHeaders)
    for (next, isSent) in [
      ("https://h/b", true), ("https://other/b", false), ("https://h:444/b", false), ("https://h/c", true),
    ] {
      plan.follow(try WebAddress(next))
      #expect(plan.sendsOwnHeaders == isSent)
    }
  }

  @Test func errorsNameThePresentAddress() throws {
    var plan = try plan("http://u:p@h/a")
    #expect(plan.error(.status, .badStatus).source == "http://h/a")
    plan.follow(try WebAddress("http://i/b"))
    #expect(plan.error(.status, .badStatus).source == "http://i/b")
  }
}

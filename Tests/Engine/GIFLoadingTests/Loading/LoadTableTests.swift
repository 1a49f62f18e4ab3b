import Testing

@testable import GIFLoading

@Suite("LoadTable: what becomes of a request")
struct LoadTableTests {
  @Test("An equal request joins the load under way, and another one begins its own")
  func joining() {
    var table = LoadTable<String>()
    #expect(table.request("a") == .start(1))
    #expect(table.request("a") == .join(1))
    #expect(table.request("b") == .start(2))
    #expect(table.count == 2)
  }

  @Test("A load that has failed or was cancelled is begun again")
  func ended() {
    var table = LoadTable<String>()
    _ = table.request("a")
    table.drop(loadOf: 1, "a")
    #expect(table.count == 0 && table.request("a") == .start(2))
  }

  @Test("An image is found until it is released")
  func images() {
    var table = LoadTable<String>()
    _ = table.request("a")
    #expect(table.finish(1, "a") == true)
    // The load reports its end as well.
    table.drop(loadOf: 1, "a")
    #expect(table.request("a") == .reuse(1))
    table.remove(1, "a")
    #expect(table.request("a") == .start(2))
  }

  @Test("What a load reports late does not touch its successor")
  func late() {
    var table = LoadTable<String>()
    _ = table.request("a")
    table.drop(loadOf: 1, "a")
    _ = table.request("a")
    #expect(table.finish(1, "a") == false)
    table.drop(loadOf: 1, "a")
    table.remove(1, "a")
    #expect(table.request("a") == .join(2))
    #expect(table.finish(2, "a") == true)
    table.remove(1, "a")
    #expect(table.request("a") == .reuse(2))
  }
}

@Suite("LoadingReaders: those who read one load")
struct LoadingReadersTests {
  @Test("Each reader gets each state once, and the end once")
  func turns() throws {
    var readers = LoadingReaders()
    let (one, two) = (try readers.joined(), try readers.joined())
    #expect(readers.next(for: one, byteCount: 0, hasEnded: false, onlyEnd: false) == .wait)
    #expect(readers.next(for: one, byteCount: 5, hasEnded: false, onlyEnd: false) == .state)
    #expect(readers.next(for: one, byteCount: 5, hasEnded: false, onlyEnd: false) == .wait)
    #expect(readers.hasNews(for: two, byteCount: 5, hasEnded: false, onlyEnd: false))
    #expect(!readers.hasNews(for: two, byteCount: 5, hasEnded: false, onlyEnd: true))
    #expect(readers.next(for: two, byteCount: 5, hasEnded: false, onlyEnd: true) == .wait)
    for id in [one, two] {
      #expect(readers.next(for: id, byteCount: 9, hasEnded: true, onlyEnd: false) == .end)
      #expect(readers.next(for: id, byteCount: 9, hasEnded: true, onlyEnd: false) == .nothing)
    }
  }

  @Test("One who joins late has seen nothing")
  func late() throws {
    var readers = LoadingReaders()
    _ = readers.join()
    let late = try readers.joined()
    #expect(readers.next(for: late, byteCount: 7, hasEnded: false, onlyEnd: false) == .state)
    let later = try readers.joined()
    #expect(readers.next(for: later, byteCount: 7, hasEnded: true, onlyEnd: true) == .end)
  }

  @Test("The last one to cancel or leave cancels the load, once; then it takes no more readers")
  func last() throws {
    var readers = LoadingReaders()
    let ids = try (0..<3).map { _ in try readers.joined() }
    #expect(readers.cancel(ids[0], hasEnded: false) == .goesOn)
    #expect(readers.cancel(ids[0], hasEnded: false) == .goesOn)
    #expect(readers.leave(ids[1], hasEnded: false) == .goesOn)
    #expect(readers.leave(ids[0], hasEnded: false) == .goesOn)
    #expect(!readers.isAbandoned && readers.join() == 4)
    #expect(readers.leave(4, hasEnded: false) == .goesOn)
    #expect(readers.cancel(ids[2], hasEnded: false) == .cancelsLoad)
    #expect(readers.isAbandoned && readers.join() == nil)
    #expect(readers.next(for: ids[2], byteCount: 5, hasEnded: true, onlyEnd: false) == .cancellation)
    #expect(readers.leave(ids[2], hasEnded: true) == .goesOn)
  }

  @Test("After the end cancelling takes nothing away")
  func afterEnd() throws {
    var readers = LoadingReaders()
    let id = try readers.joined()
    #expect(readers.cancel(id, hasEnded: true) == .goesOn)
    #expect(readers.next(for: id, byteCount: 5, hasEnded: true, onlyEnd: false) == .end)
    #expect(readers.leave(id, hasEnded: true) == .goesOn && !readers.isAbandoned)
  }
}

extension LoadingReaders {
  /// Adds a reader, which must be possible.
  fileprivate mutating func joined() throws -> ID {
    let id = join()
    return try #require(id)
  }
}

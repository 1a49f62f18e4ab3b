import Foundation
import Synchronization

/// A request as it was read: the first line's parts and the header fields, names in lower case.
public struct Request: Sendable {
  public var method = ""
  public var target = ""
  public var headers: [String: String] = [:]

  public init() {}

  init(head: String) {
    let lines = head.split(separator: "\r\n")
    let parts = (lines.first ?? "").split(separator: " ")
    if parts.count == 3 { (method, target) = (String(parts[0]), String(parts[1])) }
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
  }
}

/// One connection of a ``LoopbackServer``, in the hands of the test.
public final class Connection: Sendable {
  private let socket: Mutex<Socket?>
  private let received = Mutex(Request())

  init(_ socket: Socket) { self.socket = Mutex(socket) }

  public var request: Request { received.withLock { $0 } }

  private var descriptor: Int32 { socket.withLock { $0?.descriptor ?? -1 } }

  func readRequest() throws {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      var byte: UInt8 = 0
      guard unsafe recv(descriptor, &byte, 1, 0) == 1 else { throw SocketError("recv") }
      head.append(byte)
    }
    let request = Request(head: String(decoding: head, as: UTF8.self))
    received.withLock { $0 = request }
  }

  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends all bytes.
  public func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw SocketError("send") }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends the same bytes again and again until the other side closes.
  public func sendUntilClosed(_ bytes: [UInt8]) async throws {
    try await onOwnThread { while (try? self.send(bytes)) != nil {} }
  }

  /// Comes back when the other side has closed the connection.
  public func otherSideCloses() async throws {
    try await onOwnThread {
      var byte: UInt8 = 0
      while true {
        let count = unsafe recv(self.descriptor, &byte, 1, 0)
        if count == 0 || count < 0 && errno == ECONNRESET { return }
        guard count > 0 else { throw SocketError("recv") }
      }
    }
  }

  /// Ends the connection in order: what was sent arrives.
  public func close() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
    socket.withLock { $0 = nil }
  }

  /// Ends the connection with a reset.
  public func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe _ = setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    socket.withLock { $0 = nil }
  }
}

/// Answers as bytes.
public enum Answer {
  /// A head; `length` is what it says of the body's length, true or not.
  public static func head(
    _ status: String = "200 OK", length: Int? = nil, type: String = "image/gif", _ headers: [String] = []
  ) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status)", "Content-Type: \(type)"] + headers
    if let length { lines.append("Content-Length: \(length)") }
    lines.append("Connection: close")
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// A head that says nothing of the body's length.
  public static func head(_ headers: [String]) -> [UInt8] { head("200 OK", headers) }

  public static func head(_ status: String, _ headers: [String]) -> [UInt8] {
    head(status, length: nil, type: "image/gif", headers)
  }

  /// A whole answer with its true length.
  public static func whole(
    _ body: [UInt8], status: String = "200 OK", type: String = "image/gif", _ headers: [String] = []
  ) -> [UInt8] {
    head(status, length: body.count, type: type, headers) + body
  }

  public static func redirect(to location: String, status: String = "302 Found", body: [UInt8] = [])
    -> [UInt8]
  {
    whole(body, status: status, type: "text/html", ["Location: \(location)"])
  }

  /// A piece of a chunked body; an empty one is its end.
  public static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
  }
}

import Foundation

/// An HTTP server on 127.0.0.1 that does nothing by itself: the test takes each connection and says what is
/// sent on it, step by step.
///
///     let server = try LoopbackServer()
///     async let image = loader.load(server.url("/a.gif"))
///     let connection = try await server.accept()
///     try connection.send("HTTP/1.1 200 OK\r\n\r\n")
///     connection.close()
///
/// Waiting is done on threads of its own, however busy the other tests keep the shared ones. After twenty
/// minutes a test that waits for what never comes fails instead of hanging.
public final class LoopbackServer: Sendable {
  private let socket: Socket
  public let port: UInt16

  public init() throws {
    socket = try Socket()
    port = try socket.bindToLoopback().port()
    guard listen(socket.descriptor, 64) == 0 else { throw SocketError("listen") }
  }

  /// The URL of a path that begins with a slash.
  public func url(_ path: String = "/", scheme: String = "http", credentials: String = "") -> String {
    "\(scheme)://\(credentials)127.0.0.1:\(port)\(path)"
  }

  /// The next connection, when its request is there.
  public func accept() async throws -> Connection {
    try await onOwnThread { try self.acceptBlocking() }
  }

  /// The next connection; nothing is read.
  public func acceptSilently() async throws -> Connection {
    try await onOwnThread { try self.acceptUnread() }
  }

  /// The next connection, when its request is there; the thread waits.
  public func acceptBlocking() throws -> Connection {
    let connection = try acceptUnread()
    try connection.readRequest()
    return connection
  }

  private func acceptUnread() throws -> Connection {
    var descriptor: Int32
    // A signal, and a stop of the process, end the wait.
    repeat { descriptor = Glibc.accept(socket.descriptor, nil, nil) } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw SocketError("accept") }
    // Processes that other tests start must not keep it open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return Connection(try Socket(adopting: descriptor))
  }

  /// Takes this many connections, one after another, and gives each a whole answer.
  ///
  /// - Returns: the requests.
  public func serve(
    _ count: Int = 1, _ answer: @escaping @Sendable (Request) -> [UInt8]
  ) async throws -> [Request] {
    try await onOwnThread {
      try (0..<count).map { _ in
        let connection = try self.acceptBlocking()
        try connection.send(answer(connection.request))
        connection.close()
        return connection.request
      }
    }
  }
}

/// A reserved port of 127.0.0.1 without a listener.
public final class ClosedPort: Sendable {
  private let socket: Socket
  public let port: UInt16

  public init() throws {
    socket = try Socket()
    port = try socket.bindToLoopback().port()
  }
}

/// A port of 127.0.0.1 that answers no attempt to connect, since its queue of connections is full.
public final class SilentPort: Sendable {
  private let sockets: [Socket]
  public let port: UInt16

  public init() throws {
    let listener = try Socket()
    port = try listener.bindToLoopback().port()
    guard listen(listener.descriptor, 0) == 0 else { throw SocketError("listen") }
    // More than a queue of length 0 takes; connections on one machine are made, or not, within the call.
    let clients = try (0..<4).map { _ in try Socket() }
    for client in clients {
      _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
      client.connectToLoopback(port)
    }
    sockets = [listener] + clients
  }
}

public struct SocketError: Error, CustomStringConvertible {
  public let description: String

  init(_ call: String) { description = "\(call): error \(errno)" }
}

/// A TCP socket that is closed with the object.
final class Socket: Sendable {
  let descriptor: Int32

  convenience init() throws {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw SocketError("socket") }
    try self.init(adopting: descriptor)
  }

  init(adopting descriptor: Int32) throws {
    self.descriptor = descriptor
    // Only against a hang: under a sanitizer, on a busy machine, a client may take an hour to come.
    var timeout = timeval(tv_sec: 7_200, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      guard unsafe setsockopt(descriptor, SOL_SOCKET, option, &timeout, size) == 0 else {
        throw SocketError("setsockopt")
      }
    }
  }

  deinit { close(descriptor) }

  /// Takes any free port of 127.0.0.1.
  func bindToLoopback() throws -> Socket {
    guard unsafe withLoopback(port: 0, { unsafe bind(descriptor, $0, $1) }) == 0 else {
      throw SocketError("bind")
    }
    return self
  }

  func connectToLoopback(_ port: UInt16) {
    unsafe _ = withLoopback(port: port) { unsafe connect(descriptor, $0, $1) }
  }

  private func withLoopback(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func port() throws -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard status == 0 else { throw SocketError("getsockname") }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// Runs a blocking closure on a thread of its own.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

internal import CCurl

/// One request of libcurl, confined to the thread that performs it.
///
/// The handle, the list of headers and the memory for error texts live as long as the object. The object must
/// be removed from its ``CurlMulti`` before it is released, and `receiver` must outlive it.
@safe final class CurlEasy {
  /// Identifies a request.
  struct ID: Hashable {
    fileprivate let address: UInt

    init(address: UInt) { self.address = address }
  }

  /// Receives headers and bodies on the performing thread; a return of false ends the transfer.
  protocol Receiver: AnyObject {
    func receiveHeader(_ line: Span<UInt8>) -> Bool
    func receiveBody(_ bytes: Span<UInt8>) -> Bool
  }

  let handle: CurlLibrary.Handle
  private let library: CurlLibrary
  private let errorText: UnsafeMutablePointer<CChar>
  private var headers: CurlLibrary.List?

  /// - Returns: nil if libcurl returns no handle.
  init?(_ library: CurlLibrary, receiver: any Receiver) {
    guard let handle = unsafe library.easyInit() else { return nil }
    self.library = library
    unsafe self.handle = handle
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.receiver = receiver
    set(CURLOPT_NOSIGNAL, 1)
    unsafe set(CURLOPT_ERRORBUFFER, pointer: errorText)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe set(CURLOPT_WRITEDATA, pointer: context)
    unsafe set(CURLOPT_HEADERDATA, pointer: context)
    unsafe _ = gallop_curl_set_callback(library.setopt, handle, CURLOPT_WRITEFUNCTION) {
      start, size, count, context in
      unsafe CurlEasy.deliver(start, size * count, context) { $0.receiveBody($1) }
    }
    unsafe _ = gallop_curl_set_callback(library.setopt, handle, CURLOPT_HEADERFUNCTION) {
      start, size, count, context in
      unsafe CurlEasy.deliver(start, size * count, context) { $0.receiveHeader($1) }
    }
  }

  private unowned let receiver: any Receiver

  deinit {
    unsafe library.easyCleanup(handle)
    unsafe library.listFree(headers)
    unsafe errorText.deallocate()
  }

  var id: ID { unsafe ID(address: UInt(bitPattern: handle)) }

  /// Passes libcurl's memory, valid for this call, to the receiver; returns the number of bytes used.
  private static func deliver(
    _ start: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ body: (any Receiver, Span<UInt8>) -> Bool
  ) -> Int {
    guard let start = unsafe start, let context = unsafe context else { return 0 }
    let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    let isWanted = unsafe body(easy.receiver, Span(_unsafeBytes: bytes))
    // Any other number than that of the bytes makes libcurl end the transfer.
    return isWanted ? count : count == 0 ? 1 : 0
  }

  func set(_ option: CURLoption, _ value: Int) {
    unsafe _ = gallop_curl_set_long(library.setopt, handle, option, value)
  }

  /// Sets a text, which libcurl copies.
  func set(_ option: CURLoption, _ text: String) {
    unsafe text.withCString { unsafe set(option, pointer: $0) }
  }

  private func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
    unsafe _ = gallop_curl_set_pointer(library.setopt, handle, option, pointer)
  }

  func addHeader(_ line: String) {
    guard let list = unsafe library.listAppend(headers, line) else { return }
    unsafe headers = list
    unsafe set(CURLOPT_HTTPHEADER, pointer: list)
  }

  /// The time of an event in microseconds; 0 before the event.
  func time(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    unsafe _ = gallop_curl_get_offset(library.getinfo, handle, info, &value)
    return Int64(value)
  }

  /// A number about the transfer; 0 if it is unknown.
  func number(_ info: CURLINFO) -> Int {
    var value = 0
    unsafe _ = gallop_curl_get_long(library.getinfo, handle, info, &value)
    return value
  }

  /// libcurl's message for a result.
  func words(for code: CURLcode) -> String {
    let special = unsafe String(cString: errorText)
    if !special.isEmpty { return special }
    return unsafe library.easyErrorText(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }
}

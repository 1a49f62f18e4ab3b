internal import CCurl
internal import EngineSupport
internal import Glibc

/// The functions of libcurl, which is loaded on the first use.
///
/// The library is never unloaded, so the addresses stay valid. Each function has the type that `curl.h`
/// declares.
@safe struct CurlLibrary: @unchecked Sendable {
  typealias Handle = UnsafeMutableRawPointer
  typealias List = UnsafeMutablePointer<curl_slist>

  let setopt: UnsafeMutableRawPointer
  let getinfo: UnsafeMutableRawPointer
  let easyInit: @convention(c) () -> Handle?
  let easyCleanup: @convention(c) (Handle?) -> Void
  let easyErrorText: @convention(c) (CURLcode) -> UnsafePointer<CChar>?
  let listAppend: @convention(c) (List?, UnsafePointer<CChar>?) -> List?
  let listFree: @convention(c) (List?) -> Void
  let multiInit: @convention(c) () -> Handle?
  let multiCleanup: @convention(c) (Handle?) -> CURLMcode
  let multiAdd: @convention(c) (Handle?, Handle?) -> CURLMcode
  let multiRemove: @convention(c) (Handle?, Handle?) -> CURLMcode
  let multiPerform: @convention(c) (Handle?, UnsafeMutablePointer<Int32>?) -> CURLMcode
  let multiPoll:
    @convention(c) (
      Handle?, UnsafeMutablePointer<curl_waitfd>?, UInt32, Int32, UnsafeMutablePointer<Int32>?
    ) -> CURLMcode
  let multiWakeup: @convention(c) (Handle?) -> CURLMcode
  let multiInfoRead: @convention(c) (Handle?, UnsafeMutablePointer<Int32>?) -> UnsafeMutablePointer<CURLMsg>?

  /// The library; nil if it is not installed. The first use takes some milliseconds.
  static let shared = CurlLibrary()

  /// Why there is no library, in words.
  static var refusal: String {
    guard let library = unsafe dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL) else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? ""
      // A library that is there may still lack another one, or be another machine's.
      return reason.isEmpty || reason.hasPrefix("libcurl.so.4: cannot open shared object file: No such")
        ? "it is not installed (Debian's package libcurl4)" : reason
    }
    unsafe dlclose(library)
    return "libcurl.so.4 is too old"
  }

  private init?() {
    guard let table = FunctionTable(fileName: "libcurl.so.4", "libcurl-gnutls.so.4"),
      let library = try? CurlLibrary(table),
      let initialize: @convention(c) (Int) -> CURLcode = try? unsafe table.find("curl_global_init"),
      initialize(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    else { return nil }
    self = library
  }

  private init(_ table: FunctionTable) throws(MissingFunction) {
    unsafe setopt = try table.find("curl_easy_setopt")
    unsafe getinfo = try table.find("curl_easy_getinfo")
    unsafe easyInit = try table.find("curl_easy_init")
    unsafe easyCleanup = try table.find("curl_easy_cleanup")
    unsafe easyErrorText = try table.find("curl_easy_strerror")
    unsafe listAppend = try table.find("curl_slist_append")
    unsafe listFree = try table.find("curl_slist_free_all")
    unsafe multiInit = try table.find("curl_multi_init")
    unsafe multiCleanup = try table.find("curl_multi_cleanup")
    unsafe multiAdd = try table.find("curl_multi_add_handle")
    unsafe multiRemove = try table.find("curl_multi_remove_handle")
    unsafe multiPerform = try table.find("curl_multi_perform")
    // Of 2019 and 2020; an older library counts as missing.
    unsafe multiPoll = try table.find("curl_multi_poll")
    unsafe multiWakeup = try table.find("curl_multi_wakeup")
    unsafe multiInfoRead = try table.find("curl_multi_info_read")
  }

  /// Runs `body` when the process exits, while its threads may still run.
  static func atExit(_ body: @convention(c) () -> Void) { _ = atexit(body) }
}

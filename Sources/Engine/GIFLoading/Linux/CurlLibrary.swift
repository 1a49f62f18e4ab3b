internal import CCurl
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
      return unsafe dlerror().map { unsafe String(cString: $0) } ?? "libcurl.so.4 is not installed"
    }
    unsafe dlclose(library)
    return "libcurl.so.4 is too old"
  }

  private init?() {
    guard
      let library = unsafe dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL)
        ?? dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL)
    else { return nil }
    guard let globalInit = unsafe dlsym(library, "curl_global_init"),
      let setopt = unsafe dlsym(library, "curl_easy_setopt"),
      let getinfo = unsafe dlsym(library, "curl_easy_getinfo"),
      let easyInit = unsafe dlsym(library, "curl_easy_init"),
      let easyCleanup = unsafe dlsym(library, "curl_easy_cleanup"),
      let easyErrorText = unsafe dlsym(library, "curl_easy_strerror"),
      let listAppend = unsafe dlsym(library, "curl_slist_append"),
      let listFree = unsafe dlsym(library, "curl_slist_free_all"),
      let multiInit = unsafe dlsym(library, "curl_multi_init"),
      let multiCleanup = unsafe dlsym(library, "curl_multi_cleanup"),
      let multiAdd = unsafe dlsym(library, "curl_multi_add_handle"),
      let multiRemove = unsafe dlsym(library, "curl_multi_remove_handle"),
      let multiPerform = unsafe dlsym(library, "curl_multi_perform"),
      // The last two are of 2019 and 2020; an older library counts as missing.
      let multiPoll = unsafe dlsym(library, "curl_multi_poll"),
      let multiWakeup = unsafe dlsym(library, "curl_multi_wakeup"),
      let multiInfoRead = unsafe dlsym(library, "curl_multi_info_read")
    else { return nil }
    let initialise = unsafe unsafeBitCast(globalInit, to: (@convention(c) (Int) -> CURLcode).self)
    guard initialise(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { return nil }
    unsafe self.setopt = setopt
    unsafe self.getinfo = getinfo
    unsafe self.easyInit = unsafeBitCast(easyInit, to: (@convention(c) () -> Handle?).self)
    unsafe self.easyCleanup = unsafeBitCast(easyCleanup, to: (@convention(c) (Handle?) -> Void).self)
    unsafe self.easyErrorText = unsafeBitCast(
      easyErrorText, to: (@convention(c) (CURLcode) -> UnsafePointer<CChar>?).self)
    unsafe self.listAppend = unsafeBitCast(
      listAppend, to: (@convention(c) (List?, UnsafePointer<CChar>?) -> List?).self)
    unsafe self.listFree = unsafeBitCast(listFree, to: (@convention(c) (List?) -> Void).self)
    unsafe self.multiInit = unsafeBitCast(multiInit, to: (@convention(c) () -> Handle?).self)
    unsafe self.multiCleanup = unsafeBitCast(
      multiCleanup, to: (@convention(c) (Handle?) -> CURLMcode).self)
    unsafe self.multiAdd = unsafeBitCast(
      multiAdd, to: (@convention(c) (Handle?, Handle?) -> CURLMcode).self)
    unsafe self.multiRemove = unsafeBitCast(
      multiRemove, to: (@convention(c) (Handle?, Handle?) -> CURLMcode).self)
    unsafe self.multiPerform = unsafeBitCast(
      multiPerform, to: (@convention(c) (Handle?, UnsafeMutablePointer<Int32>?) -> CURLMcode).self)
    unsafe self.multiPoll = unsafeBitCast(
      multiPoll,
      to: (@convention(c) (
        Handle?, UnsafeMutablePointer<curl_waitfd>?, UInt32, Int32, UnsafeMutablePointer<Int32>?
      ) -> CURLMcode).self)
    unsafe self.multiWakeup = unsafeBitCast(
      multiWakeup, to: (@convention(c) (Handle?) -> CURLMcode).self)
    unsafe self.multiInfoRead = unsafeBitCast(
      multiInfoRead,
      to: (@convention(c) (Handle?, UnsafeMutablePointer<Int32>?) -> UnsafeMutablePointer<CURLMsg>?).self)
  }

  /// Runs `body` when the process exits, while its threads may still run.
  static func atExit(_ body: @convention(c) () -> Void) { _ = atexit(body) }
}

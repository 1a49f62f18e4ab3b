import CChafa

/// chafa's description of a terminal: the sequences it understands.
///
/// Owns one `ChafaTermInfo` reference and releases it in `deinit`.
@safe struct TermInfo: ~Copyable {
  /// Never null and never shared with another owner.
  let handle: OpaquePointer

  /// Looks the terminal up by its environment variables.
  ///
  /// chafa documents that detection always yields an information, if need be a nearly empty one.
  init(environment: [String: String]) {
    let entries = environment.map { "\($0.key)=\($0.value)" }
    unsafe handle = withCStringArray(entries) { list in
      unsafe chafa_term_db_detect(chafa_term_db_get_default(), list)
    }
  }

  /// Every sequence chafa can emit, in its common spelling.
  ///
  /// For drawing once the way to draw is decided: a user's choice must work even where detection knows
  /// better.
  init() {
    let shared = unsafe chafa_term_db_get_fallback_info(chafa_term_db_get_default())
    unsafe handle = chafa_term_info_copy(shared)
    unsafe chafa_term_info_unref(shared)
  }

  deinit { unsafe chafa_term_info_unref(handle) }

  /// Whether the terminal understands a sequence.
  func has(_ sequence: ChafaTermSeq) -> Bool { unsafe chafa_term_info_have_seq(handle, sequence) != 0 }
}

/// The environment of this process, as a dictionary. Entries without `=` are left out.
func processEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  guard let list = unsafe g_get_environ() else { return result }
  defer { unsafe g_strfreev(list) }
  var index = 0
  while let entry = unsafe list[index] {
    let text = unsafe String(cString: entry)
    if let equals = text.firstIndex(of: "="), equals != text.startIndex {
      result[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    index += 1
  }
  return result
}

/// Lends C a null-terminated array of null-terminated strings.
///
/// All strings lie one after the other in one buffer, so there is one allocation to own and nothing to free
/// by hand.
private func withCStringArray<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes.append(contentsOf: string.utf8.map { CChar(bitPattern: $0) })
    bytes.append(0)
  }
  return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    var pointers = unsafe offsets.map { offset in unsafe buffer.baseAddress.map { unsafe $0 + offset } }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeMutableBufferPointer { list in
      // Never empty: it holds at least the terminating null.
      unsafe body(list.baseAddress.unsafelyUnwrapped)
    }
  }
}

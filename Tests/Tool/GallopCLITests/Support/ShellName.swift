/// A file name for `printf` in a shell: not UTF-8, and with a control sequence that colours a terminal.
enum HostileName {
  static let shell = "N=\"$(printf 'b\\377\\033[31md')\"; "
  /// What messages show instead.
  static let shown = "b\\xFF\\x1B[31md"
}

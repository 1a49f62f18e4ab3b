import Glibc

/// A terminal without a screen: what is written to `device` can be read here, and the other way round.
final class PseudoTerminal {
  private var controller: CInt
  let device: CInt

  init?() {
    var ends: (CInt, CInt) = (-1, -1)
    guard unsafe openpty(&ends.0, &ends.1, nil, nil, nil) == 0 else { return nil }
    (controller, device) = ends
    _ = fcntl(controller, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(device)
    hangUp()
  }

  /// Where a thread of its own can read what is written; does not block.
  var screen: CInt { controller }

  /// What closing a terminal's window does.
  func hangUp() {
    if controller >= 0 { close(controller) }
    controller = -1
  }

  /// All that has been written to the terminal. A pseudo-terminal hands bytes over within the write.
  func written() -> String {
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(controller, &chunk, chunk.count)
      guard count > 0 else { break }
      result += chunk[..<count]
    }
    return String(decoding: result, as: UTF8.self)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(controller, bytes, bytes.count)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: columns * 9, ws_ypixel: rows * 18)
    _ = unsafe ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  /// The terminal's modes, as bytes that can be compared.
  var modes: [UInt8] {
    var modes = termios()
    unsafe tcgetattr(device, &modes)
    return unsafe withUnsafeBytes(of: &modes) { unsafe Array($0) }
  }

  var localFlags: tcflag_t {
    var modes = termios()
    unsafe tcgetattr(device, &modes)
    return modes.c_lflag
  }
}

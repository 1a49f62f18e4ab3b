internal import CLinux
internal import Glibc

/// The descriptors 0, 1 and 2, which a caller may have closed.
enum StandardDescriptors {
  /// Takes the numbers of closed standard descriptors, before a file that is opened gets one of them.
  ///
  /// A GIF could otherwise be read as standard input, and warnings would be written into an output file. What
  /// stands for a closed descriptor fails in the same way: "Bad file descriptor".
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is this one. A path that is only named can neither be read nor written.
      _ = unsafe open("/", CInt(gallop_open_path_only) | O_CLOEXEC)
    }
  }
}

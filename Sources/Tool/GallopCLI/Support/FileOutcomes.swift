internal import ArgumentParser

/// What became of a command's files, and the exit status that tells of it.
struct FileOutcomes: Equatable, Sendable {
  /// The files that were used, also damaged ones.
  var used = 0
  /// The files that cannot be used.
  var failed = 0
  /// Whether a file that was used has damage.
  var hasWarnings = false
  /// Whether the transfer of a URL was cut off, and the part that had arrived was used.
  var isCutOff = false

  /// Adds what became of other files.
  mutating func add(_ other: FileOutcomes) {
    used += other.used
    failed += other.failed
    hasWarnings = hasWarnings || other.hasWarnings
    isCutOff = isCutOff || other.isCutOff
  }

  /// 0 if all files were used; 1 if some cannot be used, or the only one; 2 if none of several can be used.
  ///
  /// 3 if all were used, but one only as far as it had arrived.
  ///
  /// - Parameter isStrict: whether damage and transfers that were cut off count as failures.
  func exitStatus(isStrict: Bool) -> Int32 {
    if failed > 0 { return used == 0 && failed > 1 ? 2 : 1 }
    if isStrict, hasWarnings || isCutOff { return 1 }
    return isCutOff ? 3 : 0
  }

  /// - Throws: the exit status, unless it is 0.
  func check(_ messages: MessageOptions) throws {
    let status = exitStatus(isStrict: messages.strict)
    if status != 0 { throw ExitCode(status) }
  }
}

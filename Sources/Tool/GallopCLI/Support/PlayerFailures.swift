internal import ArgumentParser
internal import EngineSupport
internal import Gallop

/// The failures of players. Each file is reported once, also with several players.
final class PlayerFailures: Sendable {
  private struct State {
    var players = 0
    var names: Set<String> = []
    var unreported: [CommandFailure] = []
  }

  private let state = Lock(State())

  /// Counts a player if it fails from now on.
  ///
  /// - Parameter name: the name of its file in messages.
  func watch(_ player: GIFPlayer, name: String) {
    player.onFailure { [self] error in
      state.withLock { state in
        state.players += 1
        guard state.names.insert(name).inserted else { return }
        state.unreported.append(CommandFailure(subject: name, reason: error.description))
      }
    }
  }

  /// The number of failed players.
  var count: Int { state.withLock { $0.players } }

  /// Prints the unreported files on standard error.
  func report() {
    let unreported = state.withLock { state in
      defer { state.unreported = [] }
      return state.unreported
    }
    for failure in unreported { failure.report() }
  }

  /// - Throws: exit status 1 if a player has failed.
  func check() throws {
    if count > 0 { throw ExitCode(1) }
  }
}

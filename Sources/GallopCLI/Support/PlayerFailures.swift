internal import ArgumentParser
internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback

/// Players that could not make any picture. A file is told of once, however many players it has.
final class PlayerFailures: Sendable {
  private struct State {
    var players = 0
    var names: Set<String> = []
    var untold: [CommandFailure] = []
  }

  private let state = Lock(State())

  /// Counts a player from now on, if it fails.
  ///
  /// - Parameter name: what its file is called in messages.
  func watch(_ player: GIFPlayer, name: String) {
    player.onFailure { [self] error in
      state.withLock { state in
        state.players += 1
        guard state.names.insert(name).inserted else { return }
        state.untold.append(CommandFailure(subject: name, reason: error.description))
      }
    }
  }

  /// How many players have failed.
  var count: Int { state.withLock { $0.players } }

  /// Tells on standard error of the files that it was not told of before.
  func report() {
    let untold = state.withLock { state in
      defer { state.untold = [] }
      return state.untold
    }
    for failure in untold { failure.report() }
  }

  /// - Throws: exit status 1 where a player has failed.
  func check() throws {
    if count > 0 { throw ExitCode(1) }
  }
}

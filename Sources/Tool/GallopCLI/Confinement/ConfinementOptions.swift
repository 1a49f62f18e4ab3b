internal import ArgumentParser
internal import GIFLoading
internal import Gallop

/// The option of commands that give up what they do not need.
struct ConfinementOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-confine"),
    help: "Keep all rights: by default the kernel refuses other files, programs and connections.")
  var isUnconfined = false

  /// Gives up everything but what `rules` allow, unless the user wants otherwise.
  func enter(_ rules: ConfinementRules) {
    if isUnconfined { return }
    // A library can lie where nothing can be read later.
    if rules.lastURL != nil { GIFLoader.openLibrary() }
    if !Confinement.enter(rules) {
      StandardError.note("warning: the kernel refuses to confine this process; --no-confine says nothing")
    }
  }

  /// Opens a file by way of `body`, and gives up the network behind the last URL.
  func opening<Result>(
    _ task: FileTask, _ rules: ConfinementRules, _ body: () throws -> Result
  ) rethrows -> Result {
    defer {
      if !isUnconfined, let number = task.place?.number, number == rules.lastURL {
        Confinement.closeNetwork()
      }
    }
    return try body()
  }
}

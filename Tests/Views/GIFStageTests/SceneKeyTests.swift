import Testing

@testable import GIFStage

@Suite("SceneKey: the keys")
struct SceneKeyTests {
  @Test("Each key has one command; keys for grids apply to grids only")
  func keys() {
    let everywhere: [(StageKey, SceneCommand)] = [
      (.space, .togglePlayback), (.character(","), .step(by: -1)), (.character("."), .step(by: 1)),
      (.character("+"), .faster),
      (.character("="), .faster), (.character("-"), .slower), (.character("0"), .normalRate),
      (.character("r"), .toggleReverse), (.character("b"), .toggleBounce), (.character("i"), .setRangeStart),
      (.character("o"), .setRangeEnd), (.character("x"), .clearRange), (.character("f"), .nextResizeMode),
      (.character("d"), .toggleOverlay), (.character("q"), .quit), (.escape, .back),
      (.character("s"), .saveFrame), (.character("g"), .saveRange), (.character("h"), .toggleHelp),
      (.character("?"), .toggleHelp),
      (.character("/"), .toggleHelp), (.function(11), .toggleFullscreen),
    ]
    for (key, command) in everywhere {
      for content in [SceneCommand.Content.single, .wall, .opened] {
        #expect(SceneCommand(key, in: content) == command)
      }
    }
    #expect(SceneCommand(.character("é"), in: .wall) == nil)
  }

  @Test(
    "Some scroll or select in a wall, or seek in a single GIF; a GIF of a wall shown alone has both",
    arguments: [
      (.up, .selectRow(by: -1), nil, nil), (.down, .selectRow(by: 1), nil, nil),
      (.left, .select(by: -1), .step(by: -1), .step(by: -1)),
      (.right, .select(by: 1), .step(by: 1), .step(by: 1)),
      (.enter, .open, nil, .back),
      (.pageUp, .scrollPage(-1), nil, nil), (.pageDown, .scrollPage(1), nil, nil),
      (.home, .scrollToStart, .firstFrame, .firstFrame), (.end, .scrollToEnd, .lastFrame, .lastFrame),
      (.tab, .select(by: 1), nil, .select(by: 1)), (.character("n"), .select(by: 1), nil, .select(by: 1)),
      (.character("p"), .select(by: -1), nil, .select(by: -1)),
    ] as [(StageKey, SceneCommand, SceneCommand?, SceneCommand?)])
  func contents(_ key: StageKey, _ wall: SceneCommand, _ single: SceneCommand?, _ opened: SceneCommand?) {
    #expect(SceneCommand(key, in: .wall) == wall)
    #expect(SceneCommand(key, in: .single) == single)
    #expect(SceneCommand(key, in: .opened) == opened)
  }

  @Test("No key has two commands, and the terminal leaves out the full screen alone")
  func table() {
    let keys = SceneKey.all.flatMap(\.keys)
    for content in [SceneCommand.Content.single, .wall, .opened] {
      for key in keys {
        #expect(SceneKey.all.count { $0.command(of: key, in: content) != nil } <= 1, "\(key) in \(content)")
      }
    }
    #expect(SceneKey.all.count == SceneKey.ofTerminal.count + 1)
    #expect(SceneKey.all.filter { !$0.isInTerminal }.map(\.names) == ["F11"])
    #expect(SceneKey.hints == "? keys  q quit")
  }
}

internal import EngineSupport
internal import GIFStage
internal import Gallop
internal import Glibc

/// Saves what the user chooses while a GIF plays, in the current folder under a new name: a frame as PNG, the
/// range as a GIF.
///
/// A GIF is written on a thread of its own, one at a time: a long range takes seconds.
final class PartSaver: Sendable {
  private struct State {
    var isWriting = false
    var isStopped = false
    var message: String?
  }

  private let state = Monitor(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called on a thread of the saver's when there is a message.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Saves a part; returns the message for the user.
  ///
  /// - Parameter argument: the file or URL, whose name the new one begins with.
  func save(_ part: SavedPart, of image: GIFImage, named argument: String) -> String {
    switch part {
    case .frame(let frame): Self.saveFrame(frame, of: image, named: argument)
    case .range(let range): beginRange(range, of: image, named: argument)
    }
  }

  /// The outcome of a range that was saved since the last call.
  func takeMessage() -> String? { state.withLock { $0.message.take() } }

  /// Gives up a range that is being written. Its unfinished file is removed before this returns.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.waitingWithLock { $0.isWriting ? .wait(until: nil) : .done(()) }
  }

  // MARK: Frames

  private static func saveFrame(_ frame: Int, of image: GIFImage, named argument: String) -> String {
    message(FrameText.number(frame)) {
      var renderer = try FrameRenderer(image)
      let png = try renderer.frame(at: frame).pixels.pngBytes()
      return try write("-" + number(frame), type: "png", named: argument) { try $0.write(png) }
    }
  }

  // MARK: Ranges

  private func beginRange(_ range: Range<Int>, of image: GIFImage, named argument: String) -> String {
    let isFree = state.withLock { state in
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard isFree else { return "the range before is still being saved" }
    let frames = Self.text(of: range)
    let hasStarted = EngineThread.start { [self] in
      let message = saveRange(range, of: image, named: argument)
      state.withLock { ($0.message, $0.isWriting) = (message, false) }
      state.signal()
      wake()
    }
    if hasStarted { return "saving \(frames)" }
    state.withLock { $0.isWriting = false }
    return "\(frames) cannot be saved: the system gives no thread"
  }

  private func saveRange(_ range: Range<Int>, of image: GIFImage, named argument: String) -> String {
    Self.message(Self.text(of: range)) {
      var edit = GIFEdit()
      edit.frames = Array(range)
      let editor = try GIFEditor([image], edit) { self.isStopped }
      let ends = "-\(Self.number(range.lowerBound))-\(Self.number(range.upperBound - 1))"
      return try Self.write(ends, type: "gif", named: argument) { target in
        try EditOutput.write(editor, to: target, limits: image.limits) { _ in self.isStopped }
      }
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } || Interruption.signal != nil }

  // MARK: Files and messages

  private static func text(of range: Range<Int>) -> String {
    "\(FrameText.number(range.lowerBound)) to \(FrameText.number(range.upperBound - 1))"
  }

  private static func message(_ part: String, _ save: () throws -> String) -> String {
    do {
      return "saved \(try save())"
    } catch let error as CommandFailure {
      return error.reason
    } catch {
      return "\(part) cannot be saved: \(error)"
    }
  }

  /// Writes a file; returns its name.
  private static func write(
    _ part: String, type: String, named argument: String, _ body: (OutputDescriptor) throws -> Void
  ) throws -> String {
    let name = unusedName(OutputFile.baseName(of: argument), part: part, type: type) { OutputFile.exists($0) }
    // What an edit has written is read for its check.
    try OutputFile.write(to: name, force: false, isReadBack: true, body)
    return name
  }

  private static func number(_ frame: Int) -> String { NumberPadding.standard.text(frame) }

  /// The first of `STEM-0007.png`, `STEM-0007-2.png`, and so on that is not taken.
  ///
  /// - Parameters:
  ///   - stem: what the name begins with, shortened where the whole would be too long.
  ///   - part: the part of the name that tells the frames.
  static func unusedName(_ stem: String, part: String, type: String, isTaken: (String) -> Bool) -> String {
    var suffix = "\(part).\(type)"
    var number = 2
    while true {
      let name = OutputNames.shortened(stem, to: OutputNames.nameBytes - suffix.utf8.count) + suffix
      guard isTaken(name), number < 10_000 else { return name }
      suffix = "\(part)-\(number).\(type)"
      number += 1
    }
  }
}

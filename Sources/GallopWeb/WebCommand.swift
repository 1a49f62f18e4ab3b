internal import GIFDecoding
internal import GIFTimeline

/// A command of the page to a player.
enum WebCommand {
  case look, play, pause, stop, restart
  case seekToFrame(Int)
  case seekToMedia(Int64)
  case seekInLoop(Int64)
  case step(Int)
  case beginScrubbing, endScrubbing
  case rate(Double)
  case mode(PlaybackMode)
  case range(Range<Int>?)
  case visibility(Visibility)
  case motion(ReducedMotion)
  case stride(Int)
  case grow(isComplete: Bool)
  case poster
  case fail(GIFError)

  /// Reads a command's number and its two values; nil if there is no such command.
  init?(_ number: Int32, _ first: Double, _ second: Double) {
    let whole = Int(clamping: Int64(clamping: first))
    switch number {
    case 0: self = .look
    case 1: self = .play
    case 2: self = .pause
    case 3: self = .stop
    case 4: self = .restart
    case 5: self = .seekToFrame(whole)
    case 6: self = .seekToMedia(Milliseconds.nanoseconds(first))
    case 7: self = .seekInLoop(Milliseconds.nanoseconds(first))
    case 8: self = .step(whole)
    case 9: self = .beginScrubbing
    case 10: self = .endScrubbing
    case 11: self = .rate(first)
    case 12: self = .mode(PlaybackMode(number: whole))
    case 13:
      let end = Int(clamping: Int64(clamping: second))
      self = .range(whole >= 0 && whole < end ? whole..<end : nil)
    case 14: self = .visibility(Visibility(rawValue: whole) ?? .visible)
    case 15: self = .motion(ReducedMotion(number: first))
    case 16: self = .stride(max(1, whole))
    case 17: self = .grow(isComplete: whole != 0)
    case 18: self = .poster
    case 19: self = .fail(GIFError(.unreadable))
    default: return nil
    }
  }
}

/// The page's times, in milliseconds.
enum Milliseconds {
  /// Whole nanoseconds, clamped; 0 for NaN.
  static func nanoseconds(_ milliseconds: Double) -> Int64 { Int64(clamping: milliseconds * 1e6) }

  static func of(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e6 }
}

extension PlaybackMode {
  /// 0 forward, 1 reverse, 2 bounce; forward for others.
  init(number: Int) { self = number == 1 ? .reverse : number == 2 ? .bounce : .forward }
}

extension ReducedMotion {
  /// 1 full motion, 0 the first frame only, else a part of the speed.
  init(number: Double) {
    self = number >= 1 || number.isNaN ? .off : number <= 0 ? .firstFrame : .slow(number)
  }
}

extension LatePolicy {
  /// 0 skip, -1 wait, n to catch up with up to n frames.
  init(number: Int) { self = number == 0 ? .skip : number < 0 ? .wait : .catchUp(max: number) }
}

extension LoopCount? {
  /// 0 for what the file says, infinity for ever, else the plays in all.
  init(number: Double) {
    if number.isInfinite {
      self = .some(.forever)
    } else {
      let plays = Int(clamping: Int64(clamping: number))
      self = plays > 0 ? .some(.plays(plays)) : .none
    }
  }
}

internal import GIFDecoding
internal import GIFTimeline

/// A command of the page to a player.
enum WebCommand {
  case tick, play, pause
  case seekToFrame(Int)
  case seekInLoop(Int64)
  case step(Int)
  case beginScrubbing, endScrubbing
  case rate(Double)
  case mode(PlaybackMode)
  case range(Range<Int>?)
  case visibility(Visibility)
  case grow(isComplete: Bool)
  case poster
  case motion(MotionLimit)

  /// Reads a command's number, its place in COMMANDS of protocol.js, and its two values; nil if there is no
  /// such command.
  init?(_ number: Int32, _ first: Double, _ second: Double) {
    let whole = Int(clamping: Int64(clamping: first))
    switch number {
    case 0: self = .tick
    case 1: self = .play
    case 2: self = .pause
    case 3: self = .seekToFrame(whole)
    case 4: self = .seekInLoop(Milliseconds.nanoseconds(first))
    case 5: self = .step(whole)
    case 6: self = .beginScrubbing
    case 7: self = .endScrubbing
    case 8: self = .rate(first)
    case 9: self = .mode(PlaybackMode(number: whole))
    case 10:
      let end = Int(clamping: Int64(clamping: second))
      self = .range(whole >= 0 && whole < end ? whole..<end : nil)
    case 11: self = .visibility(whole == 2 ? .hidden : whole == 1 ? .near : .visible)
    case 12: self = .grow(isComplete: whole != 0)
    case 13: self = .poster
    case 14:
      self = .motion(whole == 0 ? .none : whole == 1 ? .paced(second) : whole == 2 ? .still : .frozen)
    default: return nil
    }
  }
}

extension LatePolicy {
  /// Its number in gallop.h, and the most frames to catch up with; skip for others.
  init(number: Int, count: Int) { self = number == 2 ? .wait : number == 1 ? .catchUp(max: count) : .skip }
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

internal import GIFDecoding
internal import GIFFlashes
internal import GIFTimeline

/// What an instance holds: a GIF to judge, or the guards of players, and the blocks through which the page
/// talks with them.
struct FlashSession: ~Copyable {
  var numbers = Numbers(capacity: 64, filledWith: 0)
  var bytes = SharedBlock<UInt8>(capacity: 1 << 16, filledWith: 0)
  private var stream: GIFStream?
  private var image: GIFImage?
  private var guards = HandleTable<WebGuard>()

  // MARK: Judging

  mutating func begin(_ limits: DecodingLimits) { stream = GIFStream(limits: limits, reserve: nil) }

  /// An error ends the GIF: ``judge()`` then has none.
  mutating func append(_ count: Int32) {
    do throws(GIFError) {
      try bytes.withPrefix(Int(count)) { piece throws(GIFError) in try stream?.append(piece) }
    } catch {
      stream = nil
    }
  }

  mutating func judge() -> Int32 {
    if let stream = stream.take() {
      do throws(GIFError) { image = try stream.finish() } catch { return -1 }
    }
    // Another number of frames would be another animation than the player's.
    let seen = SeenNumbers(numbers)
    guard let image, image.frameCount == seen.frameCount else { return -1 }
    do throws(GIFError) {
      let report = try image.flashes(seen.options(of: image))
      numbers.removeAll()
      numbers.append(report)
      return Int32(clamping: numbers.count)
    } catch {
      return -1
    }
  }

  // MARK: Guards

  mutating func makeGuard(_ policy: Int32) -> Int32 { guards.insert(WebGuard(FlashPolicy(number: policy))) }

  func setPolicy(_ handle: Int32, _ policy: Int32) {
    guards[handle]?.flashes.policy = FlashPolicy(number: policy)
  }

  mutating func follow(_ handle: Int32, isJumping: Bool, at now: Double) -> Int32 {
    guard let player = guards[handle] else { return -1 }
    player.follow(
      SeenNumbers(numbers), isJumping: isJumping, at: PlaybackInstant(milliseconds: now), &numbers)
    return Int32(clamping: numbers.count)
  }

  func noteShown(_ handle: Int32, at now: Double) -> Double {
    guard let player = guards[handle] else { return .infinity }
    player.flashes.noteChange(at: PlaybackInstant(milliseconds: now))
    return player.flashes.restEnd.milliseconds
  }

  func take(_ handle: Int32, _ count: Int32) {
    guard let player = guards[handle], let asked = player.flashes.question else { return }
    player.flashes.take(count > 0 ? numbers.report : nil, of: asked)
  }

  mutating func release(_ handle: Int32) { _ = guards.remove(handle) }
}

/// A player's decisions about flashes.
final class WebGuard {
  var flashes: FlashGuard

  init(_ policy: FlashPolicy) { flashes = FlashGuard(policy: policy, shownSize: nil, sharing: .alone) }

  func follow(_ seen: SeenNumbers, isJumping: Bool, at now: PlaybackInstant, _ numbers: inout Numbers) {
    let limit = flashes.follow(seen.viewing, of: seen.canvas, isJumping: isJumping, at: now)
    numbers.removeAll()
    numbers.append(limit, &flashes)
  }
}

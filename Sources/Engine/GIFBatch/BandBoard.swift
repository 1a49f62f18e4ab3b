internal import GIFDecoding
internal import Synchronization

/// Shares the bands of a large drawing with idle threads.
///
/// The drawing thread takes bands from the top, helpers from the bottom, so that each keeps to the part of
/// the canvas that its processor already holds. The drawing thread waits only for helpers that have taken a
/// band: without helpers it draws alone.
///
/// Safety: the drawing's memory stays in place while ``draw(_:)`` runs, and that returns only when no band is
/// left to take and every band taken is finished. A helper looks at the drawing only after taking a band. One
/// thread at a time may call ``draw(_:)``.
@safe final class BandBoard: BandSharing, @unchecked Sendable {
  /// The drawing's number in the high 32 bits, so that a claim meant for an older one fails; then the first
  /// band that is left and the one behind the last, 16 bits each.
  private let offer = Atomic<UInt64>(0)
  /// Bands that helpers have finished.
  private let finished = Atomic<Int>(0)
  private var drawing: BandedDrawing?
  private let pause: @Sendable () -> Void

  /// - Parameter pause: yields the processor; called while a helper is slow to finish its band.
  init(pause: @escaping @Sendable () -> Void) { self.pause = pause }

  /// Whether ``help()`` would find a band now.
  var hasWork: Bool { Self.isOpen(offer.load(ordering: .relaxed)) }

  /// Draws one band, if one is left. Any thread may call it at any time.
  func help() -> Bool {
    guard let band = take(fromTop: false), let drawing = unsafe drawing else { return false }
    unsafe drawing.draw(band: band)
    finished.add(1, ordering: .releasing)
    return true
  }

  func draw(_ drawing: BandedDrawing) {
    let count = unsafe drawing.bandCount
    precondition(count <= Int(UInt16.max))
    unsafe self.drawing = unsafe drawing
    finished.store(0, ordering: .relaxed)
    let number = offer.load(ordering: .relaxed) &>> 32 &+ 1
    offer.store(number &<< 32 | UInt64(count), ordering: .releasing)
    var own = 0
    while let band = take(fromTop: true) {
      unsafe drawing.draw(band: band)
      own += 1
    }
    var looks = 0
    while finished.load(ordering: .acquiring) < count - own {
      looks += 1
      if looks > 1000 { pause() }
    }
    unsafe self.drawing = nil
  }

  private static func isOpen(_ offer: UInt64) -> Bool { offer &>> 16 & 0xFFFF < offer & 0xFFFF }

  private func take(fromTop: Bool) -> Int? {
    var seen = offer.load(ordering: .relaxed)
    while Self.isOpen(seen) {
      let (exchanged, now) = offer.compareExchange(
        expected: seen, desired: fromTop ? seen &+ 1 &<< 16 : seen &- 1, ordering: .acquiringAndReleasing)
      if exchanged { return Int(fromTop ? seen &>> 16 & 0xFFFF : seen & 0xFFFF &- 1) }
      seen = now
    }
    return nil
  }
}

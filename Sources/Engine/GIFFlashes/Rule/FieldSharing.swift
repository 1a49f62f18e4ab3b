package import GIFDecoding

/// What else plays in the field of a GIF.
package enum FieldSharing: Sendable, Hashable {
  case alone
  /// So many GIFs are there, with this one, of whatever sizes.
  case among(Int)
  /// A field is full of GIFs of its size, as in a grid.
  case full

  /// The sharing among so many GIFs: a field touches up to nine that are as large as itself.
  package init(count: Int) { self = count < 2 ? .alone : count <= 9 ? .among(count) : .full }

  /// The part of what may flash in a field that is one GIF's own.
  ///
  /// - Parameter shown: its size in CSS pixels.
  package func part(of shown: PixelSize) -> Double {
    switch self {
    case .alone: return 1
    case .among(let count): return 1 / Double(count)
    case .full:
      let (width, height) = (Double(shown.width), Double(shown.height))
      // What a field touches of such GIFs lies within a field that is larger by one of them on each side.
      let touched = (FlashLimits.fieldWidth + 2 * width) * (FlashLimits.fieldHeight + 2 * height)
      return width * height / touched
    }
  }
}

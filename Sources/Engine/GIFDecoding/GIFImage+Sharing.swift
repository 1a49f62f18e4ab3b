// What caches need to know of an image: whether two are the same, and what decoding one takes.

extension GIFImage {
  /// A number that equal images share: their length and the bytes at both ends. Costs next to nothing.
  package var contentHash: Int {
    var hasher = Hasher()
    let edges = storage.edges
    hasher.combine(storage.count)
    hasher.combine(edges.first)
    hasher.combine(edges.last)
    return hasher.finalize()
  }

  /// A number that depends on every byte of the frames, for choices by chance that differ from file to file.
  ///
  /// Costs a look at all bytes where they are in memory; those of a file were looked at when it was opened.
  package var contentSeed: UInt64 {
    guard let file = storage.file else {
      return unsafe storage.bytes.withUnsafeBytes { unsafe XXHash64.digest($0) }
    }
    let codes = file.digests.flatMap { [$0.codes, $0.palette] }
    return unsafe codes.withUnsafeBytes { unsafe XXHash64.digest($0) }
  }

  /// The memory that holds the compressed bytes, and how many there are; nil where they stay in a file.
  ///
  /// Images of one storage have the same identity, which means nothing once the last of them is
  /// gone.
  package var heldMemory: (id: ObjectIdentifier, bytes: Int)? { storage.heldMemory }

  /// The memory that holds the file's bytes as long as the image lives; nil for a file that is not in memory.
  package var fileMemory: (any MemoryRegion)? { storage.memory }

  /// An image without a canvas and frames, for a player whose image has not arrived.
  package static var empty: GIFImage {
    // The header and a logical screen descriptor of 0 x 0 pixels.
    let bytes: [UInt8] = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0, 0, 0, 0, 0, 0, 0]
    let index = AnimationIndex(
      animation: Animation(width: 0, height: 0, frames: [], isComplete: false), globalPalette: nil,
      comments: [], applicationExtensions: [], diagnostics: [])
    let block = HeapBlock()
    block.write(bytes.span, at: 0)
    return GIFImage(storage: ByteStorage(block, count: bytes.count), index: index, limits: .default)
  }

  /// The same image in another memory, which begins with this one's bytes and lives as long as the image.
  package func held(by region: any MemoryRegion) -> GIFImage {
    var image = GIFImage(
      storage: ByteStorage(region, count: storage.count), index: index, limits: limits,
      passedBytes: metadata.byteCount - storage.count)
    image.damagePolicy = damagePolicy
    return image
  }

  /// Whether two images show the same pictures: the same bytes, read under the same rules, and as far as the
  /// other.
  ///
  /// Costs a comparison of the bytes, unless both are copies of one image or come from one file.
  package func hasSameContent(as other: GIFImage) -> Bool {
    frameCount == other.frameCount && width == other.width && height == other.height
      && damagePolicy == other.damagePolicy && limits == other.limits && frames.last == other.frames.last
      && metadata.isComplete == other.metadata.isComplete && storage.hasSameBytes(as: other.storage)
  }

  /// Whether `earlier` may be this image when less of it had come: the same canvas and rules, and the same
  /// frames but for a last one that was cut off. The bytes are taken to be the same.
  package func continues(_ earlier: GIFImage) -> Bool {
    damagePolicy == earlier.damagePolicy && limits == earlier.limits
      && animation.continues(earlier.animation)
  }

  /// Bytes that a renderer of this image takes at the most: its canvas, the indices and code bytes of the
  /// largest frame, what a frame that restores has to keep, the tables, and a frame of `size` where that
  /// differs.
  package func rendererBytes(size: PixelSize?) -> Int64 {
    let canvas = animation.canvas
    var indices: Int64 = 0
    var codes = 0
    var undone: Int64 = 0
    for frame in frames {
      indices = max(indices, min(indexBytes(of: frame), limits.framePixels))
      codes = max(codes, frame.data.count)
      // A damaged frame is undone, too, but that is not known before it is decoded.
      if frame.disposal == .previous { undone = max(undone, frame.rect.intersection(canvas).area * 4) }
    }
    let tables: Int64 = 2 * 8 * 4097 + 4 * 1024
    return canvas.area * 4 + indices + Int64(codes) + undone + scaledBytes(size) + tables
      + Int64(IndexPlane.padding)
  }
}

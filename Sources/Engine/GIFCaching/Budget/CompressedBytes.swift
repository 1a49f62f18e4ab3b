/// The compressed bytes in memory that the stores of a budget hold.
///
/// Each memory is counted once, however many stores and players share it.
struct CompressedBytes: Sendable {
  typealias Memory = (id: ObjectIdentifier, bytes: Int)

  private var entries: [ObjectIdentifier: (bytes: Int64, holders: Int)] = [:]
  private(set) var total: Int64 = 0

  /// A store takes a share in a memory. Of a memory that still fills up, the largest number given counts.
  mutating func hold(_ memory: Memory) {
    let old = entries[memory.id] ?? (0, 0)
    let bytes = max(old.bytes, Int64(memory.bytes))
    entries[memory.id] = (bytes, old.holders + 1)
    total += bytes - old.bytes
  }

  /// A store gives back its share.
  mutating func release(_ id: ObjectIdentifier) {
    guard let entry = entries[id] else { return }
    if entry.holders > 1 {
      entries[id]?.holders -= 1
    } else {
      entries[id] = nil
      total -= entry.bytes
    }
  }
}

/// Objects that the page names by numbers. A number stays wrong for ever once its object is released.
///
/// A handle is the slot in its lower 16 bits, and a generation of the slot, 1 to 32,767, above.
struct HandleTable<Object>: ~Copyable {
  private struct Slot {
    var generation: Int32
    var object: Object?
  }

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []

  private static var lastGeneration: Int32 { 0x7FFF }
  private static var mostSlots: Int { 1 << 16 }

  /// The number of objects.
  var count: Int { slots.count - freeSlots.count }

  /// Takes an object. Returns its handle; 0 if there are too many.
  mutating func insert(_ object: Object) -> Int32 {
    if let slot = freeSlots.popLast() {
      slots[slot].object = object
      return handle(of: slot)
    }
    guard slots.count < Self.mostSlots else { return 0 }
    slots.append(Slot(generation: 1, object: object))
    return handle(of: slots.count - 1)
  }

  /// The object of a handle; nil for a handle that is wrong or of an object that is released.
  subscript(handle: Int32) -> Object? {
    guard handle > 0 else { return nil }
    let slot = Int(handle & 0xFFFF)
    guard slot < slots.count, slots[slot].generation == handle >> 16 else { return nil }
    return slots[slot].object
  }

  /// Releases the object of a handle. Returns it; nil if there is none.
  mutating func remove(_ handle: Int32) -> Object? {
    guard let object = self[handle] else { return nil }
    let slot = Int(handle & 0xFFFF)
    slots[slot].object = nil
    // A slot whose generations are used up is never used again.
    if slots[slot].generation < Self.lastGeneration {
      slots[slot].generation += 1
      freeSlots.append(slot)
    }
    return object
  }

  var objects: [Object] { slots.compactMap { $0.object } }

  private func handle(of slot: Int) -> Int32 { slots[slot].generation << 16 | Int32(slot) }
}

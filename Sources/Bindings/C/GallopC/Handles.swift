// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CGallop

/// What a handle names. The number is part of the handle.
enum HandleKind: UInt {
  case image = 1
  case stream
  case decoder
  case frame
  case cancel
  case batch
  case player
  case group
  case clock
  case budget
  case memory
  case editor

  /// Its name in messages. Written out: reflection looks up conformances, which a forked child had better
  /// not.
  var name: String {
    switch self {
    case .image: "image"
    case .stream: "stream"
    case .decoder: "decoder"
    case .frame: "frame"
    case .cancel: "cancel"
    case .batch: "batch"
    case .player: "player"
    case .group: "group"
    case .clock: "clock"
    case .budget: "budget"
    case .memory: "memory"
    case .editor: "editor"
    }
  }
}

/// An object that C knows by handles.
protocol HandleObject: AnyObject, Sendable {
  static var kind: HandleKind { get }
  /// Whether threads of the process take part in it: it is then of no use in a forked child.
  static var hasThreads: Bool { get }
  /// Ends what goes on by itself. Called once, when a handle is released, without a lock.
  func close()
}

extension HandleObject {
  func close() {}
}

/// Objects by handle: a slot with a generation that counts its objects. A pure value.
///
/// A handle is an odd number, so it never equals an address: from the lowest bit on 1, seven bits of the
/// kind, 24 of the slot, 32 of the generation.
struct HandleTable {
  struct Slot {
    var generation: UInt
    var object: (any HandleObject)?
    /// The life of the process, counted in forks, in which the object was made.
    var life: Int
    /// The life in which a call took the object for itself; nil while none has.
    var takenIn: Int?
  }

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []

  private static var mostSlots: Int { 1 << 24 }
  private static var lastGeneration: UInt { 0xFFFF_FFFF }

  /// The number of objects, each counted once for each handle.
  var count: Int { slots.count - freeSlots.count }

  /// Takes an object; returns nil if there are too many.
  mutating func insert(_ object: some HandleObject, life: Int) -> UInt? {
    let place: Int
    if let free = freeSlots.popLast() {
      place = free
      slots[place].object = object
      slots[place].life = life
    } else {
      guard slots.count < Self.mostSlots else { return nil }
      place = slots.count
      slots.append(Slot(generation: 1, object: object, life: life))
    }
    return slots[place].generation << 32 | UInt(place) << 8 | type(of: object).kind.rawValue << 1 | 1
  }

  /// The slot of a handle; nil for a number that is no handle of this kind, or no more.
  func place(of handle: UInt, _ kind: HandleKind) -> Int? {
    let place = Int(handle >> 8 & 0xFF_FFFF)
    guard handle & 0xFF == kind.rawValue << 1 | 1, place < slots.count else { return nil }
    guard slots[place].generation == handle >> 32, let object = slots[place].object else { return nil }
    // The number may be made up: its slot has an object of another kind.
    return type(of: object).kind == kind ? place : nil
  }

  subscript(place: Int) -> Slot {
    get { slots[place] }
    set { slots[place] = newValue }
  }

  /// Empties a slot and returns its object.
  mutating func remove(at place: Int) -> (any HandleObject)? {
    let object = slots[place].object
    slots[place].object = nil
    slots[place].takenIn = nil
    // A slot whose generations are used up is never used again.
    if slots[place].generation < Self.lastGeneration {
      slots[place].generation += 1
      freeSlots.append(place)
    }
    return object
  }
}

/// The handles of the process. No object is called or released while the lock is held.
enum Handles {
  /// Gives out a handle of an object.
  static func add<Object: HandleObject>(_ object: Object) throws(Failure) -> OpaquePointer {
    let number = ProcessState.shared.withLock { state in state.handles.insert(object, life: state.life) }
    guard let number, let handle = unsafe OpaquePointer(bitPattern: number) else {
      throw Failure(.tooMany, "there are too many handles")
    }
    return unsafe handle
  }

  /// Gives out a handle through an out parameter.
  static func add<Object: HandleObject>(
    _ object: Object, to out: UnsafeMutablePointer<OpaquePointer?>
  ) throws(Failure) {
    unsafe out.pointee = try add(object)
  }

  /// The object of a handle, retained for the caller.
  static func object<Object: HandleObject>(
    _ handle: OpaquePointer?, _: Object.Type = Object.self
  ) throws(Failure) -> Object {
    try unsafe lookUp(handle) { state, place in
      let slot = state.handles[place]
      guard !Object.hasThreads || slot.life == state.life else { return .failure(.forked) }
      return (slot.object as? Object).map { .success($0) } ?? .failure(.invalidHandle)
    }
  }

  /// Has one call use an object that does one thing at a time.
  static func withExclusive<Object: HandleObject, Result>(
    _ handle: OpaquePointer?, _: Object.Type = Object.self, _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let object: Object = try unsafe lookUp(handle) { state, place in
      let slot = state.handles[place]
      guard !Object.hasThreads || slot.life == state.life else { return .failure(.forked) }
      // The call that took it before a fork goes on in the parent alone.
      if let life = slot.takenIn { return .failure(life == state.life ? .busy : .forked) }
      guard let object = slot.object as? Object else { return .failure(.invalidHandle) }
      state.handles[place].takenIn = state.life
      return .success(object)
    }
    defer {
      ProcessState.shared.withLock { state in
        // Released meanwhile, the slot may have another object by now.
        guard let place = unsafe number(handle).flatMap({ state.handles.place(of: $0, Object.kind) }) else {
          return
        }
        state.handles[place].takenIn = nil
      }
    }
    return try body(object)
  }

  /// Ends a handle. An object whose threads stayed in the parent is never freed: that would wait for them.
  static func release<Object: HandleObject>(_ handle: OpaquePointer?, _: Object.Type) throws(Failure) {
    var isStranded = false
    let object: Object = try unsafe lookUp(handle) { state, place in
      isStranded =
        (Object.hasThreads && state.handles[place].life != state.life)
        || state.handles[place].takenIn.map { $0 != state.life } ?? false
      guard let object = state.handles.remove(at: place) as? Object else { return .failure(.invalidHandle) }
      if isStranded { unsafe _ = Unmanaged.passRetained(object) }
      return .success(object)
    }
    // Freed at the end of this function, without the lock.
    if !isStranded { object.close() }
  }

  static var count: Int { ProcessState.shared.withLock { $0.handles.count } }

  private static func lookUp<Object: HandleObject>(
    _ handle: OpaquePointer?, _ body: (inout ProcessState.Contents, Int) -> Swift.Result<Object, Status>
  ) throws(Failure) -> Object {
    let outcome = ProcessState.shared.withLock { state -> Swift.Result<Object, Status> in
      guard let number = unsafe number(handle), let place = state.handles.place(of: number, Object.kind)
      else {
        return .failure(.invalidHandle)
      }
      return body(&state, place)
    }
    switch outcome {
    case .success(let object): return object
    case .failure(let status): throw Failure(status, "\(Object.kind.name): \(status.reason)")
    }
  }

  private static func number(_ handle: OpaquePointer?) -> UInt? { unsafe handle.map { UInt(bitPattern: $0) } }
}

@c @implementation
public func gallop_handle_count() -> Int { Handles.count }

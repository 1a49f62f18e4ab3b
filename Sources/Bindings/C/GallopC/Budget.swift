// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

/// A handle of a budget, with the callbacks that were set through it.
final class BudgetObject: HandleObject {
  static let kind = HandleKind.budget
  static let hasThreads = true

  let budget: FrameBudget
  private let subscriptions = Subscriptions()

  init(_ budget: () -> FrameBudget) throws(Failure) {
    try ProcessState.shared.usePlayback()
    self.budget = budget()
  }

  /// A budget of its own; 0 is the default limit.
  convenience init(limit: Int64) throws(Failure) {
    try self.init { FrameBudget(limit: limit == 0 ? FrameBudget.defaultLimit : limit) }
  }

  // Players go on with the budget; the callbacks end with the handle.
  deinit { subscriptions.close() }

  func onLimit(_ function: UserFunction<gallop_budget_callback>) {
    _ = subscriptions.add(
      budget.onOverLimit { [weak budget = budget] snapshot in
        var info = gallop_budget_info(snapshot, followsPressure: budget?.followsMemoryPressure ?? false)
        info.struct_size = MemoryLayout<gallop_budget_info>.size
        unsafe function.function(&info, function.user)
      })
  }

  var info: gallop_budget_info {
    gallop_budget_info(budget.snapshot, followsPressure: budget.followsMemoryPressure)
  }

  /// The budget of a handle; that of the process for NULL.
  static func budget(_ handle: OpaquePointer?) throws(Failure) -> FrameBudget {
    guard let handle = unsafe handle else { return .shared }
    return try unsafe Handles.object(handle, BudgetObject.self).budget
  }
}

extension gallop_budget_info {
  init(_ snapshot: BudgetSnapshot, followsPressure: Bool) {
    self.init(
      struct_size: 0, limit: snapshot.limit, held_bytes: snapshot.heldBytes, frame_bytes: snapshot.frameBytes,
      decoder_bytes: snapshot.rendererBytes, compressed_bytes: snapshot.compressedBytes,
      floor_bytes: snapshot.floorBytes, peak_bytes: snapshot.peakBytes,
      animation_count: Int64(snapshot.animationCount), pressure: Int32(snapshot.pressure.rawValue),
      follows_pressure: followsPressure ? 1 : 0, is_over_limit: snapshot.isOverLimit ? 1 : 0, reserved: 0)
  }
}

// MARK: - Exports

@c @implementation
public func gallop_budget_new(_ limit: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>!) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(BudgetObject(limit: limit), to: out)
  }
}

@c @implementation
public func gallop_budget_shared(_ out: UnsafeMutablePointer<OpaquePointer?>!) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(BudgetObject { .shared }, to: out)
  }
}

@c @implementation
public func gallop_budget_set_limit(_ budget: OpaquePointer!, _ limit: Int64) -> gallop_status {
  answer { () throws(Failure) in
    try unsafe Handles.object(budget, BudgetObject.self).budget.limit = limit
  }
}

@c @implementation
public func gallop_budget_follow_pressure(_ budget: OpaquePointer!, _ follows: Int32) -> gallop_status {
  answer { () throws(Failure) in
    try unsafe Handles.object(budget, BudgetObject.self).budget.followsMemoryPressure = follows != 0
  }
}

@c @implementation
public func gallop_simulate_pressure(_ level: Int32) -> gallop_status {
  answer { () throws(Failure) in
    let level = try MemoryPressure.Level(level)
    try ProcessState.shared.usePlayback()
    MemoryPressure.simulate(level)
  }
}

@c @implementation
public func gallop_budget_get_info(
  _ budget: OpaquePointer!, _ info: UnsafeMutablePointer<gallop_budget_info>!
) -> gallop_status {
  answer { () throws(Failure) in try unsafe write(Handles.object(budget, BudgetObject.self).info, to: info) }
}

@c @implementation
public func gallop_budget_on_limit(
  _ budget: OpaquePointer!, _ callback: gallop_budget_callback!, _ user: UnsafeMutableRawPointer!,
  _ destroy: gallop_destroy!
) -> gallop_status {
  answer { () throws(Failure) in
    let object: BudgetObject = try unsafe Handles.object(budget)
    try unsafe object.onLimit(UserFunction(given(callback, "the callback"), user: user, destroy: destroy))
  }
}

@c @implementation
public func gallop_budget_release(_ budget: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(budget, BudgetObject.self) }
}

public import GIFCaching

extension FrameBudget {
  /// Calls `handler` when what the animations that play cannot do without passes the limit, and when it is
  /// within the limit again; at once if it passes the limit now. See ``BudgetSnapshot/floorBytes``.
  ///
  /// The handler is called without a lock, on the thread of the change.
  /// - Parameter owner: the object with which the subscription ends; nil for one that lasts as long as the
  ///   budget.
  @discardableResult
  public func onOverLimit(
    for owner: AnyObject? = nil, _ handler: @escaping @Sendable (BudgetSnapshot) -> Void
  ) -> Subscription {
    let scope = SubscriptionScope()
    let life = owner.map { OwnerLife($0) }
    let id = addLimitHandler { snapshot in
      guard let life else { return handler(snapshot) }
      if !life.hold({ handler(snapshot) }) { scope.cancel() }
    }
    return Subscription { [weak self] in self?.removeLimitHandler(id) }.store(in: scope)
  }
}

extension Duration {
  /// The web's policies of delays have no duration, and its division would be a kilobyte of the module.
  package var wholeMilliseconds: Int { preconditionFailure("the web gives no durations") }
}

import GIFDecoding
import GIFLoading
import Testing

/// What tests compare of an error.
struct LoadingFault: Equatable {
  var stage: GIFLoadingError.Stage
  var code: GIFLoadingError.Code
  var value: Int64?
  var limit: Int64?

  init(
    _ stage: GIFLoadingError.Stage, _ code: GIFLoadingError.Code, value: Int64? = nil, limit: Int64? = nil
  ) {
    (self.stage, self.code, self.value, self.limit) = (stage, code, value, limit)
  }

  init(_ error: GIFLoadingError) {
    self.init(error.stage, error.code, value: error.value, limit: error.limit)
  }
}

/// The error that `body` must end with.
func loadingError(
  _ sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws(GIFLoadingError) -> Void
) async throws -> GIFLoadingError {
  do throws(GIFLoadingError) {
    try await body()
  } catch {
    return error
  }
  return try #require(nil, "no error", sourceLocation: sourceLocation)
}

/// The fault that `body` must end with; nil where it does not.
func fault(_ body: () throws(GIFLoadingError) -> Void) -> LoadingFault? {
  do throws(GIFLoadingError) {
    try body()
    return nil
  } catch {
    return LoadingFault(error)
  }
}

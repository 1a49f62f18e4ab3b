import CCurl
import Testing

@testable import GIFLoading

/// What libcurl's errors mean: how far the transfer had come decides.
@Suite struct TransferFaultTests {
  typealias Progress = TransferFault.Progress

  private func fault(_ code: CURLcode, _ progress: Progress) throws -> LoadingFault {
    let plan = try TransferPlan(address: WebAddress("https://h/"), byteLimit: 1, redirectLimit: 1)
    let fault = TransferFault(code: code, words: "words", progress: progress, connectMilliseconds: 15_000)
    return LoadingFault(fault.error(for: plan))
  }

  static let stages: [(Progress, GIFLoadingError.Stage)] = [
    (Progress(), .resolving),
    (Progress(isResolved: true), .connecting),
    (Progress(isResolved: true, isConnected: true), .securing),
    (Progress(isResolved: true, isConnected: true, isSecured: true), .requesting),
    (Progress(isResolved: true, isConnected: true, isSecured: true, hasHead: true), .receiving),
  ]

  @Test(arguments: stages)
  func stageByProgress(_ progress: Progress, _ stage: GIFLoadingError.Stage) throws {
    #expect(progress.stage == stage)
    #expect(try fault(CURLE_OPERATION_TIMEDOUT, progress) == LoadingFault(stage, .timedOut, limit: 15_000))
    #expect(try fault(CURLE_OUT_OF_MEMORY, progress) == LoadingFault(stage, .transferFailed))
    #expect(try fault(CURLE_UNSUPPORTED_PROTOCOL, progress) == LoadingFault(stage, .badResponse))
    for code in [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM] {
      #expect(try fault(code, progress) == LoadingFault(stage, progress.hasHead ? .cutOff : .badResponse))
    }
  }

  @Test func stageByCode() throws {
    let progress = Progress()
    #expect(try fault(CURLE_URL_MALFORMAT, progress) == LoadingFault(.parsing, .malformedURL))
    #expect(try fault(CURLE_COULDNT_RESOLVE_HOST, progress) == LoadingFault(.resolving, .hostNotFound))
    #expect(try fault(CURLE_COULDNT_RESOLVE_PROXY, progress) == LoadingFault(.resolving, .hostNotFound))
    #expect(try fault(CURLE_COULDNT_CONNECT, progress) == LoadingFault(.connecting, .connectionFailed))
    for code in [CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE] {
      #expect(try fault(code, progress) == LoadingFault(.securing, .insecureConnection))
    }
  }

  @Test func cutOffTellsTheLengths() throws {
    var progress = Progress(hasHead: true, byteCount: 10, announced: 100)
    #expect(
      try fault(CURLE_PARTIAL_FILE, progress) == LoadingFault(.receiving, .cutOff, value: 10, limit: 100))
    #expect(try fault(CURLE_RECV_ERROR, progress) == LoadingFault(.receiving, .cutOff, value: 10, limit: 100))
    progress.announced = nil
    #expect(try fault(CURLE_PARTIAL_FILE, progress) == LoadingFault(.receiving, .cutOff))
    progress.announced = 10
    #expect(try fault(CURLE_RECV_ERROR, progress) == LoadingFault(.receiving, .cutOff))
  }
}

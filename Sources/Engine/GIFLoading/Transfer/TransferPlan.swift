/// The decisions of a transfer: which answer to receive, follow or refuse.
struct TransferPlan {
  /// The decision for a whole head.
  enum Answer {
    case receive(announced: Int64?)
    case follow(WebAddress)
    case fail(GIFLoadingError)
  }

  private let origin: WebAddress
  private(set) var address: WebAddress
  private let byteLimit: Int64
  private let redirectLimit: Int
  private var redirects = 0

  init(address: WebAddress, byteLimit: Int64, redirectLimit: Int) {
    origin = address
    self.address = address
    self.byteLimit = byteLimit
    self.redirectLimit = redirectLimit
  }

  /// Whether the user's headers are sent; they may hold secrets for the original server.
  var sendsOwnHeaders: Bool { address.hasSameOrigin(as: origin) }

  /// Continues with the target of a redirect.
  mutating func follow(_ next: WebAddress) {
    address = next
    redirects += 1
  }

  func answer(to head: ResponseHead) -> Answer {
    switch head.status {
    case 200..<300:
      guard let length = head.announcedLength else { return .receive(announced: nil) }
      guard length <= byteLimit else {
        return .fail(error(.receiving, .tooLarge, value: length, limit: byteLimit))
      }
      return .receive(announced: length)
    case 301, 302, 303, 307, 308:
      guard let location = head.location else { break }
      return redirect(to: location)
    default:
      break
    }
    return .fail(error(.status, .badStatus, value: Int64(head.status)))
  }

  private func redirect(to location: String) -> Answer {
    guard redirects < redirectLimit else {
      return .fail(error(.redirecting, .tooManyRedirects, limit: Int64(redirectLimit)))
    }
    let next: WebAddress
    do throws(GIFLoadingError) {
      next = try address.resolving(location)
    } catch {
      let target = error.source + (error.detail.map { ", " + $0 } ?? "")
      return .fail(self.error(.redirecting, .forbiddenRedirect, detail: "to \(target)"))
    }
    guard next.isSecure || !address.isSecure else {
      return .fail(error(.redirecting, .forbiddenRedirect, detail: "from https to \(next)"))
    }
    return .follow(next)
  }

  func error(
    _ stage: GIFLoadingError.Stage, _ code: GIFLoadingError.Code, detail: String? = nil, value: Int64? = nil,
    limit: Int64? = nil
  ) -> GIFLoadingError {
    GIFLoadingError(stage, code, source: address.description, detail: detail, value: value, limit: limit)
  }
}

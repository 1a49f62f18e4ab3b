/// What becomes of a transfer when its answer comes: a pure value, without a socket.
struct TransferPlan {
  /// What a whole head means.
  enum Answer {
    case receive(announced: Int?)
    case follow(WebAddress)
    case fail(GIFLoadingError)
  }

  private let origin: WebAddress
  private(set) var address: WebAddress
  private let byteLimit: Int
  private let redirectLimit: Int
  private var redirects = 0

  init(address: WebAddress, byteLimit: Int, redirectLimit: Int) {
    origin = address
    self.address = address
    self.byteLimit = byteLimit
    self.redirectLimit = redirectLimit
  }

  /// Whether the headers that the user gave are sent: they may hold secrets, which are meant for one server.
  var sendsOwnHeaders: Bool { address.hasSameOrigin(as: origin) }

  /// Goes on with the address that a redirect leads to.
  mutating func follow(_ next: WebAddress) {
    address = next
    redirects += 1
  }

  func answer(to head: ResponseHead) -> Answer {
    switch head.status {
    case 200..<300:
      guard let length = head.announcedLength else { return .receive(announced: nil) }
      guard length <= byteLimit else {
        return .fail(error(.receiving, .tooLarge, value: length, limit: Int64(byteLimit)))
      }
      return .receive(announced: Int(length))
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

// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

@c @implementation
public func gallop_image_flashes(
  _ image: OpaquePointer!, _ options: UnsafePointer<gallop_flash_options>!,
  _ report: UnsafeMutablePointer<gallop_flash_report>!
) -> gallop_status {
  answer { () throws(Failure) in
    let object: ImageObject = try unsafe Handles.object(image)
    let options = try unsafe read(options, empty: gallop_flash_options())
    let isCancelled = try unsafe CancelObject.question(options.cancel)
    let found = try unsafe object.flashes(FlashOptions(options), isCancelled: isCancelled)
    try unsafe write(gallop_flash_report(found), to: report)
  }
}

extension FlashOptions {
  init(_ options: gallop_flash_options) throws(Failure) {
    self.init()
    size = try unsafe PixelSize(canvas: options.width, options.height)
    let rate = unsafe options.rate
    guard rate == 0 || PlaybackRate.range.contains(rate) else {
      throw .argument("a rate of \(rate): it is from 0.05 to 20")
    }
    self.rate = rate == 0 ? 1 : rate
    isComplete = unsafe options.is_partial == 0
    isVerdictOnly = unsafe options.is_verdict_only != 0
  }
}

extension gallop_flash_report {
  init(_ report: FlashReport) {
    self.init()
    switch report.result {
    case .passes: result = Int32(GALLOP_FLASHES_PASSES)
    case .fails: result = Int32(GALLOP_FLASHES_FAILS)
    case .unknown: result = Int32(GALLOP_FLASHES_UNKNOWN)
    }
    is_decoded = report.isDecoded ? 1 : 0
    if let peak = report.general { general = gallop_flash_peak(peak) }
    if let peak = report.red { red = gallop_flash_peak(peak) }
    safe_rate = report.safeRate ?? 0
    safe_width = UInt32(report.safeSize?.width ?? 0)
    safe_height = UInt32(report.safeSize?.height ?? 0)
  }
}

extension gallop_flash_peak {
  init(_ peak: FlashReport.Peak) {
    self.init(
      flashes_per_second: peak.flashesPerSecond, start_ms: Int64(peak.start.wholeMilliseconds),
      first_frame: Int64(peak.firstFrame), last_frame: Int64(peak.lastFrame), field_share: peak.fieldShare)
  }
}

// MARK: - Players

extension FlashPolicy {
  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_FLASH_POLICY_ALLOW: self = .allow
    case GALLOP_FLASH_POLICY_WARN: self = .warn
    case GALLOP_FLASH_POLICY_HOLD: self = .hold
    case GALLOP_FLASH_POLICY_SLOW: self = .slow
    default: throw .argument("there is no policy \(number) for flashes")
    }
  }

  fileprivate var number: Int32 {
    switch self {
    case .allow: Int32(GALLOP_FLASH_POLICY_ALLOW)
    case .warn: Int32(GALLOP_FLASH_POLICY_WARN)
    case .hold: Int32(GALLOP_FLASH_POLICY_HOLD)
    case .slow: Int32(GALLOP_FLASH_POLICY_SLOW)
    }
  }
}

extension FlashState {
  var number: Int32 {
    switch self {
    case .unjudged: Int32(GALLOP_FLASH_STATE_UNJUDGED)
    case .judging: Int32(GALLOP_FLASH_STATE_JUDGING)
    case .passes: Int32(GALLOP_FLASH_STATE_PASSES)
    case .warned: Int32(GALLOP_FLASH_STATE_WARNED)
    case .slowed: Int32(GALLOP_FLASH_STATE_SLOWED)
    case .held: Int32(GALLOP_FLASH_STATE_HELD)
    }
  }
}

extension GIFPlayer {
  var flashes: gallop_player_flashes {
    let (state, shown) = (flashState, shownSize)
    var found = gallop_player_flashes()
    found.policy = flashPolicy.number
    found.state = state.number
    found.shares_field = sharesField ? 1 : 0
    found.shown_width = UInt32(shown?.width ?? 0)
    found.shown_height = UInt32(shown?.height ?? 0)
    found.rate = state.slowedRate ?? 0
    found.report = state.report.map { gallop_flash_report($0) } ?? gallop_flash_report()
    found.has_report = state.report == nil ? 0 : 1
    return found
  }
}

// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import GIFDecoding
internal import GIFFlashes

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
    guard rate >= 0, rate.isFinite else { throw .argument("a rate of \(rate): it is above 0") }
    self.rate = rate == 0 ? 1 : rate
    isComplete = unsafe options.is_partial == 0
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

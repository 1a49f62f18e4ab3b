internal import EngineSupport
internal import Gallop
internal import Glibc

/// The machine and the date of a measurement.
struct BenchMachine: Equatable {
  /// Such as `AMD EPYC 7B13, 2 processors, 8.2 GB, Linux 6.1.0 x86_64`.
  var description: String
  /// `YYYY-MM-DD hh:mm UTC`.
  var date: String

  /// The current machine and date.
  static var present: BenchMachine {
    var names = utsname()
    unsafe uname(&names)
    let system = text(of: names.sysname)
    let release = text(of: names.release)
    let architecture = text(of: names.machine)
    let model = SystemFile.text("/proc/cpuinfo").flatMap(processorModel) ?? architecture
    let memory = SystemFile.text("/proc/meminfo").flatMap { ResidentMemory.kibibytes("MemTotal:", in: $0) }
    let count = EngineThread.processorCount
    let parts = [
      model, "\(count) processor\(count == 1 ? "" : "s")", memory.map { amount(Double($0) * 1024) },
      "\(system) \(release) \(architecture)",
    ]
    return BenchMachine(description: parts.compactMap(\.self).joined(separator: ", "), date: now)
  }

  /// The first processor's name; there is none on some architectures.
  static func processorModel(_ cpuinfo: String) -> String? {
    let line = cpuinfo.split(separator: "\n").first { $0.hasPrefix("model name") }
    guard let line, let colon = line.firstIndex(of: ":") else { return nil }
    let words = line[line.index(after: colon)...].split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static var now: String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let day = unsafe "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
    return unsafe day + " \(digits(parts.tm_hour)):\(digits(parts.tm_min)) UTC"
  }

  /// A C array of characters up to its terminating zero.
  private static func text<Characters>(of characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

import Testing

@testable import GallopCLI

@Suite("The machine of a benchmark")
struct BenchMachineTests {
  @Test("The processor's name comes from cpuinfo, if there is one")
  func processor() {
    #expect(
      BenchMachine.processorModel("processor\t: 0\nmodel name\t: A  CPU @ 2.0GHz\nmodel name\t: B\n")
        == "A CPU @ 2.0GHz")
    #expect(BenchMachine.processorModel("processor : 0\nBogoMIPS : 50\n") == nil)
    #expect(BenchMachine.processorModel("model name\n") == nil)
    #expect(BenchMachine.processorModel("model name : \n") == nil)
    #expect(BenchMachine.processorModel("") == nil)
  }

  @Test("Values of status files are found by their names")
  func figures() {
    let status = "Name:\tgallop\nVmHWM:\t   12345 kB\nVmRSS:\t      99 kB\nVmOdd:\n"
    #expect(ResidentMemory.kibibytes("VmHWM:", in: status) == 12_345)
    #expect(ResidentMemory.kibibytes("VmRSS:", in: status) == 99)
    #expect(ResidentMemory.kibibytes("VmOdd:", in: status) == nil)
    #expect(ResidentMemory.kibibytes("Name:", in: status) == nil)
    #expect(ResidentMemory.kibibytes("VmPeak:", in: status) == nil)
  }

  @Test("Measured values are present and plausible")
  func present() {
    let machine = BenchMachine.present
    #expect(machine.description.contains(" processor") && machine.description.contains("Linux"))
    #expect(machine.date.hasSuffix(" UTC") && machine.date.count == "2026-01-02 03:04 UTC".count)
    #expect(ResidentMemory().peakBytes > 1 << 20)
  }
}

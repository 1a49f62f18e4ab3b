/// On the web the page sets it: see `flashes_open`.
package enum SampleSecret {
  package nonisolated(unsafe) static var ofProcess: UInt64 = 0
}

import CLibFuzzer
import Glibc

/// Hands the process over to libFuzzer, with the command line as it is.
public func runFuzzer(_ target: @escaping @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt) -> Never {
  var count = CommandLine.argc
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
  exit(unsafe LLVMFuzzerRunDriver(&count, &arguments, target))
}

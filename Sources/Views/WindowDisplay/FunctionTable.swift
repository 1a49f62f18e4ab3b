internal import Glibc

/// Looks the functions of a library up by name.
///
/// The library stays loaded, so every pointer to its functions stays valid.
@safe struct FunctionTable {
  private let fileName: String
  private let library: UnsafeMutableRawPointer

  /// Opens a library; nil if it is not installed.
  init?(fileName: String) {
    guard let library = unsafe dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.fileName = fileName
    unsafe self.library = library
  }

  /// The function of a name.
  ///
  /// - Precondition: `Function` is the type of a pointer to the C function of this name.
  /// - Throws: ``WindowError`` if the library is too old to have it.
  @unsafe func find<Function>(_ name: String) throws(WindowError) -> Function {
    guard let symbol = unsafe dlsym(library, name) else {
      throw WindowError("\(fileName) is too old: it has no \(name)")
    }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }
}

internal import Glibc

/// Looks the functions of a library up by name, in one that a program can do without.
///
/// The library stays loaded, so every pointer to its functions stays valid.
@safe package struct FunctionTable {
  private let fileName: String
  private let library: UnsafeMutableRawPointer

  /// Opens a library by the first of its names that is there; nil if it is not installed.
  package init?(fileName: String, _ otherNames: String...) {
    for name in [fileName] + otherNames {
      guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      self.fileName = name
      unsafe self.library = library
      return
    }
    return nil
  }

  /// The function of a name.
  ///
  /// - Precondition: `Function` is the type of a pointer to the C function of this name.
  @unsafe package func find<Function>(_ name: String) throws(MissingFunction) -> Function {
    guard let symbol = unsafe dlsym(library, name) else { throw MissingFunction(name, in: fileName) }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }
}

/// A library is too old to have a function, in one sentence without a full stop.
package struct MissingFunction: Error, CustomStringConvertible {
  package let description: String

  fileprivate init(_ name: String, in library: String) {
    description = "\(library) is too old: it has no \(name)"
  }
}

/// The number of times that an animation plays in all.
public enum LoopCount: Sendable, Hashable {
  /// Without end.
  case forever
  /// The total number of plays, at least 1.
  case plays(Int)

  /// The total plays for a stored loop count: 0 means for ever, n means n repetitions after the first play.
  /// So browsers read it: 65,535 is 65,536 plays.
  init(storedRepetitions count: Int) {
    self = count == 0 ? .forever : .plays(count + 1)
  }
}

/// What a file says besides its frames.
public struct GIFMetadata: Sendable {
  /// Whether the file came to its regular end. False where it breaks off, and while it still loads.
  public let isComplete: Bool
  /// The bytes of the comments in file order, as far as the limit of comment bytes allows.
  package let commentTexts: [[UInt8]]
  /// The application extensions in file order, at most 256.
  public let applicationExtensions: [ApplicationExtension]
  /// The number of colours of the global palette, 2 to 256; nil if the file has none. The colours are
  /// ``GIFImage/globalPalette(_:)``.
  public let globalPaletteSize: Int?
  /// The index of the background colour in the global palette. Browsers ignore it and show a transparent
  /// background.
  public let backgroundIndex: UInt8
  /// The six bytes of the signature and the version.
  package let signature: [UInt8]
  /// The size of the compressed file in bytes.
  public let byteCount: Int
}

/// An application extension: data that a program, such as an image editor, leaves in a GIF.
public struct ApplicationExtension: Sendable, Hashable {
  /// The eleven bytes of the application's identifier and authentication code.
  package let identifierBytes: [UInt8]
  /// The bytes that the extension takes in the file.
  public let byteCount: Int
  /// Offset of the extension in the file.
  public let offset: Int

  /// Whether it is a loop extension, by its identifier.
  package var isLoop: Bool {
    identifierBytes.elementsEqual("NETSCAPE2.0".utf8) || identifierBytes.elementsEqual("ANIMEXTS1.0".utf8)
  }
}

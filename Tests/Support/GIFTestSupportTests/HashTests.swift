import GIFTestSupport
import Testing

@Suite("Hash")
struct HashTests {
  @Test(
    "SHA-256 gives the published values",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 100_000),
        "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
      ),
    ])
  func knownVectors(message: String, digest: String) {
    #expect(Hash.sha256Hex(message.utf8) == digest)
  }

  @Test("A canvas digest is that of its RGBA bytes, with the colour of transparent pixels left out")
  func canvasDigest() {
    let pixels: [UInt32] = [0xFF03_0201, 0x00AA_BBCC, 0x8006_0504]
    let bytes: [UInt8] = [1, 2, 3, 255, 0, 0, 0, 0, 4, 5, 6, 128]
    #expect(Hash.canvasDigest(pixels: pixels) == String(Hash.sha256Hex(bytes).prefix(16)))
    #expect(Hash.canvasDigest(pixels: []) == "e3b0c44298fc1c14")
  }
}

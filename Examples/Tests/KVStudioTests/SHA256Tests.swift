import Testing

@testable import KVStudio

@Suite("SHA-256 and the keyed hash")
struct SHA256Tests {
  private func digits(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(
    "The examples of FIPS 180-2, and the borders of blocks",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
      (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    ])
  func hashes(text: String, expected: String) { #expect(digits(SHA256.hash(text.utf8)) == expected) }

  @Test("The examples of RFC 4231, with short and long keys")
  func keyed() {
    #expect(
      digits(SHA256.keyed("what do ya want for nothing?".utf8, key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = Array(repeating: UInt8(0xAA), count: 131)
    let text = "Test Using Larger Than Block-Size Key - Hash Key First"
    #expect(
      digits(SHA256.keyed(text.utf8, key: long))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}

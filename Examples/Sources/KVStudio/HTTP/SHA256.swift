/// SHA-256 (RFC 6234), and the keyed hash that is made of it (RFC 2104).
enum SHA256 {
  /// Returns the hash of some bytes that only those can make who know the key.
  static func keyed(_ message: some Sequence<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
    let short = key.count > 64 ? hash(key) : Array(key)
    let block = short + Array(repeating: 0, count: 64 - short.count)
    return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + Array(message)))
  }

  /// Returns the hash of some bytes.
  static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(message)
    let length = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes += Array(repeating: 0, count: (120 - bytes.count % 64) % 64)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
    var state: [UInt32] = [
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    for start in stride(from: 0, to: bytes.count, by: 64) { add(bytes[start..<start + 64], to: &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = (0..<16).map { number in
      block.dropFirst(4 * number).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for number in 16..<64 {
      let (first, second) = (words[number - 15], words[number - 2])
      words.append(
        words[number - 16] &+ (turned(first, 7) ^ turned(first, 18) ^ first >> 3) &+ words[number - 7]
          &+ (turned(second, 17) ^ turned(second, 19) ^ second >> 10))
    }
    var now = state
    for (word, constant) in zip(words, constants) {
      let choice = now[4] & now[5] ^ ~now[4] & now[6]
      let majority = now[0] & now[1] ^ now[0] & now[2] ^ now[1] & now[2]
      let first = now[7] &+ (turned(now[4], 6) ^ turned(now[4], 11) ^ turned(now[4], 25)) &+ choice &+ constant &+ word
      let second = (turned(now[0], 2) ^ turned(now[0], 13) ^ turned(now[0], 22)) &+ majority
      now = [first &+ second, now[0], now[1], now[2], now[3] &+ first, now[4], now[5], now[6]]
    }
    state = zip(state, now).map(&+)
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]
}

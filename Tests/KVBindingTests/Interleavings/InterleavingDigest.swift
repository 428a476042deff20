/// 128 bits of a state, which take less memory than the state.
struct InterleavingDigest: Hashable {
  private var (low, high): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)

  init(_ bytes: [UInt8]) {
    for byte in bytes {
      low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
      high = (high &+ UInt64(byte) &+ 1) &* 0xFF51_AFD7_ED55_8CCD
      high ^= high >> 29
    }
  }
}

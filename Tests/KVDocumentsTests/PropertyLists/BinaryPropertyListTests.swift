import Foundation
import KVBinding
import KVCore
import KVDocuments
import TestModels
import Testing

@Suite("Binary property lists, byte by byte")
struct BinaryPropertyListTests {
  /// Makes a property list of objects that are given as bytes; the first one is at the top, references are one byte.
  private func list(_ objects: [[UInt8]], top: UInt8 = 0, referenceSize: UInt8 = 1) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, referenceSize]
    for number in [UInt8(objects.count), top, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return Data(bytes)
  }

  private func code(_ data: Data, elementLimit: Int = 10_000_000) -> KVError.Code? {
    do {
      _ = try PropertyListCoding.value(from: data, elementLimit: elementLimit)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("DOC.1, DOC.2: what Foundation writes is read, whatever its size")
  func agreement() throws {
    var random = SplitMix64(seed: 5)
    func value(_ depth: Int) -> Any {
      switch random.below(depth > 4 ? 8 : 10) {
      case 0: return random.below(2) == 0
      case 1: return Int(truncatingIfNeeded: random.next()) >> random.below(64)
      case 2: return Double(random.below(1_000_000)) / 7
      case 3: return Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000)))
      case 4: return Data((0..<random.below(300)).map { UInt8($0 % 256) })
      case 5: return String(repeating: "ascii ", count: random.below(60))
      case 6: return String(repeating: "größe 👩‍🚀 ", count: random.below(60))
      case 7: return UInt64.max - UInt64(random.below(5))
      case 8: return (0..<random.below(20)).map { _ in value(depth + 1) }
      default:
        return Dictionary(uniqueKeysWithValues: (0..<random.below(20)).map { ("key \($0) ü", value(depth + 1)) })
      }
    }
    for _ in 0..<200 {
      let tree: [String: Any] = ["top": value(0)]
      let data = try PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0)
      #expect(KVC.areEqual(try PropertyListCoding.value(from: data), tree))
    }
  }

  @Test("DOC.2: integers and floats have all sizes")
  func numbers() throws {
    let objects: [[UInt8]] = [
      [0xA8, 1, 2, 3, 4, 5, 6, 7, 8], [0x10, 200], [0x11, 1, 0], [0x12, 255, 255, 255, 255],
      [0x13, 255, 255, 255, 255, 255, 255, 255, 254], [0x22, 0x3F, 0x80, 0, 0],
      [0x14] + [UInt8](repeating: 255, count: 16),
      [0x14] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0], [0x71, 0x41],
    ]
    let values = try #require(try PropertyListCoding.value(from: list(objects)) as? [Any])
    #expect(KVC.areEqual(values, [200, 256, 4_294_967_295, -2, 1, -1, 0x1p64, "A"] as [Any]))
  }

  @Test("DOC.3, KVC.18: what ends Foundation's reader is refused: sets, archives, and what leads out of the data")
  func refused() {
    #expect(code(list([[0xC1, 1], [0x09]])) == .unsupported)
    #expect(code(list([[0x80, 1]])) == .unsupported)
    #expect(code(list([[0xA1, 9]])) == .invalidDocument)
    #expect(code(list([[0x5F, 0x10, 200]])) == .invalidDocument)
    #expect(code(list([[0xAF, 0x13, 127, 255, 255, 255, 255, 255, 255, 255]])) == .invalidDocument)
    #expect(code(list([[0x6F, 0x13, 127, 255, 255, 255, 255, 255, 255, 255]])) == .invalidDocument)
    #expect(code(list([[0xDF, 0x13, 127, 255, 255, 255, 255, 255, 255, 255]])) == .invalidDocument)
    #expect(code(list([[0xD1, 1, 1], [0x09]])) == .invalidDocument)
    #expect(code(list([[0x51, 0xFF]])) == .invalidDocument)
    #expect(code(list([[0x00]])) == .invalidDocument)
    #expect(code(list([[0x09]], top: 1)) == .invalidDocument)
    #expect(code(list([[0x09]], referenceSize: 0)) == .invalidDocument)
    #expect(code(list([[0x09]])) == nil)
    for count in 0..<45 { #expect(code(list([[0xA1, 1], [0x09]]).prefix(count)) != nil) }
  }

  @Test("KVC.18: no byte of a property list makes its reader trap")
  func everyByte() throws {
    let data = list([[0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x62, 0, 0x62, 0, 0x63], [0xA1, 1], [0x4F, 0x10, 2, 7, 7]])
    #expect(code(data) == nil)
    for offset in data.indices.dropFirst(6) {
      for byte in UInt8.min...UInt8.max {
        var damaged = data
        damaged[offset] = byte
        _ = code(damaged)
      }
    }
  }

  @Test("DOC.1, DOC.5: a container that contains itself is refused, one that is shared is read once")
  func sharing() throws {
    #expect(code(list([[0xA2, 0, 0]])) == .invalidDocument)
    #expect(code(list([[0xA1, 1], [0xA1, 0]])) == .invalidDocument)
    // Each array holds the next one twice: 2 to the power of 60 elements, if they were read one by one.
    let shared = (1...60).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
    #expect(code(list(shared), elementLimit: .max) == nil)
    #expect(code(list(shared)) == .limitExceeded)
    let deep = String(repeating: "<array>", count: 202) + String(repeating: "</array>", count: 202)
    let tree = try? PropertyListSerialization.propertyList(from: Data("<plist>\(deep)</plist>".utf8), format: nil)
    #expect(code(Data("<plist>\(deep)</plist>".utf8)) == .limitExceeded)
    if let tree, let data = try? PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0) {
      #expect(code(data) == .limitExceeded)
    }
  }
}

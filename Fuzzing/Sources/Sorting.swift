import Foundation
import KVBinding
import KVCore
import KVQuery

extension Target {
  /// SRT.1 to SRT.6: descriptors as data, and the order of texts.
  ///
  /// The first byte chooses the descriptor; the lines of the rest are its key path and the texts that are sorted.
  static let sorting = Target(name: "Sorting") { bytes in
    let lines = String(decoding: bytes.dropFirst(), as: UTF8.self).split(
      separator: "\n", maxSplits: 12, omittingEmptySubsequences: false
    ).map { String($0) }
    let choice = Int(bytes.first ?? 0)
    checkDecoding(lines.joined(separator: "\n"), bytes)
    guard let path = try? KVKeyPath(lines[0]) else { return }
    let comparison = [KVComparison.standard, .caseInsensitive, .natural, .standard][choice & 3]
    let nils = [nil, KVSortDescriptor.NilPosition.first, .last, nil][choice >> 2 & 3]
    let descriptor = KVSortDescriptor(path, ascending: choice & 16 == 0, comparison: comparison, nils: nils)
    checkText(descriptor, bytes)
    var texts: [String?] = lines.dropFirst().map { $0 }
    if choice & 32 != 0 { texts.append(nil) }
    checkOrder(texts, descriptor, bytes)
  }

  private static func checkText(_ descriptor: KVSortDescriptor, _ bytes: [UInt8]) {
    guard let data = try? JSONEncoder().encode(descriptor) else { found("cannot be encoded:", bytes) }
    let again = try? JSONDecoder().decode(KVSortDescriptor.self, from: data)
    expect(again == descriptor && again?.description == descriptor.description, "no round trip:", bytes)
    expect(descriptor.reversed.reversed == descriptor, "reversed twice it is another one:", bytes)
  }

  /// A document that is no descriptor is refused by the decoder.
  private static func checkDecoding(_ text: String, _ bytes: [UInt8]) {
    guard text.first == "{" else { return }
    do {
      checkText(try JSONDecoder().decode(KVSortDescriptor.self, from: Data(text.utf8)), bytes)
    } catch {
      expect(error is DecodingError, "another error than one of the decoder:", bytes, "\(error)")
    }
  }

  /// The order of many is that of each two, the same in both directions, and stable.
  private static func checkOrder(_ texts: [String?], _ descriptor: KVSortDescriptor, _ bytes: [UInt8]) {
    let own = KVSortDescriptor(
      "text", ascending: descriptor.ascending, comparison: descriptor.comparison, nils: descriptor.nils)
    let elements = texts.enumerated().map { ["text": $1 as Any, "place": $0] as [String: Any] }
    guard let sorted = try? elements.sorted(by: [own]) else { found("cannot be sorted:", bytes) }
    expect(sorted.count == elements.count, "elements are lost:", bytes)
    expect((try? sorted.isSorted(by: [own])) == true, "is not sorted:", bytes)
    for (index, one) in sorted.enumerated() {
      for other in sorted[(index + 1)...] {
        let order = try? [own].compare(one, other)
        let opposite = try? [own].compare(other, one)
        expect(order != nil && order != .greater, "is sorted, and greater than what follows:", bytes, "\(one) \(other)")
        expect((order == .same) == (opposite == .same), "equal in one direction:", bytes, "\(one) \(other)")
        expect(order == .same || opposite == .greater, "no opposite:", bytes, "\(one) \(other)")
        if order == .same, let place = one["place"] as? Int, let next = other["place"] as? Int {
          expect(place < next, "not stable:", bytes, "\(one) \(other)")
        }
      }
    }
  }
}

import KVCore

/// The order of texts as people count: "file 2" before "file 10" (SRT.5).
///
/// Texts are compared in four steps, each where the ones before found no difference: by ``primaryKey(_:)``; by the case
/// folding with diacritics; lower before upper case; by scalars. Each step compares keys that are made of one text alone,
/// so that the order is total.
enum NaturalOrder {
  /// The byte that a number begins with: that of the least digit.
  private static let number: UInt8 = 0x30

  /// Returns the order of two texts by their scalars.
  @inline(never)
  static func compareScalars(_ left: String, _ right: String) -> KVOrdering {
    let primary = lexicographic(primaryKey(left), primaryKey(right))
    if primary != .same { return primary }
    let (leftScalars, rightScalars) = (foldedScalars(left), foldedScalars(right))
    let folded = lexicographic(leftScalars.folded, rightScalars.folded)
    if folded != .same { return folded }
    let cased = lexicographic(leftScalars.isUpper, rightScalars.isUpper)
    if cased != .same { return cased }
    return lexicographic(left.unicodeScalars.map(\.value), right.unicodeScalars.map(\.value))
  }

  /// Returns the order of two ASCII texts; nil if one has other scalars.
  @inline(__always)
  static func compareASCII<Bytes: RandomAccessCollection<UInt8>>(
    _ left: Bytes, _ right: Bytes
  ) -> KVOrdering? where Bytes.Index == Int {
    guard left.allSatisfy({ $0 < 0x80 }), right.allSatisfy({ $0 < 0x80 }) else { return nil }
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      if isDigit(left[i]), isDigit(right[j]) {
        let (first, second) = (digits(left, from: i), digits(right, from: j))
        if first.count != second.count { return KVOrdering(first.count, second.count) }
        for offset in 0..<first.count where left[first.lowerBound + offset] != right[second.lowerBound + offset] {
          return KVOrdering(left[first.lowerBound + offset], right[second.lowerBound + offset])
        }
        (i, j) = (first.upperBound, second.upperBound)
      } else {
        let a = isDigit(left[i]) ? number : TextFolding.lowercased(left[i])
        let b = isDigit(right[j]) ? number : TextFolding.lowercased(right[j])
        if a != b { return KVOrdering(a, b) }
        (i, j) = (i + 1, j + 1)
      }
    }
    if i < left.count || j < right.count { return i < left.count ? .greater : .less }
    let folded = lexicographic(left.lazy.map(TextFolding.lowercased), right.lazy.map(TextFolding.lowercased))
    if folded != .same { return folded }
    let cased = lexicographic(left.lazy.map(isUpper), right.lazy.map(isUpper))
    return cased != .same ? cased : lexicographic(left, right)
  }

  /// Returns the range of the digits of a number, without leading zeros; the last zero of a zero is left out, too.
  @inline(__always)
  private static func digits<Bytes: RandomAccessCollection<UInt8>>(
    _ text: Bytes, from start: Int
  ) -> Range<Int> where Bytes.Index == Int {
    var first = start
    while first < text.count, text[first] == number { first += 1 }
    var end = first
    while end < text.count, isDigit(text[end]) { end += 1 }
    return first..<end
  }

  // MARK: Keys

  /// Returns bytes whose order is that of texts without case and diacritics, with the digits of a number counted as one.
  ///
  /// A number is the byte of a zero, the count of its digits without leading zeros, and these. The count of 255 and more
  /// digits takes nine bytes.
  static func primaryKey(_ text: String) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(text.utf8.count + 2)
    var number: [UInt8]?
    for scalar in text.unicodeScalars {
      if let digit = digit(scalar.value) {
        if number == nil { number = [] }
        if digit != 0 || number?.isEmpty == false { number?.append(Self.number + digit) }
        continue
      }
      // A diacritic on a digit ends no number.
      if number != nil, FoldingTable.shared[scalar.value]?.isMark == true { continue }
      append(&number, to: &key)
      TextFolding.append(scalar.value, [.caseInsensitive, .diacriticInsensitive]) { folded in
        if let bytes = Unicode.Scalar(folded).flatMap({ UTF8.encode($0) }) { key.append(contentsOf: bytes) }
      }
    }
    append(&number, to: &key)
    return key
  }

  private static func append(_ number: inout [UInt8]?, to key: inout [UInt8]) {
    guard let digits = number else { return }
    key.append(Self.number)
    if digits.count < 255 {
      key.append(UInt8(digits.count))
    } else {
      key.append(255)
      for shift in stride(from: 56, through: 0, by: -8) {
        key.append(UInt8(truncatingIfNeeded: UInt64(digits.count) >> UInt64(shift)))
      }
    }
    key += digits
    number = nil
  }

  private static func digit(_ scalar: UInt32) -> UInt8? {
    if scalar < 0x80 { return scalar &- 0x30 < 10 ? UInt8(scalar - 0x30) : nil }
    return FoldingTable.shared[scalar]?.digit
  }

  /// Returns the scalars of a text, taken apart and without case, and for each one whether it was upper case.
  private static func foldedScalars(_ text: String) -> (folded: [UInt32], isUpper: [UInt8]) {
    var (folded, upper): ([UInt32], [UInt8]) = ([], [])
    for scalar in text.unicodeScalars {
      TextFolding.append(scalar.value, [], keepsMarks: true) { part in
        let count = folded.count
        TextFolding.append(part, .caseInsensitive) { folded.append($0) }
        let isUpper = folded.count != count + 1 || folded[count] != part
        while upper.count < folded.count { upper.append(isUpper ? 1 : 0) }
      }
    }
    return (folded, upper)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private static func isUpper(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? 1 : 0 }

  @inline(__always)
  static func lexicographic<T: Comparable>(
    _ left: some Sequence<T>, _ right: some Sequence<T>
  ) -> KVOrdering {
    var others = right.makeIterator()
    for value in left {
      guard let other = others.next() else { return .greater }
      if value != other { return KVOrdering(value, other) }
    }
    return others.next() == nil ? .same : .less
  }
}

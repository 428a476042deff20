import KVCore

/// The folding of texts: without case, without diacritics, or both (SRT.5, FLT.7).
///
/// Folded texts are compared as Swift compares texts, by canonical equivalence.
enum TextFolding {
  /// Returns a text without what the options ignore.
  static func fold(_ text: String, _ options: KVTextOptions) -> String {
    if options.isEmpty { return text }
    if text.isASCII { return options.contains(.caseInsensitive) ? text.lowercased() : text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      append(scalar.value, options) { value in
        if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
      }
    }
    return String(scalars)
  }

  /// Calls a function with the scalars that a scalar is folded to.
  ///
  /// - Parameter keepsMarks: Whether a letter with a diacritic is taken apart, and its diacritic stays.
  @inline(__always)
  static func append(
    _ scalar: UInt32, _ options: KVTextOptions, keepsMarks: Bool = false, to output: (UInt32) -> Void
  ) {
    if scalar < 0x80 {
      output(options.contains(.caseInsensitive) ? UInt32(lowercased(UInt8(scalar))) : scalar)
    } else {
      appendFolded(scalar, options, keepsMarks, output)
    }
  }

  private static func appendFolded(
    _ scalar: UInt32, _ options: KVTextOptions, _ keepsMarks: Bool, _ output: (UInt32) -> Void
  ) {
    guard let entry = FoldingTable.shared[scalar] else { return output(scalar) }
    let ignoresMarks = options.contains(.diacriticInsensitive)
    if ignoresMarks || keepsMarks {
      if entry.isMark && ignoresMarks { return }
      if !entry.parts.isEmpty {
        for part in entry.parts { append(part, options, keepsMarks: keepsMarks, to: output) }
        return
      }
    }
    guard options.contains(.caseInsensitive), !entry.folded.isEmpty else { return output(scalar) }
    for folded in entry.folded { output(folded) }
  }

  /// Returns a byte of an ASCII text in lower case.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

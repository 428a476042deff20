import Foundation
import KVCore

extension KVTransformer {
  /// Returns a transformer from numbers to text, in a format of the language C, and back.
  ///
  /// | format | 3.14159 becomes | back |
  /// |---|---|---|
  /// | `%.2f €` | `3.14 €` | a `Double` |
  /// | `%d %%` | `3 %` | an `Int64` |
  /// | `%g`, `%e` | `3.14159`, `3.141590e+00` | a `Double` |
  /// | `0x%04x` | `0x0003` | an `Int64` |
  /// | `%@` | `3.14159`: every digit that matters | an integer, a `Double`, or a `Decimal` of more digits |
  ///
  /// No language or region has a say in it. It is registered as `format:%.2f €`, and so on, which is its name as well.
  /// nil stays nil; back, what does not have the text around the number is an error.
  ///
  /// - Parameter format: Any text with one number in it: `%`, flags, width and precision as in C, then one of `d`, `i`,
  ///   `u`, `x`, `X`, `f`, `F`, `e`, `E`, `g`, `G`; or `%@`. A percent sign is written `%%`.
  /// - Returns: The transformer, reversible.
  /// - Throws: ``KVError`` with the code `unsupported` if the format has no number, more than one, or an unknown one.
  public static func format(_ format: String) throws(KVError) -> KVTransformer {
    let name = formatPrefix + format
    let format = try NumberFormat(format)
    return KVTransformer.erased(name, forward: { try format.text(of: $0) }, reverse: { try format.number(in: $0) })
      .elementwise
  }

  /// The prefix of the names of formats.
  static let formatPrefix = "format:"
}

/// The services of Foundation that conversions, sorting and filters use; this module does not import Foundation.
///
/// KVFoundation lets ``FoundationProvider`` conform. Whether it does is found out at run time, so that nothing has
/// to be registered.
package protocol FoundationServices {
  /// The current date.
  static var now: any Sendable { get }
  /// The names of the types of ``cast(_:to:)``.
  static var castTypes: [String] { get }
  /// Returns a value as one of the types; nil if it cannot be one.
  static func cast(_ value: Any, to type: String) -> (any Sendable)?
  /// Returns the comparison of texts for the identifier of a locale.
  static func comparison(locale: String) -> @Sendable (String, String) -> KVOrdering
  /// Returns the text or number and the name of the type from which ``cast(_:to:)`` creates an equal value; nil if there is
  /// none.
  static func literal(of value: Any) -> (constant: any Sendable, type: String)?
}

/// The type by which the services are found.
package enum FoundationProvider {
  private struct Found: @unchecked Sendable {  // guard: a metatype, whose functions are static
    let type = FoundationProvider.self as Any.Type as? any FoundationServices.Type
  }

  private static let found = Found()

  /// The services; nil in a program with neither KVBinding nor KVDocuments.
  package static var services: (any FoundationServices.Type)? { found.type }

  /// The modules that declare the types of ``isConverted(_:)``, which differ between platforms.
  private static let modules: Set<Substring> = ["Foundation", "FoundationEssentials", "CoreFoundation", "__C"]
  private static let names: Set<Substring> = ["Date", "URL", "UUID", "Data", "Decimal", "NSDecimal", "CGFloat"]

  /// Returns whether a type is one of Foundation that KVFoundation lets convert.
  package static func isConverted(_ type: Any.Type) -> Bool {
    let parts = String(reflecting: type).split(separator: ".")
    return parts.count == 2 && modules.contains(parts[0]) && names.contains(parts[1])
  }
}

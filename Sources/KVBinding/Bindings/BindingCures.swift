import KVCore

/// The remedies in the errors of a binding: changes of code, or of the entries of a definition in a file (DEF.3).
///
/// The author of a file may not know Swift, and cannot change the program.
package struct BindingCures: Sendable {
  /// The cures of a binding that is made in code.
  package static let code = BindingCures(entryName: nil)

  /// Returns the name of the entry for an option; nil if the binding is made in code.
  private let entryName: (@Sendable (String) -> String)?

  private init(entryName: (@Sendable (String) -> String)?) { self.entryName = entryName }

  /// Creates the cures of a definition.
  ///
  /// - Parameter entryName: Returns the name of the entry for an option.
  package init(naming entryName: @escaping @Sendable (String) -> String) { self.init(entryName: entryName) }

  private func entry(_ option: String) -> String? { entryName.map { "\"\($0(option))\"" } }

  // MARK: Options

  /// The option with a value that is written in code.
  func option(_ name: String, _ value: String) -> String {
    entry(name).map { "\($0): \"\(value)\"" } ?? "the option \(name): .\(value)"
  }

  /// An option that gives the target a value to show.
  func showing(_ option: String) -> String {
    entry(option).map { "Give \($0) a value to show" } ?? "Bind with the option \(option): and a value to show"
  }

  /// The option for nil of a binding with a function, which may return nil as well.
  var showingForFunction: String {
    if let entry = entry("nullPlaceholder") {
      return "Choose a transformer that returns a value for each that it gets, and give \(entry) a value for nil"
    }
    return
      "Let the function of the binding return a value for each that it gets, and bind with the option nullPlaceholder: for nil"
  }

  /// An option whose value does not fit.
  func misfit(_ option: String, _ type: Any.Type?) -> String {
    let value = type.map { "a value of type \($0)" } ?? "a value that fits"
    if let entry = entry(option) {
      return "The value of \(entry) is set as it is, whatever transformer the binding has: let it be \(value)."
    }
    return "The option \(option) is set as it is, whatever function the binding has: give it \(value)."
  }

  // MARK: Functions

  /// A function that is called for each element of a collection.
  func takingWhole(_ type: Any.Type) -> String {
    entryName != nil
      ? "The transformer is called for each element of the source; choose one that takes the whole."
      : "The function of the binding is called for each element of the source; let it take the whole: { (value: \(type)) in … }."
  }

  /// A function whose values do not fit.
  func returning(_ type: Any.Type) -> String {
    entryName != nil
      ? "The transformer returns \(type); choose one whose values fit."
      : "The function of the binding returns \(type); let it return a value that fits."
  }

  /// A function for each direction.
  func convertingInBothDirections(_ type: Any.Type) -> String {
    entry("transformerName").map { "Name a transformer in \($0) that converts both ways." }
      ?? "Bind with a function for each direction: transform: { … }, reverse: { (value: \(type)) in … }."
  }

  /// A function that converts values of the source.
  ///
  /// - Parameters:
  ///   - isText: Whether the key of the source could be read as text.
  ///   - isBidirectional: Whether values of the target are converted as well.
  func converting(_ type: Any.Type, isText: Bool, isBidirectional: Bool) -> String {
    let conversion = type is any FixedWidthInteger.Type ? "%d" : "%g"
    let isNumber = type is any NumericValue.Type
    if let entry = entry("transformerName") {
      return "Name a transformer in \(entry) that converts it\(isText && isNumber ? ", as format:\(conversion)" : "")."
    }
    let format = isNumber ? ", or for a text transformer: .format(\"\(conversion)\")" : ""
    let bind =
      isText ? "Write @KVKey(.lenient) before the property of the source, or .lenient() in its table, or bind" : "Bind"
    return isBidirectional
      ? "\(bind) with a function for each direction: transform: { (value: \(type)) in … }, reverse: { … }."
      : "\(bind) with a function that converts it: { (value: \(type)) in … }\(format)."
  }
}

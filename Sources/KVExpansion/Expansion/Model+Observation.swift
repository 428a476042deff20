import KVSyntax

extension Model {
  /// Whether Swift's Observation knows of the changes (OBV.1): by the option, or because the class is `Observable`.
  var isTracked: Bool {
    isClass && (options.contains("observation") || isObservable) && !hasObservableMacro && !lacksObservable
  }

  /// Whether Observation's own macro makes the accessors.
  var hasObservableMacro: Bool { declaration.attributes.contains { $0.isNamed("Observable") } }

  /// Whether the class has the option and does not conform, as far as its declaration shows: another superclass than
  /// `KVObject` may.
  private var lacksObservable: Bool {
    let superclass = declaration.inheritedTypes.first?.split(separator: ".").last
    return options.contains("observation") && !isObservable
      && (isRoot || superclass == nil || superclass == "KVObject")
  }

  private var isObservable: Bool {
    declaration.inheritedTypes.contains { $0 == "Observable" || $0.hasSuffix(".Observable") }
  }

  /// The declaration of the registrar that Observation's own macro would store.
  var observationRegistrar: String {
    "nonisolated private let _$observationRegistrar = Observation.ObservationRegistrar()"
  }

  /// The declaration that reports subclasses unknown to Observation (OBV.1): their tables call it.
  ///
  /// Only a class that declares the conformance has it, so that no subclass declares it again.
  var untrackedWarning: String? {
    guard isTracked, isObservable, !isFinal else { return nil }
    let message = "Observation knows the properties of \(declaration.name), and not those of the subclass"
    let cure = #"write \"@KVModel(.observation)\""#
    return """
      @available(*, deprecated, message: "\(message): \(cure)")
      nonisolated \(access)class func _untracked() {}
      """
  }

  /// Whether the superclass may be known to Observation, and this class is not.
  var mayBeUntracked: Bool {
    isClass && !isRoot && !isTracked && !observed.isEmpty && !inheritsFromKVObject
  }

  /// Returns what makes it impossible that Observation knows of the changes (OBV.1).
  var observationErrors: [Diagnostic] {
    guard let location = attribute?.range else { return [] }
    let name = declaration.name
    if hasObservableMacro {
      return [
        syntax.error(
          at: location,
          "@Observable and @KVModel both store the properties of \(name): "
            + "write \"@KVModel(.observation)\" and \": Observable\" instead of @Observable")
      ]
    }
    guard options.contains("observation") else { return [] }
    guard isClass else {
      return [syntax.error(at: location, "\".observation\" is for classes: a struct is tracked by what stores it")]
    }
    guard lacksObservable else { return [] }
    let all = (declaration.inheritedTypes + ["Observable"]).joined(separator: ", ")
    return [
      syntax.error(
        at: location, "\(name) is not Observable: \"import Observation\", and write \"class \(name): \(all)\"",
        fixIts: [syntax.fix("conform to Observable", replacing: conformance.location, with: conformance.text)])
    ]
  }

  /// Where the conformance belongs: behind the superclass, else before other protocols, else behind the name.
  private var conformance: (location: Range<Int>, text: String) {
    let (tokens, end) = (declaration.tokens.tokens, declaration.nameEnd)
    guard !declaration.inheritedTypes.isEmpty, let colon = tokens.firstIndex(where: { $0.range.lowerBound >= end })
    else { return (end..<end, ": Observable") }
    if isRoot {
      let location = tokens[colon].range.upperBound
      return (location..<location, " Observable,")
    }
    let superclass = tokens[colon...].indices.first { declaration.tokens[$0] == "KVObject" } ?? colon
    let location = tokens[superclass].range.upperBound
    return (location..<location, ", Observable")
  }
}

import KVCore

// A binding to a path through the selection of a controller reads a marker where there is no value (CTR.38).

extension BindingCore {
  /// The marker that the source has now; nil if it has a value.
  var marker: KVSelectionMarker? {
    guard case .value(let value)? = try? source.read() else { return nil }
    return value as? KVSelectionMarker
  }

  /// Returns the value of the target for a marker: its placeholder, or else null.
  ///
  /// - Throws: ``KVError`` (`undefinedKey`) if a selected object does not have the key, and there is no placeholder.
  func outgoing(for marker: KVSelectionMarker) throws(KVError) -> Outgoing {
    if let placeholder = options.placeholders[marker] { return Outgoing(placeholder, option: marker.rawValue) }
    if marker == .notApplicable { throw missingKey }
    if target.leaf?.isCollection == true { return Outgoing([Any]()) }
    return Outgoing(options.nullPlaceholder, option: "nullPlaceholder")
  }

  /// The error of a selected object that does not have the key, with the key that may be meant.
  private var missingKey: KVError {
    var cause: KVError?
    if let (resolver, remainder) = resolvedSource {
      let owners = remainder.first.isOperator ? [resolver.pathOwners] : resolver.pathOwners
      for owner in owners where cause == nil {
        do throws(KVError) { _ = try KVC.value(of: owner, forKeyPath: remainder) } catch {
          if error.code == .undefinedKey { cause = error }
        }
      }
    }
    let key = cause?.component ?? source.path.last.description
    let cure = cures.showing(KVSelectionMarker.notApplicable.rawValue)
    return KVError(
      .undefinedKey,
      """
      a selected object does not have the key "\(shortened(key))".\(Suggestion.question(cause?.suggestion)) Select objects \
      that have it, or \(cure.prefix(1).lowercased())\(cure.dropFirst()).
      """, keyPath: source.path.description, component: key, rootType: source.typeName,
      knownKeys: cause?.knownKeys ?? [], suggestion: cause?.suggestion)
  }

  /// The error of a target that takes no nil, and has no placeholder for a marker.
  func noPlaceholder(for marker: KVSelectionMarker, _ error: KVError) -> KVError {
    KVError(
      error.code,
      """
      cannot set "\(target.path)" of \(target.typeName): the source "\(source.path)" yields the marker \(marker.rawValue), and \
      the property takes no nil. \(cures.showing(marker.rawValue)), or make the property optional.
      """, keyPath: error.keyPath, component: error.component, rootType: error.rootType)
  }

  /// The error of a target that takes no nil, with what the binding can do about it.
  func withPlaceholderCure(_ error: KVError) -> KVError {
    let cure =
      transform == nil && combiner == nil ? cures.showing("nullPlaceholder") : cures.showingForFunction
    return error.replacingCure(with: "\(cure), or make the property optional.")
  }

  /// Whether a value of the target is the placeholder for the marker that the source has now, so that it is not written
  /// back.
  func isPlaceholder(_ value: Any) -> Bool {
    guard !options.placeholders.isEmpty, let marker, let placeholder = options.placeholders[marker] else {
      return false
    }
    return Equality.areEqual(value, placeholder)
  }

  /// Whether a null or an empty value of the target stands for the marker that the source has now.
  func standsForMarker() -> Bool {
    guard sourceOwners != nil, let marker else { return false }
    return options.placeholders[marker] == nil
  }

  private var sourceResolver: (any PathResolving)? { resolvedSource?.resolver }
  private var resolvedSource: (resolver: any PathResolving, remainder: KVKeyPath)? {
    source.current.flatMap { source in source.object.flatMap { source.path.resolver(from: $0) } }
  }

  /// The objects and values that a write to the source would set; nil if no object resolves the path of the source.
  var sourceOwners: [Any]? { sourceResolver?.pathOwners }

  /// Throws if the options do not permit to write to several selected objects (CTR.39).
  ///
  /// - Parameter previous: The number of objects for which the edit was made; nil for the present ones.
  func checkOwners(_ previous: Int? = nil) throws(KVError) {
    guard !options.allowsEditingMultipleValues, let count = previous ?? sourceOwners?.count, count > 1 else { return }
    throw KVError(
      .unsupported,
      """
      the edit would be written to \(count) selected objects, and the option allowsEditingMultipleValues is false: select \
      one object.
      """, keyPath: source.path.description, rootType: source.typeName)
  }

  /// Whether an edit of the target would be written to the source.
  var isEditable: Bool {
    guard !isEnded, options.direction.goesBackward, let source = source.current, let object = source.object else {
      return false
    }
    if let (resolver, remainder) = resolvedSource {
      let owners = resolver.pathOwners
      if (resolver as? any OwnersResolving)?.isReadOnly == true { return false }
      guard !owners.isEmpty, owners.count == 1 || options.allowsEditingMultipleValues, marker != .notApplicable else {
        return false
      }
      // A nil on the way from one of the objects refuses the edit of all.
      if remainder.leafOwners(of: owners).contains(where: { $0 == nil }) { return false }
    } else if case .unresolved? = try? source.read() {
      return false
    }
    return (try? KVC.checkSettable(source.path, of: object)) != nil
  }
}

extension KVPathBinding {
  /// The marker that the source yields now; nil if it yields a value (CTR.39).
  public var marker: KVSelectionMarker? { core?.marker }

  /// Whether an edit of the target would be written to the source (CTR.39).
  ///
  /// It is false for a binding that does not write to its source, while nothing is selected, and for several selected
  /// objects without the option ``KVBindingOptions/allowsEditingMultipleValues``.
  public var isEditable: Bool { core?.isEditable ?? false }
}

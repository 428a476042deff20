import KVBinding
import KVCore

/// The selected objects of a controller as one object, whose keys are those of the objects (CTR.32).
///
/// ```swift
/// try field.bind("text", to: "selection.artist.name", of: songs, options: .init(.twoWay, multipleValues: "several"))
/// if case .marker(.multipleValues) = songs.selection["year"] { print("mixed") }
/// ```
///
/// A path through it yields the value of the one selected object, or the one that all selected objects have, or else a
/// ``KVSelectionMarker``. An operator applies to the selected objects: `selection.@count`. Writing sets all selected
/// objects, or none. Paths can be observed at any time, without content and for keys that no object has yet (CTR.37).
public final class KVSelection: KVObject, Plumbing {
  private let reference: WeakReference<AnyObject>
  var controller: KVController? { reference.object as? KVController }

  init(of controller: KVController) {
    reference = WeakReference(controller)
    super.init()
  }

  /// The table, which lists no keys: all keys are those of the selected objects.
  public override class var keyTable: KVTable {
    KVTable(KVSelection.self, listedKeysOnly: true) { (_: KVObjectKeys<KVSelection>) in }
  }

  /// Returns the value of a key path, or a marker (CTR.34).
  ///
  /// A value that cannot be read for another reason than a missing key is reported through ``KVDiagnostics``, and counts
  /// as not applicable.
  ///
  /// - Parameter path: The path from each selected object; `@operators` apply to all of them.
  public subscript(path: KVKeyPath) -> KVSelectionValue {
    do throws(KVError) {
      let value = try value(of: path, from: 0, to: path.count - 1)
      return (value as? KVSelectionMarker).map { .marker($0) } ?? .value(value)
    } catch {
      KVDiagnostics.report(.error, .faultyPath, path, self) { "reading \(path) of a selection: \(error)" }
      return .marker(.notApplicable)
    }
  }

  /// Returns the value of a key of the selected objects, or a marker.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``KVError``, if an object has the key and cannot read it.
  public override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    try value(of: KVKeyPath(singleKey: key), from: 0, to: 0)
  }

  /// Sets a key of all selected objects, or of none (CTR.36).
  ///
  /// - Parameters:
  ///   - value: The value, or nil.
  ///   - key: The key.
  /// - Throws: ``KVError``: `unresolvedPath` if nothing is selected; the error of the first object that refuses the value.
  public override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    try setValue(value, of: KVKeyPath(singleKey: key), from: 0)
  }
}

extension KVSelection: OwnersResolving {
  package var pathOwners: [Any] { controller?.selectedItems ?? [] }

  package func value(of path: KVKeyPath, from index: Int, to last: Int) throws(KVError) -> Any? {
    let items = pathOwners
    let reader = Reader(path, to: last)
    do throws(KVError) {
      if path.components[index].isOperator { return try reader.value(of: items as Any, from: index) }
      guard let first = items.first else { return KVSelectionMarker.noSelection }
      if path.isLimited { try checkPolicy(of: path, from: index, reader, items) }
      if items.count > 1, controller?.alwaysUsesMultipleValuesMarker == true { return KVSelectionMarker.multipleValues }
      let value = try reader.value(of: first, from: index)
      var isSame = true
      // Each object is asked, since one without the key makes the path not applicable.
      for item in items.dropFirst() {
        let other = try reader.value(of: item, from: index)
        isSame = isSame && Equality.areEqual(value, other)
      }
      return isSame ? value : KVSelectionMarker.multipleValues
    } catch {
      if error.code == .undefinedKey { return KVSelectionMarker.notApplicable }
      throw error
    }
  }

  /// Throws if the policy of a path refuses the value of an object, whatever other errors others have (SEC.2).
  private func checkPolicy(of path: KVKeyPath, from index: Int, _ reader: Reader, _ items: [Any]) throws(KVError) {
    for item in items {
      do throws(KVError) { _ = try reader.value(of: item, from: index) } catch {
        if error.code == .notPermitted { throw error }
      }
    }
  }

  package func setValue(_ value: Any?, of path: KVKeyPath, from index: Int) throws(KVError) {
    let owners = pathOwners
    guard let controller, !owners.isEmpty else {
      throw KVError(
        .unresolvedPath,
        "nothing was set: nothing is selected. Select an object first, or use setValueIfResolved(_:forKeyPath:).",
        component: path.components[index].description)
    }
    let values = try SelectedValues(owners, of: controller)
    guard owners.count > 1 else { return try values.set(value, of: path, from: index) }
    let key = Self.key(path.components[index...])
    try AggregateKeys.writeAll(key, of: self) { () throws(KVError) in try values.set(value, of: path, from: index)
    }
  }
}

extension KVSelection: UpdateJoining {
  /// Adds keys that change during an update of the controller to that update.
  package func joinUpdate(_ keys: [InternedKey]) -> Bool {
    guard let controller, controller.isUpdating else { return false }
    for key in keys { controller.joinUpdate(key, of: self) }
    return true
  }

  package func willNotify() { controller?.selectionWillNotify() }
}

extension KVSelection: EditorHost {
  package func bindingDidChangeEdit(_ binding: BindingCore, isEditing: Bool) {
    controller?.bindingDidChangeEdit(binding, isEditing: isEditing)
  }
}

extension KVSelection: KeyResolving {
  private static func key(_ components: ArraySlice<KVKeyPath.Component>) -> InternedKey {
    InternedKey((try? KVKeyPath(components: Array(components)))?.description ?? "")
  }

  /// A path depends on the selected objects, and on what it reads of each.
  package func resolvedKey(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> ResolvedKey? {
    guard let controller else { return nil }
    let ownComponents = components.first?.isOperator == true ? components.dropFirst() : components
    if let path = try? KVKeyPath(components: Array(ownComponents)) { try controller.checkKeys(of: path) }
    let objects = KVKeyPath.Component.key("selectedObjects")
    var left = [objects]
    switch components.first {
    case .operator: break
    case .key, nil: left.append(.operator("unionOfObjects", argument: nil))
    // A subscript behind an operator would be its argument (KP.7).
    case .entry, .index: left += [.operator("unionOfObjects", argument: nil), .key("self")]
    }
    let paths = [
      try? KVKeyPath(components: left + components),
      try? KVKeyPath(components: [.key("alwaysUsesMultipleValuesMarker")]),
    ]
    return ResolvedKey(
      key: Self.key(components), affecting: paths.compactMap(\.self), root: controller, toleratesMissingKeys: true)
  }
}

import KVBinding
import KVCore

extension KVUndoManager {
  /// Records the changes of an object's keys from now on (UND.1).
  ///
  /// ```swift
  /// try undo.record(song)
  /// try undo.record(settings, keys: ["volume", "theme"])
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object, which is referenced weakly.
  ///   - keys: The keys; nil for all settable keys of the table that notify of changes. Those that notify and are left
  ///     out are named in a warning. Of a ``KVRecord``, the keys that it has now.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: `undefinedKey`, `notSettable` or `notObservable`; `unsupported` if the list of keys is empty;
  ///   `wrongThread` off the executor. Nothing is recorded then.
  /// - Complexity: O(1) for each key.
  public func record(
    _ object: some KVObservable, keys: [String]? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try checkExecutor("record")
    if keys?.isEmpty == true {
      throw KVError(
        .unsupported,
        "the list of keys of \(type(of: object)) is empty: nothing would be recorded. Name the keys, or leave the list out."
      )
    }
    adopt(try use(keys, of: object, Site(file, line)))
  }

  /// Records the changes of a collection, and of keys of each element while it is a member, and until the end of the step
  /// in which it leaves (UND.1).
  ///
  /// Another call for the same collection adds keys.
  ///
  /// ```swift
  /// try undo.recordElements(of: "songs", in: library)
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of an array or a set of observable objects.
  ///   - object: The object that has the key, which is referenced weakly.
  ///   - keys: The keys of the elements; nil for those that ``record(_:keys:file:line:)`` records of each.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: `undefinedKey`, `notSettable` or `notObservable`, for the collection and for its current
  ///   elements; `unsupported` if the key is no collection; `wrongThread` off the executor. Nothing is recorded then.
  ///   Errors of elements that are inserted later are reported through ``KVDiagnostics``.
  /// - Complexity: O(*n*) in the number of elements; O(*k*) for *k* inserted or removed elements.
  public func recordElements(
    of key: String, in object: some KVObservable, keys: [String]? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws(KVError) {
    try checkExecutor("recordElements")
    let site = Site(file, line)
    let used = try use([key], of: object, site)
    guard let collection = used.first else { return }
    do throws(KVError) {
      if let value = collection.value(of: object), try Elements.all(of: value) == nil {
        throw KVError(
          .unsupported,
          "\"\(key)\" of \(type(of: object)) is not a collection, and has no elements. Record it by record(_:keys:).",
          keyPath: key, rootType: "\(type(of: object))")
      }
    } catch {
      collection.endUse()
      throw error
    }
    let former = collection.elements
    let elements = UndoElements(keys, of: former, self, site)
    do throws(KVError) {
      for element in Elements.list(collection.value(of: object)) { try elements.add(element, of: collection) }
    } catch {
      elements.cancel()
      collection.endUse()
      throw error
    }
    collection.elements = elements
    former?.cancel()
    adopt(used)
  }

  /// Ends the recording of an object's keys, of the elements of its collections, and of its selection (UND.1).
  ///
  /// The steps remain. As an element of a recorded collection, the object is recorded further.
  ///
  /// - Parameter object: The object.
  public func stopRecording(_ object: some KVObservable) {
    if reportsElsewhere("stopRecording") { return }
    removeDead()
    selections.removeAll { $0.id == ObjectIdentifier(object) }
    for key in recorded.removeValue(forKey: ObjectIdentifier(object)) ?? [] {
      key.isNamed = false
      key.elements?.cancel()
      key.elements = nil
      let left = openSteps.flatMap { $0.left.take(of: key) } + leftInReplay.take(of: key)
      for key in left { key.endUse() }
      key.endUse()
    }
  }

  /// Keeps keys that have been begun to record; each key counts once.
  private func adopt(_ used: [UndoKey]) {
    for key in used {
      if key.isNamed {
        key.endUse()
      } else {
        key.isNamed = true
        recorded[key.id.object, default: []].append(key)
      }
    }
  }

  /// Records keys of an object for one reason more.
  ///
  /// - Throws: ``KVError`` if a key cannot be recorded. None is then.
  func use(_ names: [String]?, of object: any KVObservable, _ site: Site) throws(KVError) -> [UndoKey] {
    var used: [UndoKey] = []
    do throws(KVError) {
      for name in try recordableNames(names, of: object, site) {
        let key = key(name, of: object)
        try key.use(object, site)
        used.append(key)
      }
    } catch {
      for key in used { key.endUse() }
      throw error
    }
    return used
  }

  /// Returns the names of keys without aliases; those that are recorded by default for nil.
  private func recordableNames(
    _ names: [String]?, of object: any KVObservable, _ site: Site
  ) throws(KVError) -> [String] {
    let known = try KVC.keys(of: object)
    guard let names else {
      let recorded = known.filter { key in
        key.canNotify && (!key.isReadOnly || key.hasToManyFunctions) && (!key.isReflected || object is KVRecord)
      }
      if KVDiagnostics.isReported(.warning), typesReported.insert(ObjectIdentifier(type(of: object))).inserted {
        reportLeftOut(of: known, recorded, object, site)
      }
      return recorded.map(\.name)
    }
    var byName: [String: KVKeyDescription] = [:]
    for key in known { for name in [key.name] + key.aliases { byName[name] = byName[name] ?? key } }
    var result: [String] = []
    for name in names {
      let key = byName[name]
      if key?.hasToManyFunctions != true {
        try KVC.checkSettable(KVKeyPath(listedKey: name), of: object)
      }
      if key == nil { try checkNoPath(name, of: object) }
      result.append(key?.name ?? name)
    }
    return result
  }

  /// Throws if a name that an object does not have as a key is the text of a key path: a record can have any key later.
  private func checkNoPath(_ name: String, of object: any KVObservable) throws(KVError) {
    guard let path = try? KVKeyPath(name), path.components != [.key(name)], !path.first.isOperator else { return }
    let cure = path.first.observedName.map { " Record keys by their names: keys: [\"\($0)\"]." } ?? ""
    throw KVError(
      .undefinedKey,
      "\"\(shortened(name))\" is a key path, and the \(type(of: object)) does not have a key of this name.\(cure)",
      component: name, rootType: "\(type(of: object))")
  }

  /// Reports keys that notify of changes which are not recorded, not even as those of a key that depends on them.
  private func reportLeftOut(
    of known: [KVKeyDescription], _ recorded: [KVKeyDescription], _ object: any KVObservable, _ site: Site
  ) {
    let known = known.filter { $0.canNotify && $0.affectingKeyPaths.isEmpty && !$0.notifiesManually }
    let covered = Set(recorded.flatMap { [$0.name] + $0.affectingKeyPaths })
    let leftOut = known.map(\.name).filter { !covered.contains($0) }
    if leftOut.isEmpty { return }
    KVDiagnostics.report(.warning, .undo, nil, object, site) {
      """
      recording \(type(of: object)) leaves out what cannot be set by key: \(leftOut.map { "\"\($0)\"" }.joined(separator: ", ")). \
      Undo does not restore it. Make it settable, or name the keys to record: keys: [\
      \(recorded.map { "\"\($0.name)\"" }.joined(separator: ", "))].
      """
    }
  }
}

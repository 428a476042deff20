import KVCore

/// The observations and bindings of an object, one line each, for failures about objects that should have none or be
/// gone.
struct ObserverLinks {
  /// The observations of the object, also by key paths through it, and the bindings that have it as source or target.
  let attached: [String]
  /// The observations that belong to the object.
  let owned: [String]

  init(of object: AnyObject) {
    // The observations of a binding are omitted here; the binding itself is listed.
    attached =
      ((object as? any KVObservable).map { Self.observations(of: $0) } ?? [])
      + KVDiagnostics.bindings(of: object).map { "bound: \($0)" }
    owned = KVDiagnostics.observations(ownedBy: object).map { "observes: \($0)" }
  }

  /// All lines, and their meaning for an object that is alive.
  var lines: [String] {
    let all = attached + owned
    return all.isEmpty
      ? ["Nobody observes or binds it."]
      : all + ["None of these keeps it alive, unless a closure in it captures it."]
  }

  private static func observations(of object: some KVObservable) -> [String] {
    KVDiagnostics.observations(of: object).filter { !$0.style.hasPrefix("binding") }.map { "observed: \($0)" }
      + KVDiagnostics.observations(passing: object).map { "observed on the way: \($0)" }
  }
}

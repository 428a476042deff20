import KVCore

/// Who observes or binds an object, one line each: what a test wants to see of an object that should be gone, or left
/// alone.
struct Ties {
  /// Each observation of the object or by a path through it, and each binding at either end.
  let attached: [String]
  /// Each observation that belongs to the object.
  let owned: [String]

  init(of object: AnyObject) {
    // A binding registers at its ends like anybody else; it is listed as what it is.
    attached =
      ((object as? any KVObservable).map { Self.observations(of: $0) } ?? [])
      + KVDiagnostics.bindings(of: object).map { "bound: \($0)" }
    owned = KVDiagnostics.observations(ownedBy: object).map { "observes: \($0)" }
  }

  /// All of it, and what it means for an object that is alive.
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

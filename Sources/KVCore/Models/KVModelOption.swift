/// An option of ``KVModel(_:)``.
public struct KVModelOption: Sendable {
  /// The class has no superclass that can be observed: it stores its observers itself, and becomes ``KVObservable``.
  public static let root = KVModelOption()
  /// Reads and changes of the properties are known to Swift's Observation (OBV.1).
  ///
  /// The class conforms to `Observable`, and its file imports Observation. The option is implied then; a subclass of such
  /// a model needs it.
  public static let observation = KVModelOption()
  /// Keys that the table does not list are inaccessible (TAB.5).
  public static let listedKeysOnly = KVModelOption()

  /// Names the global actor of the type, if its name does not end in `Actor`, as that of `@MainActor` does.
  ///
  /// - Parameter actor: The actor: `Disk.self`.
  /// - Returns: The option.
  public static func isolated<Isolation: GlobalActor>(to actor: Isolation.Type) -> Self { KVModelOption() }
}

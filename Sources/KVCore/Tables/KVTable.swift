/// The accessor table of a type: its keys, one line each (TAB.1).
///
/// Reading works without a table, by reflection. Writing needs one, and so do computed properties, aliases, validation
/// and speed. A class extends the table of its superclass; anything else begins one:
///
/// ```swift
/// final class Person: KVObject {
///   @KVProperty var name = "Ada"
///   var age = 36
///   var initial: String { String(name.prefix(1)) }
///
///   override class var keyTable: KVTable {
///     super.keyTable.extended(for: Person.self) { key in
///       key("name", \.name)
///       key("age", \.age)
///       key("initial", \.initial).affected(by: "name")
///     }
///   }
/// }
///
/// struct Address: KeyValueCoding {
///   var city = "London"
///   static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city) } }
/// }
/// ```
///
/// The package asks a type for its table once and keeps what it found (TAB.9). It checks the table then: every fault is
/// reported, all together, by the first access (TAB.6).
public final class KVTable: @unchecked Sendable {  // guard: immutable once the initialiser has returned
  /// The type that the table describes.
  public let type: Any.Type
  /// Whether stored properties that the table does not list are out of reach (TAB.5).
  public let listsAllKeys: Bool
  let base: KVTable?
  let declarations: [KeyDeclaration]
  /// Whether the lines were written for objects; those for values would take an object for memory.
  let describesObjects: Bool

  /// A table without keys: everything is reflected.
  public static let empty = KVTable(
    type: Any.self, base: nil, declarations: [], listsAllKeys: false, describesObjects: false)

  private init(
    type: Any.Type, base: KVTable?, declarations: [KeyDeclaration], listsAllKeys: Bool, describesObjects: Bool
  ) {
    self.type = type
    self.base = base
    self.declarations = declarations
    self.listsAllKeys = listsAllKeys
    self.describesObjects = describesObjects
  }

  /// Begins the table of a value type.
  ///
  /// A type that is isolated to a global actor names the actor in its closure: `{ @Disk key in … }` (THR.3).
  ///
  /// - Parameters:
  ///   - type: The type that declares it.
  ///   - listedKeysOnly: Whether keys that the table does not list are out of reach, and out of every message. Without
  ///     it unlisted stored properties stay readable by reflection.
  ///   - build: Called once, at once, with the recorder of the keys.
  /// - Complexity: O(*n*) in the number of keys.
  public convenience init<Root>(
    _ type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @isolated(any) (KVValueKeys<Root>) -> Void
  ) {
    let keys = listed(KVValueKeys<Root>(actor: build.isolation), by: build)
    self.init(
      type: type, base: nil, declarations: keys.declarations, listsAllKeys: listedKeysOnly,
      describesObjects: false)
  }

  /// Begins the table of a class whose superclass has none.
  ///
  /// A class that is isolated to a global actor names the actor in its closure; the closures within may use the actor's
  /// properties then, and end the program when they run elsewhere (THR.3):
  ///
  /// ```swift
  /// @Disk final class Folder: KVObservable {
  ///   let registrarSlot = KVRegistrarSlot()
  ///   @KVProperty var name = ""
  ///
  ///   nonisolated static var keyTable: KVTable {
  ///     KVTable(Folder.self) { @Disk key in key("name", \.name) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The class that declares it, by its name: `Self.self` does not work with key paths in a class that is not
  ///     final.
  ///   - listedKeysOnly: Whether keys that the table does not list are out of reach, and out of every message. Without
  ///     it unlisted stored properties stay readable by reflection.
  ///   - build: Called once, at once, with the recorder of the keys.
  public convenience init<Root: AnyObject>(
    _ type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @isolated(any) (KVObjectKeys<Root>) -> Void
  ) {
    let keys = listed(KVObjectKeys<Root>(actor: build.isolation), by: build)
    self.init(
      type: type, base: nil, declarations: keys.declarations, listsAllKeys: listedKeysOnly,
      describesObjects: true)
  }

  /// Begins the table of a class that is isolated to the main actor, and whose superclass has none.
  ///
  /// It is the form for all classes with `@MainActor` written for the closure; see there.
  ///
  /// - Parameters:
  ///   - type: The class that declares it, by its name.
  ///   - listedKeysOnly: Whether keys that the table does not list are out of reach, and out of every message. Without
  ///     it unlisted stored properties stay readable by reflection.
  ///   - build: Called once, at once, with the recorder of the keys.
  public convenience init<Root: AnyObject>(
    mainActor type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @MainActor (KVObjectKeys<Root>) -> Void
  ) {
    let keys = listed(KVObjectKeys<Root>(actor: MainActor.shared), by: build)
    self.init(
      type: type, base: nil, declarations: keys.declarations, listsAllKeys: listedKeysOnly,
      describesObjects: true)
  }

  /// Returns the table of a subclass: this one and more keys; a key that both have is replaced (TAB.3).
  ///
  /// A class that is isolated to a global actor names the actor in its closure: `{ @Disk key in … }` (THR.3).
  ///
  /// - Parameters:
  ///   - type: The subclass, by its name: `Self.self` does not work with key paths in a class that is not final.
  ///   - listedKeysOnly: Whether keys that no table lists are out of reach; inherited once it is set.
  ///   - build: Called once, at once, with the recorder of the keys.
  /// - Returns: The table of the subclass.
  public func extended<Root: AnyObject>(
    for type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @isolated(any) (KVObjectKeys<Root>) -> Void
  ) -> KVTable {
    let keys = listed(KVObjectKeys<Root>(actor: build.isolation), by: build)
    return KVTable(
      type: type, base: self, declarations: keys.declarations, listsAllKeys: listedKeysOnly || listsAllKeys,
      describesObjects: true)
  }

  /// Returns the table of a subclass that is isolated to the main actor.
  ///
  /// - Parameters:
  ///   - type: The subclass, by its name.
  ///   - listedKeysOnly: Whether keys that no table lists are out of reach; inherited once it is set.
  ///   - build: Called once, at once, with the recorder of the keys. The closures in it may use the actor's properties,
  ///     and run on the actor only.
  /// - Returns: The table of the subclass.
  public func extended<Root: AnyObject>(
    forMainActor type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @MainActor (KVObjectKeys<Root>) -> Void
  ) -> KVTable {
    let keys = listed(KVObjectKeys<Root>(actor: MainActor.shared), by: build)
    return KVTable(
      type: type, base: self, declarations: keys.declarations, listsAllKeys: listedKeysOnly || listsAllKeys,
      describesObjects: true)
  }
}

/// Returns keys once a closure has listed them, wherever the table is first needed.
///
/// Listing keys only stores closures; it is their calls that need the actor, and those check for it.
private func listed<Keys: AnyObject>(_ keys: Keys, by build: @escaping @isolated(any) (Keys) -> Void) -> Keys {
  unsafeBitCast(build, to: ((Keys) -> Void).self)(keys)
  return keys
}

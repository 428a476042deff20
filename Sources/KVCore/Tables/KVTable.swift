/// The accessor table of a type: its keys, one line per key (TAB.1).
///
/// Reading works without a table, by reflection. Writing needs a table, except for properties in wrappers that
/// reflection can write (KVC.8); so do computed properties, aliases, validators and speed. A class extends the table of
/// its superclass; any other type begins a table:
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
/// The package reads the table of a type once, at the first use of the type, and keeps the result (TAB.9). It checks
/// the table then: the first access throws one error that reports all faults (TAB.6).
public final class KVTable: @unchecked Sendable {  // guard: immutable once `keyTable` has returned it
  /// The type that the table describes.
  package let type: Any.Type
  /// Whether the table is complete: stored properties that it does not list are inaccessible (TAB.5).
  package let listsAllKeys: Bool
  let base: KVTable?
  let declarations: [KeyDeclaration]
  /// The names of properties that notify of their changes, though their storage has no wrapper; also inherited ones.
  package let notifying: Set<String>
  /// The classes whose stored properties are no keys: controllers, whose subclasses have properties.
  private(set) var hidden: Set<ObjectIdentifier>
  /// Whether the accessors take objects; those of value types take the memory of a value.
  let describesObjects: Bool
  /// Whether ``KVModel(_:)`` made the table.
  let isGenerated: Bool

  /// The table without keys: all properties are reflected.
  package static let empty = KVTable(
    type: Any.self, base: nil, declarations: [], notifying: [], listsAllKeys: false, describesObjects: false,
    isGenerated: false)

  private init(
    type: Any.Type, base: KVTable?, declarations: [KeyDeclaration], notifying: Set<String>, listsAllKeys: Bool,
    describesObjects: Bool, isGenerated: Bool
  ) {
    self.type = type
    self.base = base
    self.declarations = declarations
    self.notifying = notifying.union(base?.notifying ?? [])
    self.listsAllKeys = listsAllKeys
    hidden = base?.hidden ?? []
    self.describesObjects = describesObjects
    self.isGenerated = isGenerated
    for declaration in declarations where notifying.contains(declaration.name) { declaration.notifiesItself = true }
    resolveMentions()
  }

  /// Makes affecting keys of the names in getters that are keys of the table (MOD.4).
  private func resolveMentions() {
    guard declarations.contains(where: { !$0.mentions.isEmpty }) else { return }
    var keys = Dictionary(uniqueKeysWithValues: notifying.map { ($0, $0) })
    for declaration in merged { keys[declaration.property] = declaration.name }
    for declaration in declarations {
      for (name, location) in declaration.mentions {
        guard let key = keys[name], key != declaration.name else { continue }
        declaration.affecting.append(key)
        declaration.affectingLocations.append(location)
      }
    }
  }

  /// Creates a table once a closure has declared its keys, on any thread.
  ///
  /// Declaring keys only stores closures. Only their calls need the actor, and these calls check it.
  private convenience init<Root, Keys>(
    _ base: KVTable? = nil, listsAllKeys: Bool, describesObjects: Bool,
    by build: @escaping @isolated(any) (Keys) -> Void,
    _ makeKeys: (KeyLines<Root>) -> Keys
  ) {
    let lines = KeyLines<Root>(actor: build.isolation)
    withoutIsolation(build, as: ((Keys) -> Void).self)(makeKeys(lines))
    self.init(
      type: Root.self, base: base, declarations: lines.declarations, notifying: lines.notifying,
      listsAllKeys: listsAllKeys, describesObjects: describesObjects, isGenerated: lines.areGenerated)
  }

  /// Creates the table of a value type.
  ///
  /// The table of a type that is isolated to a global actor names the actor in its closure: `{ @Disk key in … }`
  /// (THR.3).
  ///
  /// - Parameters:
  ///   - type: The type that declares the table.
  ///   - listedKeysOnly: Whether keys that the table does not list are inaccessible, and are not named in any message.
  ///     By default unlisted stored properties stay readable by reflection (TAB.5).
  ///   - build: A closure that declares the keys. It is called once, before the initializer returns.
  /// - Complexity: O(*n*) in the number of keys.
  public convenience init<Root>(
    _ type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @isolated(any) (KVValueKeys<Root>) -> Void
  ) {
    self.init(listsAllKeys: listedKeysOnly, describesObjects: false, by: build) { KVValueKeys<Root>(lines: $0) }
  }

  /// Creates the table of a class whose superclass has none.
  ///
  /// The table of a class that is isolated to a global actor names the actor in its closure. The closures within it may
  /// then use the properties of the actor's domain; they end the program if they run off the actor (THR.3):
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
  ///   - type: The class that declares the table, by its name: key paths do not work with `Self.self` in a class that
  ///     is not final.
  ///   - listedKeysOnly: Whether keys that the table does not list are inaccessible, and are not named in any message.
  ///     By default unlisted stored properties stay readable by reflection (TAB.5).
  ///   - build: A closure that declares the keys. It is called once, before the initializer returns.
  /// - Complexity: O(*n*) in the number of keys.
  public convenience init<Root: AnyObject>(
    _ type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @isolated(any) (KVObjectKeys<Root>) -> Void
  ) {
    self.init(listsAllKeys: listedKeysOnly, describesObjects: true, by: build) { KVObjectKeys<Root>(lines: $0) }
  }

  /// Returns the table of a subclass, which has the keys of this table and further keys (TAB.3).
  ///
  /// A key of this table that the subclass declares again is replaced. The table of a class that is isolated to a
  /// global actor names the actor in its closure: `{ @Disk key in … }` (THR.3).
  ///
  /// - Parameters:
  ///   - type: The subclass, by its name: key paths do not work with `Self.self` in a class that is not final.
  ///   - listedKeysOnly: Whether keys that no table lists are inaccessible. A table inherits the value `true`.
  ///   - build: A closure that declares the keys. It is called once, before the method returns.
  /// - Returns: The table of the subclass.
  /// - Complexity: O(*n*) in the number of further keys.
  public func extended<Root: AnyObject>(
    for type: Root.Type, listedKeysOnly: Bool = false,
    _ build: @escaping @isolated(any) (KVObjectKeys<Root>) -> Void
  ) -> KVTable {
    KVTable(self, listsAllKeys: listedKeysOnly || listsAllKeys, describesObjects: true, by: build) {
      KVObjectKeys<Root>(lines: $0)
    }
  }

  /// Returns this table, which was just created, of a class of the library, which stores no data: its subclasses may.
  package func hidingStorage() -> KVTable {
    hidden.insert(ObjectIdentifier(type))
    return self
  }
}

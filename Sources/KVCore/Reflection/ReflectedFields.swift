/// The stored properties of a type that a mirror shows, under their keys.
///
/// Besides this file only `ReflectedValue.swift` uses `Mirror`.
package struct ReflectedFields {
  /// The position of a stored property in a mirror of its owner.
  package struct Field {
    let label: String
    package let name: String
    /// The number of superclass mirrors above the owner's mirror.
    let level: Int
    /// The index among the mirror's children.
    let offset: Int
    /// The type of the first value that was seen, without optionals.
    let type: Any.Type
    /// The declared type of the values, where the runtime or the value tells it.
    let valueType: Any.Type
    /// The static type of the values, if the field is the storage of a property that can notify under its own name.
    let notifyingType: Any.Type?
    let isObservable: Bool
    package let isSettable: Bool
    /// The place of the field in memory, if it is known.
    let location: StoredLocation?
    /// Whether the field is the storage of a wrapped property, whose name is its label without the underscore.
    let isWrapper: Bool

    /// The name of the property in Swift.
    var property: String { isWrapper ? name : label }

    /// Whether the field stores a function, or a tuple of some.
    var isFunction: Bool { !isWrapper && ReflectedValue.isFunction(type) }

    /// Whether the field holds functions, or ``Plumbing``, which are not data.
    var isPlumbing: Bool {
      type is any Plumbing.Type || valueType is any Plumbing.Type || String(reflecting: type).contains("->")
    }
  }

  private(set) var all: [Field] = []
  private var byKey: [String: Field] = [:]
  private(set) var lazyNames: [String] = []
  /// Whether the type is `CustomReflectable`, so that the fields of one value say nothing about other values.
  package let variesByValue: Bool

  /// No fields.
  init() { variesByValue = false }

  /// Finds the fields of the type of a value.
  ///
  /// - Parameters:
  ///   - sample: A value of the type.
  ///   - notifying: The names of properties that notify of their changes though no wrapper stores them.
  ///   - hidden: The classes that store no data; their subclasses may.
  ///   - usingCustomMirror: Whether to use the mirror of a value that is `CustomReflectable`. It is not used when the
  ///     package first sees a type, since the custom mirror may lead back here.
  package init(
    of sample: Any, notifying: Set<String> = [], hiding hidden: Set<ObjectIdentifier> = [],
    usingCustomMirror: Bool = true
  ) {
    variesByValue = sample is any CustomReflectable
    if variesByValue, !usingCustomMirror { return }
    var mirror: Mirror? = Mirror(reflecting: sample)
    var level = 0
    var ranks: [String: Int] = [:]
    // A value that shows itself otherwise has other children than properties.
    let declarations = variesByValue ? [] : StoredLocation.declarations(of: type(of: sample))
    var end = declarations.count
    while let current = mirror {
      // Superclasses come first among the places, and last among the mirrors.
      let start = end - current.children.count
      end = start
      let isHidden = hidden.contains(ObjectIdentifier(current.subjectType))
      for (offset, child) in current.children.enumerated() where !isHidden {
        guard let label = child.label else { continue }
        if label.hasPrefix(Self.lazyPrefix) {
          lazyNames.append(String(label.dropFirst(Self.lazyPrefix.count)))
          continue
        }
        if label.contains("$") || (label == Self.slotName && sample is any KVObservable) { continue }
        let storage = child.value as? any ObservablePropertyStorage
        let reference = child.value as? any KVReferenceProperty
        let isObservable = storage != nil || (label.first == "_" && notifying.contains(Self.name(of: label)))
        let value = ReflectedValue.unwrapped(child.value)
        let declared = declarations.indices.contains(start + offset) ? declarations[start + offset] : nil
        let wrapped = storage.map { Swift.type(of: $0).valueType } ?? reference.map { Swift.type(of: $0).valueType }
        let reflected = (child.value as? any KVReflectedProperty).map { Swift.type(of: $0).valueType }
        let field = Field(
          label: label, name: Self.name(of: label), level: level, offset: offset,
          type: value.map { type(of: $0) } ?? optionalWrappedType(type(of: child.value)) ?? type(of: child.value),
          valueType: wrapped ?? reflected ?? (declared?.name == label ? declared?.type : nil) ?? type(of: child.value),
          notifyingType: wrapped,
          isObservable: isObservable, isSettable: reference != nil,
          location: declared?.location.flatMap { $0.isLocation(of: label, child.value) ? $0 : nil },
          isWrapper: isObservable || reflected != nil)
        all.append(field)
        for (rank, key) in Self.keys(of: label) where rank < ranks[key] ?? .max {
          ranks[key] = rank
          byKey[key] = field
        }
      }
      mirror = current.superclassMirror
      level += 1
    }
  }

  private static let slotName = "registrarSlot"
  static let lazyPrefix = "$__lazy_storage_$_"

  /// Returns the key under which a label is listed: without the underscore of wrapper storage.
  private static func name(of label: String) -> String {
    label.hasPrefix("_") && label.count > 1 ? String(label.dropFirst()) : label
  }

  /// Returns the keys that a label matches, each with its rank in Apple's search order: `key`, `_key`, `isKey`,
  /// `_isKey`.
  private static func keys(of label: String) -> [(rank: Int, key: String)] {
    var keys = [(0, label)]
    let bare = name(of: label)
    let underscored = bare != label
    if underscored { keys.append((1, bare)) }
    if bare.hasPrefix("is"), let first = bare.dropFirst(2).first, first.isUppercase {
      keys.append((underscored ? 3 : 2, first.lowercased() + bare.dropFirst(3)))
    }
    return keys
  }

  /// The places of fields, by the keys that lead to them.
  var storedLocations: [String: StoredLocation] { byKey.compactMapValues(\.location) }

  /// Returns the field for a key.
  package func field(_ key: String) -> Field? { byKey[key] }

  /// Returns whether a key is stored in a ``KVProperty``, which notifies of its changes itself.
  package func isObservableProperty(_ key: String) -> Bool {
    guard let field = byKey[key] else { return false }
    return field.isObservable && field.name == key
  }

  /// The fields that their own names resolve to, without those that a subclass hides by a field of the same name.
  var visible: [Field] {
    all.filter { field in byKey[field.name].map { $0.level == field.level && $0.offset == field.offset } ?? false }
  }

  /// The names of the fields that messages list.
  var listedNames: [String] { all.filter { !$0.isPlumbing }.map(\.name) }
}

import KVBinding
import KVCore

/// A key that is looked at, with all that its table says of it.
struct ComplianceKey {
  /// How the key is changed.
  enum Way {
    /// By key.
    case byKey
    /// By the native key path of its line, since it is read-only by key.
    case inSwift
  }

  let name: String
  /// The declared type; that of the value where nothing is declared.
  let valueType: Any.Type
  let aliases: [String]
  /// What the key depends on, by its own line and those of superclasses (DEP.4).
  let affecting: [KVKeyPath]
  let nativePath: AnyKeyPath?
  let isNativelyWritable: Bool
  /// Whether a table lists it.
  let isListed: Bool
  let isManual: Bool
  let isUnlistedProperty: Bool
  let toMany: KVKeyDescription.ToMany?
  /// Whether the line has functions that edit the collection.
  let editsElements: Bool
  /// Nil if nothing can change it from outside.
  let way: Way?

  init(_ description: KVKeyDescription, of model: any KeyValueCoding, table: KVTable) {
    let info = TypeInfo.of(model)
    let accessor = (try? info.accessor(description.name)) ?? nil
    name = description.name
    valueType = description.valueType
    aliases = description.aliases
    affecting = accessor?.affecting ?? []
    isListed = !description.isReflected
    isManual = description.notifiesManually
    isUnlistedProperty = description.isReflected && info.fields.isObservableProperty(description.name)
    toMany = description.toMany
    editsElements = accessor?.editsElements ?? false
    nativePath = isListed ? table.keyPath(for: description.name) : nil
    isNativelyWritable = nativePath.map(isReferenceWritable) ?? false
    way = !description.isReadOnly ? .byKey : isNativelyWritable && !description.notifiesManually ? .inSwift : nil
  }

  /// A key that no table and no stored property knows, but perhaps a hook.
  init(answeredByHook name: String) {
    self.name = name
    valueType = Any.self
    (aliases, affecting, nativePath, isNativelyWritable) = ([], [], nil, false)
    (isListed, isManual, isUnlistedProperty, toMany, editsElements) = (false, false, false, nil, false)
    way = .byKey
  }

  var isOptional: Bool { optionalWrappedType(valueType) != nil }
}

private func isReferenceWritable(_ path: AnyKeyPath) -> Bool {
  func open<Root>(_ root: Root.Type) -> Bool {
    func open<Value>(_ value: Value.Type) -> Bool { path is ReferenceWritableKeyPath<Root, Value> }
    return _openExistential(type(of: path).valueType, do: open)
  }
  return _openExistential(type(of: path).rootType, do: open)
}

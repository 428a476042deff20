import KVBinding
import KVCore

/// A key to inspect, with its declaration in the table.
struct ComplianceKey {
  /// How a key is changed.
  enum WriteAccess {
    /// By key.
    case byKey
    /// By the native key path of its line, since the key is read-only by key.
    case inSwift
  }

  let name: String
  /// The declared type, or the type of the value if none is declared.
  let valueType: Any.Type
  let aliases: [String]
  /// The paths that affect the key, by its own line and those of superclasses (DEP.4).
  let affecting: [KVKeyPath]
  let nativePath: AnyKeyPath?
  let isNativelyWritable: Bool
  /// Whether a table lists the key.
  let isListed: Bool
  let isManual: Bool
  let isUnlistedProperty: Bool
  let toMany: KVKeyDescription.ToMany?
  /// Whether the line declares functions that edit the collection.
  let editsElements: Bool
  /// How the key can be changed; `nil` if it cannot be changed from outside.
  let writeAccess: WriteAccess?

  init(_ description: KVKeyDescription, of model: any KeyValueCoding, table: KVTable) {
    let info = TypeInfo.of(model)
    let accessor = (try? info.accessor(description.name)) ?? nil
    name = description.name
    valueType = description.valueType
    aliases = description.aliases
    affecting = accessor?.affecting ?? []
    isListed = !description.isReflected
    isManual = description.notifiesManually
    // A model of the macro leaves properties out on purpose.
    isUnlistedProperty =
      description.isReflected && info.fields.isObservableProperty(description.name)
      && !table.notifying.contains(description.name)
    toMany = description.toMany
    editsElements = accessor?.editsElements ?? false
    nativePath = isListed ? table.keyPath(for: description.name) : nil
    isNativelyWritable = nativePath.map(isReferenceWritable) ?? false
    writeAccess =
      !description.isReadOnly ? .byKey : isNativelyWritable && !description.notifiesManually ? .inSwift : nil
  }

  /// Creates a key that neither a table nor a stored property defines, but perhaps a hook.
  init(providedByHook name: String) {
    self.name = name
    valueType = Any.self
    (aliases, affecting, nativePath, isNativelyWritable) = ([], [], nil, false)
    (isListed, isManual, isUnlistedProperty, toMany, editsElements) = (false, false, false, nil, false)
    writeAccess = .byKey
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

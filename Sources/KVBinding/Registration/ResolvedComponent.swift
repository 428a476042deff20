import KVCore

/// A component of a path and its owner: whether the component exists, and whether the owner notifies of its changes.
package struct ResolvedComponent {
  let owner: Any
  /// The registrar of the owner, if the owner can be observed.
  private(set) var registrar: ObserverRegistrar?
  /// The key of which the owner notifies; nil if the owner cannot be observed.
  private(set) var key: InternedKey?
  private(set) var accessor: Accessor?
  /// The paths that affect the key.
  private(set) var affecting: [KVKeyPath] = []
  /// Whether the owner ever notifies of a change of the key.
  private(set) var canNotify = false
  /// The key for the rest of the path, if the owner resolves that.
  private(set) var resolved: ResolvedKey?
  /// Whether the rest of the path is evaluated as a whole: it begins with an operator, or the owner resolves it.
  private(set) var endsResolution: Bool

  /// Resolves a component of an owner.
  ///
  /// - Throws: ``KVError``: `undefinedKey`; `notObservable` if the path leads through the elements of a collection.
  init(_ owner: Any, _ path: KVKeyPath, _ index: Int) throws(KVError) {
    self.owner = owner
    let component = path.components[index]
    endsResolution = component.isOperator || index + 1 < path.count && path.components[index + 1].isOperator
    let info = TypeInfo.of(owner)
    // The keys of mapped arrays are shared, and carry the values of paths without a policy.
    if info.resolvesObservedPaths, !path.isLimited || owner is any PathResolving,
      let resolver = owner as? any KeyResolving
    {
      // What the policy refuses is not looked for, and its name is not kept.
      if path.isLimited { _ = try Reader(path).value(of: owner, from: index) }
      if let resolved = try resolver.resolvedKey(for: path.components[index...]) {
        (self.resolved, key, affecting) = (resolved, resolved.key, resolved.affecting)
        (canNotify, endsResolution) = (true, true)
        registrar = ObserverRegistrar.of(resolver)
        return
      }
    }
    try path.check(at: index, of: owner)
    guard let name = component.observedName else { return }
    if info.mapsKey(name, of: owner) { throw Self.throughCollection(path, index) }
    guard info.isObservable, try !path.isReceiver(at: index, of: owner), let object = owner as? any KVObservable
    else {
      if info.kind != .keyed { _ = try Reader.value(ofKey: name, in: owner) }
      return
    }
    (key, accessor, affecting, canNotify) = try Self.key(name, of: object, info)
    if endsResolution, accessor?.leadsToResolver == true {
      endsResolution = false
    }
    registrar = ObserverRegistrar.of(object)
  }

  /// Returns the key of a name, its accessor if a table lists it, the paths that affect it, and whether the object
  /// notifies of its changes.
  private static func key(
    _ name: String, of object: any KVObservable, _ info: TypeInfo
  ) throws(KVError) -> (InternedKey, Accessor?, [KVKeyPath], Bool) {
    if let accessor = try info.accessor(name) {
      let canNotify = accessor.canNotify || info.fields.isObservableProperty(accessor.key.name)
      return (accessor.key, accessor, accessor.affecting, canNotify)
    }
    if info.kind == .record { return (InternedKey(name), nil, [], true) }
    let fields = info.fields.variesByValue ? ReflectedFields(of: object) : info.fields
    if let field = fields.field(name) {
      let canNotify = field.isSettable || fields.isObservableProperty(field.name)
      return (InternedKey(field.name), nil, info.otherKeys(of: field), canNotify)
    }
    // The hook for undefined keys may have a value; it throws otherwise.
    _ = try Reader.value(ofKey: name, in: object)
    return (InternedKey(name), nil, [], true)
  }

  /// Throws if the last key of a path from an element does not exist; its value is not read.
  package static func check(_ path: KVKeyPath, of element: Any) throws(KVError) {
    let owner: Any? = if let parent = path.parent { try Reader(parent).value(of: element) } else { element }
    guard let owner, let name = path.last.observedName else { return }
    try path.check(at: path.count - 1, of: owner)
    let info = TypeInfo.of(owner)
    if name == "self" || DynamicCollection.canBeMapped(owner) || info.kind == .record { return }
    guard try info.accessor(name) == nil, info.fields(of: owner).field(name) == nil else { return }
    _ = try Reader.value(ofKey: name, in: owner)
  }

  /// Whether the owner could notify of the component, and never does, though its value can change: it is no `let`.
  var neverNotifies: Bool { registrar != nil && !canNotify && accessor?.declaration.isConstant != true }

  /// Whether the key has manual notification (KVO.15).
  var isManual: Bool { accessor?.declaration.notifiesManually ?? false }

  private static func throughCollection(_ path: KVKeyPath, _ index: Int) -> KVError {
    let left = path.prefix(index).map { shortened($0.description) } ?? "the collection"
    // Brackets belong to the key before them.
    let brackets = path.components[(index + 1)...].prefix { !$0.takesDot }
    let right = ([path.components[index]] + brackets).map(\.description).joined()
    return KVError(
      .notObservable,
      """
      "\(shortened(path.description))" leads through the elements of a collection, which have no single value. Use \
      observeElements(of: "\(left)", "\(shortened(right))") to observe each element, "\(left)" to observe the collection, or \
      an operator such as "\(left).@count".
      """, component: right)
  }
}

extension KVKeyPath.Component {
  /// The name of a component that an object can notify of.
  package var observedName: String? {
    switch self {
    case .key(let name), .entry(let name): name
    case .index, .operator: nil
    }
  }
}

extension KVKeyPath {
  /// The first components; nil if there are none.
  func prefix(_ count: Int) -> KVKeyPath? {
    count > 0 ? try? part(Array(components.prefix(count))) : nil
  }
}

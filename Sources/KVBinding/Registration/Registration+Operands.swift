import KVCore

// What an operator reads of the elements of a collection is part of the value of its path. Each element has a
// registration with the sink `.operand`, whose change is a change of the path (KVO.18).

extension Registration {
  /// Joins a change of an operand: it is a change of the path with the operator, whose registration is the owner.
  func joinOwner(_ builder: PlanBuilder, _ key: InternedKey) {
    // An update that runs may take the change over.
    builder.preventCaching()
    guard let registration = owner as? Registration, let chain = registration.chain, let root = chain.root else {
      return
    }
    // The operator reads what the path leads to before it.
    let end = registration.path.components.firstIndex(where: \.isOperator) ?? registration.path.count
    guard builder.takes(registration, after: nil, before: end) else { return }
    func join(_ builder: PlanBuilder) {
      registration.join(builder, builder.changedKey(key, of: root), depth: 0, isLeaf: false)
    }
    guard let elements = ChangeOfElements.running(for: chain) else { return join(builder) }
    elements.join(registration, join)
  }

  /// Begins to observe what the operators of the path read of elements, unless the options leave them out.
  ///
  /// - Throws: ``KVError`` if an element does not have a key. An element that cannot notify is not observed.
  func beginOperands(at root: any KVObservable, _ build: DependentBuild? = nil) throws(KVError) {
    guard let chain, path.hasOperator, !chain.hasOperands, !options.contains(.membershipOnly) else { return }
    // `@self` reads the value to its left.
    let components = path.components.filter { $0 != .operator("self", argument: nil) }
    guard let index = components.firstIndex(where: \.isOperator), index > 0 else {
      return try beginOperand(components, at: root, build)
    }
    guard case .operator(let name, _) = components[index], name != "count" else { return }
    let part: ElementTracker.Part = name == "firstObject" ? .first : name == "lastObject" ? .last : .all
    try beginOperands(of: components[..<index], Array(components[(index + 1)...]), part, at: root, build)
  }

  /// Begins to observe a path that leads through the elements of a collection, as the right path of an operator may.
  ///
  /// While the collection was nil, nobody knew that it stands before the operator: what was observed for that ends.
  func beginOperands(through index: Int, _ build: DependentBuild?) throws(KVError) {
    guard let chain, !chain.hasOperands(through: index), let root = chain.root as? any KVObservable else { return }
    try beginOperands(of: path.components[..<index], Array(path.components[index...]), .all, at: root, build)
  }

  private func beginOperands(
    of left: some Sequence<KVKeyPath.Component>, _ right: [KVKeyPath.Component], _ part: ElementTracker.Part,
    at root: some KVObservable, _ build: DependentBuild?
  ) throws(KVError) {
    let right = right.filter { $0 != .key("self") }
    guard let chain, !right.isEmpty else { return }
    let tracker = try ElementTracker(operands: path.part(right), part, of: self)
    let elements = Registration(
      try path.part(Array(left)), [.old, .new], site, .elements(tracker))
    try tracker.begin(elements, at: root, build)
    chain.insert(elements)
  }

  /// Begins to observe a path with `@self` and no other operator, as the path without it.
  private func beginOperand(
    _ components: [KVKeyPath.Component], at root: some KVObservable, _ build: DependentBuild?
  ) throws(KVError) {
    // The path itself observes a single key.
    guard let chain, components.count > 1, !components.contains(where: \.isOperator) else { return }
    let operand = Registration(try path.part(components), [], site, owner: self, .operand)
    _ = try operand.addEntries(at: root, build)
    chain.insert(operand)
  }
}

extension Registration {
  /// Reports an operand that cannot be observed, by the registration that the program made.
  func reportFaultyOperand(_ error: KVError) {
    if kind.isOperand { return (owner as? Registration)?.reportFaultyOperand(error) ?? () }
    if case .dependency(let dependent) = kind { return dependent.report(error, self) }
    // If the value is wanted, the failure to read it is reported.
    guard !wantsNew else { return }
    report(error, at: nil)
  }
}

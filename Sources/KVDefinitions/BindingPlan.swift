import KVBinding
import KVCore
import KVDocuments

/// The bindings of a set before they are made: definitions whose objects and transformers were found (DEF.3).
///
/// Making a plan looks at everything and changes nothing; carrying it out binds all of it, or nothing.
struct BindingPlan {
  /// A definition with the objects that its paths led to.
  struct Step {
    let definition: KVBindingDefinition
    let index: Int?
    let source: BindingEndpoint
    let target: BindingEndpoint
    let options: KVBindingOptions
  }

  /// The format whose names the faults have.
  private let format: KVDocument.Format
  private(set) var steps: [Step] = []
  private(set) var faults: [KVBindingFault] = []

  init(
    _ definitions: [KVBindingDefinition], _ source: AnyObject, _ target: AnyObject, _ base: KVBindingOptions,
    format: KVDocument.Format = .json
  ) {
    self.format = format
    add(base)
    for (index, definition) in definitions.enumerated() where faults.count <= Limits.faults {
      add(definition, index, source, target, base)
    }
    faults += DefinitionChecks.duplicateKeys(definitions.map(\.key), format: format)
  }

  /// Makes a plan of a single definition, which messages do not count.
  init(_ definition: KVBindingDefinition, _ source: AnyObject, _ target: AnyObject, _ base: KVBindingOptions) {
    format = .json
    add(base)
    add(definition, nil, source, target, base)
  }

  // MARK: Checking

  private mutating func add(_ base: KVBindingOptions) {
    guard let error = base.undefinedByDefinitions else { return }
    faults.append(KVBindingFault(.notBindable, error.message, index: nil, key: nil, entry: nil, underlying: error))
  }

  private mutating func add(
    _ definition: KVBindingDefinition, _ index: Int?, _ source: AnyObject, _ target: AnyObject, _ base: KVBindingOptions
  ) {
    var collector = FaultCollector(index: index, key: definition.key, format: format)
    if let fault = DefinitionChecks.transformerFault(
      definition.transformerName ?? "", goesBackward: definition.goesBackward, index: index, key: definition.key,
      format: format)
    {
      collector.faults.append(fault)
    }
    // A definition comes from outside of the program (DEF.5).
    let from = collector.object(definition.pathToSource, of: source, .pathToSource, base)
    let to = collector.object(definition.pathToTarget, of: target, .pathToTarget, base)
    let sourcePath = collector.reachable(definition.sourceKeyPath, .sourceKeyPath, base)
    let targetPath = collector.reachable(definition.targetKeyPath, .targetKeyPath, base)
    let sourceEndpoint = from.flatMap { from in sourcePath.map { BindingEndpoint.at(from, $0) } }
    let targetEndpoint = to.flatMap { to in targetPath.map { BindingEndpoint.target(to, $0) } }
    let direction = definition.direction
    if let sourceEndpoint {
      // The source is looked at whatever the direction: it settles what the target is given (BND.3).
      collector.check(
        sourceEndpoint, isRead: true, isObserved: direction.goesForward, isSet: definition.goesBackward, .sourceKeyPath)
    }
    if let targetEndpoint {
      collector.check(
        targetEndpoint, isRead: definition.goesBackward, isObserved: direction.goesBackward,
        isSet: direction != .toSource || definition.initialSync == .fromSource, .targetKeyPath)
    }
    let options = try? definition.options(base: base)
    if let options { collector.check(options) }
    faults += collector.faults
    guard collector.faults.isEmpty, let sourceEndpoint, let targetEndpoint, let options else { return }
    steps.append(
      Step(definition: definition, index: index, source: sourceEndpoint, target: targetEndpoint, options: options))
  }

  /// Collects the faults of one definition.
  private struct FaultCollector {
    let index: Int?
    let key: String?
    let format: KVDocument.Format
    var faults: [KVBindingFault] = []

    /// Returns the object that a path leads to now.
    mutating func object(
      _ path: KVKeyPath?, of root: AnyObject, _ entry: DefinitionField, _ options: KVBindingOptions
    ) -> AnyObject? {
      guard let path else { return root }
      guard let path = reachable(path, entry, options) else { return nil }
      let value: Any?
      do throws(KVError) { value = try KVC.value(of: root, forKeyPath: path) } catch {
        report(error, entry)
        return nil
      }
      let start = "\"\(entry.name(in: format))\": \"\(path)\" of \(type(of: root))"
      guard let value else {
        report(.unresolvedPath, "\(start) is nil; the object has to be there when the binding is made.", entry)
        return nil
      }
      guard type(of: value) is AnyClass else {
        report(
          .unresolvedPath,
          "\(start) is a value of type \(type(of: value)); only objects are bound. Let the key path begin with it instead.",
          entry)
        return nil
      }
      return value as AnyObject
    }

    /// Returns a path as the options let it reach; nil if they do not permit it.
    mutating func reachable(
      _ path: KVKeyPath, _ entry: DefinitionField, _ options: KVBindingOptions
    ) -> KVKeyPath? {
      do throws(KVError) { return try options.reachable(path) } catch {
        report(error, entry)
        return nil
      }
    }

    /// Looks whether an end can be read, set and heard of, where it has to be.
    mutating func check(
      _ endpoint: BindingEndpoint, isRead: Bool, isObserved: Bool, isSet: Bool, _ entry: DefinitionField
    ) {
      do throws(KVError) {
        if isRead { _ = try endpoint.read() }
        if isSet { try endpoint.checkSetting() }
        if isObserved, entry.name == DefinitionField.sourceKeyPath.name { try endpoint.refuseControls() }
        if isObserved { try endpoint.checkObservable() }
      } catch {
        report(error, entry)
      }
    }

    /// Checks that the options let the binding set something.
    mutating func check(_ options: KVBindingOptions) {
      do throws(KVError) { try options.checkEffect(.entries(of: format)) } catch {
        report(error, options.trigger == .onCommit ? .trigger : .initialSync)
      }
    }

    private mutating func report(_ error: KVError, _ entry: DefinitionField) {
      let isLost = error.code == .undefinedKey || error.code == .unresolvedPath
      report(isLost ? .unresolvedPath : .notBindable, "\"\(entry.name(in: format))\": \(error)", entry, error)
    }

    private mutating func report(
      _ code: KVError.Code, _ message: String, _ entry: DefinitionField, _ error: KVError? = nil
    ) {
      faults.append(
        KVBindingFault(code, message, index: index, key: key, entry: entry.name(in: format), underlying: error))
    }
  }

  // MARK: Binding

  /// Binds everything, or nothing.
  ///
  /// - Parameters:
  ///   - site: Where the bindings are listed.
  ///   - cancelsOnDeinit: Whether they belong to who holds them.
  func bind(_ site: Site, cancelsOnDeinit: Bool = false) throws(KVBindingFaults) -> [KVPathBinding] {
    if !faults.isEmpty { throw KVBindingFaults(faults.ordered { $0.index ?? 0 }) }
    let before = steps.flatMap { [EndpointSnapshot($0.source), EndpointSnapshot($0.target)] }
    var cores: [BindingCore] = []
    for step in steps {
      let core = BindingCore(
        step.source, step.target, step.options, named: step.definition.key, .entries(of: format), site)
      do throws(KVError) { try core.begin() } catch {
        for core in cores.reversed() { core.cancel() }
        for endpoint in before.reversed() { endpoint.restore() }
        // That a key does not exist, a target that is only set tells when it is.
        let isOfTarget = error.code == .undefinedKey && error.keyPath == step.target.path.description
        throw KVBindingFaults(
          KVBindingFault(
            isOfTarget ? .unresolvedPath : .notBindable, "it cannot be bound: \(error)", index: step.index,
            key: step.definition.key, entry: isOfTarget ? DefinitionField.targetKeyPath.name(in: format) : nil,
            underlying: error))
      }
      cores.append(core)
    }
    return cores.map { cancelsOnDeinit ? KVPathBinding($0, cancelsOnDeinit: true) : $0.binding }
  }
}

import KVBinding
import KVCore
import KVQuery

/// A to-many path of a source and its elements, which it follows and arranges: what ``KVArrangement``, ``KVGroups``,
/// ``KVArrangedNode`` and ``KVObservingListSection`` have in common.
///
/// A change is made in steps, each of which notifies of one part. A change that a handler makes meanwhile first makes the
/// remaining steps, so that the indexes of all records are right for an observer that has received those before. Before a
/// step is made, and while values are read, changes only mark the content as stale; it is then read again as a whole.
final class ArrangedSource<Element> {
  let content = ArrangedContent<Element>()
  let path: KVKeyPath
  private let site: Site
  /// The descriptor of groups, which precedes the others.
  private let grouping: [KVSortDescriptor]
  /// Makes elements of the value of the path, or of those that a record has at indexes; nil for the elements themselves.
  private let make: ((_ value: Any, _ indexes: [Int]?) throws(KVError) -> [Element])?
  private(set) weak var object: (any KVObservable)?
  private(set) var descriptors: [KVSortDescriptor] = []
  private(set) var predicate: KVPredicate?
  /// Why there are no elements: the value of the path is no collection of elements.
  private var failure: KVError?
  /// The number of `prior` records since the last record of a change.
  ///
  /// It is 1 if the change is the difference from the last one. It is not if an earlier observer edits the collection in
  /// its handler: all observers are notified of that change before the change that the handler reacts to.
  private var pendingPriors = 0
  private var observation: KVObservation?
  private var deinitToken: KVObservation?
  private var elementObservers: ElementObservers?
  /// The steps that remain, the next one last.
  private var notifications: [() -> Void] = []
  private(set) var isBusy = false
  private var isStale = false
  /// The number of changes of the content.
  private var version = 0
  /// Makes the steps of a change, the first one first.
  var makeNotifications: (ArrangementChange<Element>) -> [() -> Void] = { _ in [] }

  init(
    _ path: KVKeyPath, _ site: Site, by grouping: KVSortDescriptor? = nil,
    _ make: ((_ value: Any, _ indexes: [Int]?) throws(KVError) -> [Element])? = nil
  ) {
    self.path = path
    self.site = site
    self.make = make
    self.grouping = grouping.map { [$0] } ?? []
    content.isGrouped = grouping != nil
    content.isAutomatic = true
    content.onFailure = { [weak self] in self?.report($0) }
  }

  deinit {
    deinitToken?.cancel()
    observation?.cancel()
  }

  /// The first error of an element, or of the collection.
  var error: KVError? { failure ?? content.error }

  /// Begins to follow a source.
  ///
  /// - Throws: ``KVError``: the errors of observing the path; those of ``currentElements()``; the error of the first
  ///   element that fails.
  func begin(
    at source: some KVObservable, _ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?
  ) throws(KVError) {
    object = source
    elementObservers = ElementObservers(site) { [weak self] id, _ in self?.elementDidChange(id) }
    isBusy = true
    defer { isBusy = false }
    observation = try source.observe(path, [.prior, .new], site) { [weak self] in self?.handle($0) }
    content.apply(content.assign(try currentElements()))
    if content.isGrouped || !descriptors.isEmpty || predicate != nil {
      content.apply(try content.set(grouping + descriptors, predicate))
      (self.descriptors, self.predicate) = (descriptors, predicate)
      observeElements(descriptors, predicate)
    }
    deinitToken = (source as? KVObject)?.onDeinit { [weak self] in self?.sourceDidDeallocate() }
  }

  /// Ends to follow the source; there are no elements then.
  private func sourceDidDeallocate() {
    observation?.cancel()
    observation = nil
    object = nil
    reload()
  }

  // MARK: Changing

  /// Makes a change, or throws before anything has changed.
  ///
  /// - Parameter isReloading: Whether reading the content again has the same effect.
  func update(
    isReloading: Bool, _ compute: () throws(KVError) -> ArrangementChange<Element>
  ) throws(KVError) {
    if isBusy {
      isStale = true
      guard isReloading else {
        throw KVError(
          .unsupported, "the arrangement is being computed, or about to change: assign it after the change.")
      }
      return
    }
    let known = version
    makeRemainingSteps()
    // If a handler has changed the source meanwhile, the indexes of this change mean other elements.
    if isStale || isReloading && version != known {
      isStale = false
      reload()
      if isReloading { return }
    }
    isBusy = true
    version += 1
    let change: ArrangementChange<Element>
    do throws(KVError) { change = try compute() } catch {
      isBusy = false
      throw error
    }
    isBusy = false
    notifications.append(contentsOf: makeNotifications(change).reversed())
    makeRemainingSteps()
    if content.isStale { isStale = true }
    var rounds = 0
    while isStale, rounds < 5 {
      rounds += 1
      isStale = false
      reload()
    }
  }

  /// Makes the steps of a change that remain.
  func makeRemainingSteps() { while let step = notifications.popLast() { step() } }

  /// Adds steps that are made before those that remain.
  func prepend(_ new: [() -> Void]) { notifications.append(contentsOf: new.reversed()) }

  /// Makes the change of one key, and notifies of it.
  func notify<Value>(
    _ key: InternedKey, of object: KVObject, _ kind: KVChangeKind = .setting, at indexes: [Int]? = nil,
    from old: [Value], to new: @autoclosure () -> [Value], _ body: () -> Void
  ) {
    // Handlers that run before the change.
    isBusy = true
    object.change(key, kind, at: indexes, from: old, to: new()) {
      body()
      isBusy = false
    }
  }

  /// Assigns descriptors and predicate on behalf of an object with keys of these names; nil if there is none.
  func set(
    _ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?, isStrict: Bool = true, of owner: KVObject?
  ) throws(KVError) {
    let keepsOrder = descriptors == self.descriptors
    let keys = [keepsOrder ? nil : "descriptors", predicate == self.predicate ? nil : "predicate"].compactMap { $0 }
    try update(isReloading: false) { () throws(KVError) in
      let change =
        keepsOrder
        ? try content.setPredicate(predicate, isStrict: isStrict)
        : try content.set(grouping + descriptors, predicate, isStrict: isStrict)
      observeElements(descriptors, predicate)
      for key in keys { owner?.willChangeValue(forKey: key) }
      (self.descriptors, self.predicate) = (descriptors, predicate)
      return change
    }
    for key in keys.reversed() { owner?.didChangeValue(forKey: key) }
  }

  /// Assigns descriptors and predicate; an element that fails is reported.
  func assign(_ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?, of owner: KVObject) {
    reporting { () throws(KVError) in try set(descriptors, predicate, isStrict: false, of: owner) }
  }

  /// Calls a function, and reports its error.
  func reporting(_ body: () throws(KVError) -> Void) { do throws(KVError) { try body() } catch { report(error) } }

  // MARK: Following

  private func handle(_ change: KVChange) {
    if change.isPrior {
      pendingPriors += 1
      return
    }
    let isInOrder = pendingPriors == 1
    pendingPriors = 0
    guard isInOrder, change.kind != .setting, let indexes = change.indexes, failure == nil else {
      return reload()
    }
    follow { [self] in
      let added = change.kind.adds ? try? elements(change.new, at: indexes) : []
      guard let added, !change.kind.adds || added.count == indexes.count, !isStale, isValid(indexes, change.kind) else {
        isStale = true
        return ArrangementChange(.none)
      }
      let edit = IndexedEdit(change.kind, at: indexes, added: added)
      // First what is added: a replaced element that stays is observed without interruption.
      elementObservers?.add(added)
      elementObservers?.remove(Array(edit.removedIndexes, element: content.contentElement))
      return content.edit(edit)
    }
  }

  private func isValid(_ indexes: [Int], _ kind: KVChangeKind) -> Bool {
    guard let object, let last = indexes.last, let first = indexes.first, first >= 0 else { return false }
    let count = content.count + (kind == .insertion ? indexes.count : 0)
    // A handler may have edited the collection meanwhile.
    let after = kind == .removal ? count - indexes.count : count
    return last < count && DynamicCollection.count(of: (try? Reader(path).value(of: object)) ?? nil) == after
  }

  private func elementDidChange(_ id: ObjectIdentifier) { follow { [self] in content.elementDidChange(id) } }

  private func follow(_ compute: () -> ArrangementChange<Element>) {
    // Nothing is thrown: what cannot be computed now is read again later.
    reporting { () throws(KVError) in try update(isReloading: true) { () throws(KVError) in compute() } }
  }

  /// Reads the whole content again.
  func reload() {
    follow { [self] in
      var elements: [Element] = []
      do throws(KVError) {
        elements = try currentElements()
        failure = nil
      } catch {
        failure = error
        report(error)
      }
      let change = content.assign(elements)
      elementObservers?.observe(content.keyPaths, of: elements)
      return change
    }
  }

  /// Observes the key paths that descriptors and a predicate read.
  private func observeElements(_ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?) {
    let paths = ArrangedContent<Element>.keyPaths(grouping + descriptors, predicate)
    if elementObservers?.observes(paths) == false { elementObservers?.observe(paths, of: content.contentElements) }
  }

  /// Returns the elements that the source has now; none if it is gone.
  ///
  /// - Throws: ``KVError``: the errors of reading the path; `typeMismatch`, or what the function that makes elements
  ///   throws; `doesNotSettle` if making them changes them each time.
  private func currentElements() throws(KVError) -> [Element] {
    for _ in 0..<5 {
      isStale = false
      guard let object else { return [] }
      let elements = try elements(try Reader(path).value(of: object))
      if make == nil || !isStale { return elements }
    }
    isStale = false
    throw KVError(
      .doesNotSettle,
      """
      the rows of "\(path)" do not come to rest: making them changed the collection five times. Let the closure of the \
      section change it less often, or not at all.
      """, keyPath: path.description, rootType: object.map { "\(type(of: $0))" })
  }

  private func elements(_ value: Any?, at indexes: [Int]? = nil) throws(KVError) -> [Element] {
    guard let value else { return [] }
    if let make { return try make(value, indexes) }
    if let elements = valueCast(value, to: [Element].self) { return elements }
    if value is KVSelectionMarker { return [] }
    guard DynamicCollection.canBeMapped(value), let all = try DynamicCollection.all(of: value) else {
      throw mismatch("is not an array or a set, but \(withArticle(type(of: value)))")
    }
    var result: [Element] = []
    for element in all {
      guard let element = valueCast(asAny(element), to: Element.self) else {
        throw mismatch("has elements that are not \(Element.self)")
      }
      result.append(element)
    }
    return result
  }

  private func mismatch(_ reason: String) -> KVError {
    let owner = object.map { " of \(type(of: $0))" } ?? ""
    return KVError(.typeMismatch, "\"\(path)\"\(owner) \(reason).", keyPath: path.description)
  }

  private func report(_ error: KVError) {
    KVDiagnostics.report(.error, .faultyValue, path, object, site) { "\(error)" }
  }
}

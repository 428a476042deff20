import KVCore

/// Something that watches one element of a collection.
protocol ElementWatch: AnyObject, Sendable {
  var isEnded: Bool { get }
  func end()
}

/// An observation of a collection that keeps a watch on each of its elements, and follows as they come and go (KVO.17).
///
/// An element that stands in the collection twice is watched once.
final class ElementsObservation: Observation, @unchecked Sendable {  // guard: `watches` is locked
  /// Begins to watch an element.
  typealias Watching = (any KVObservable) throws(KVError) -> any ElementWatch

  private struct Entry {
    let watch: any ElementWatch
    var count: Int
  }

  private let watches = Locked<[ObjectIdentifier: Entry]>([:])
  /// How many elements have come and not gone, observable or not.
  private let count = Locked(0)
  /// How many changes of the collection were heard.
  private let heard = Locked(0)
  private let elementPath: KVKeyPath
  private let watching: Watching

  init(_ path: KVKeyPath, elements elementPath: KVKeyPath, _ site: Site, _ watching: @escaping Watching) {
    self.elementPath = elementPath
    self.watching = watching
    super.init(path, [.old, .new], site)
  }

  override var isElementwise: Bool { true }
  override var summary: String { "each element, by \"\(elementPath)\"" }

  /// Begins with the elements that are there.
  ///
  /// - Throws: ``KVError`` if one of them cannot be observed; nothing is then.
  func beginElements(of root: AnyObject) throws(KVError) {
    let value = value(of: root, from: 0)
    if let value, Elements.all(of: value) == nil {
      throw KVError(
        .notObservable, "\"\(path)\" has no elements: it holds a \(type(of: value)).", component: path.last.description)
    }
    let heardBefore = heard.withLock { $0 }
    for element in Elements.list(value) { try add(element) }
    // The handler of an initial record may have changed the collection.
    if heard.withLock({ $0 }) != heardBefore { restart(Elements.list(self.value(of: root, from: 0))) }
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    heard.withLock { $0 += 1 }
    if notice.kind != .setting {
      for element in Elements.list(notice.oldValue) { remove(element) }
      for element in Elements.list(notice.newValue) { addReporting(element) }
    }
    // A handler may have changed the collection since, and that has been heard before this (KVO.8).
    let current = chain?.root.flatMap { value(of: $0, from: 0) }
    if notice.kind == .setting || Elements.count(of: current) != count.withLock({ $0 }) {
      restart(Elements.list(current))
    }
  }

  override func didEnd() {
    let ended = watches.withLock { watches in
      defer { watches = [:] }
      return watches.values.map(\.watch)
    }
    for watch in ended { watch.end() }
  }

  private func restart(_ elements: [Any]) {
    let old = watches.withLock { watches in
      let old = watches
      for id in watches.keys { watches[id]?.count = 0 }
      return old
    }
    count.withLock { $0 = 0 }
    for element in elements { addReporting(element) }
    let gone = watches.withLock { watches in
      let gone = old.keys.filter { watches[$0]?.count == 0 }
      return gone.compactMap { watches.removeValue(forKey: $0)?.watch }
    }
    for watch in gone { watch.end() }
  }

  private func addReporting(_ element: Any) {
    do throws(KVError) { try add(element) } catch {
      KVDiagnostics.report(.error, .faultyPath, path, nil, site) {
        "observing \"\(self.elementPath)\" of each of \"\(self.path)\": \(error)"
      }
    }
  }

  private func add(_ element: Any) throws(KVError) {
    count.withLock { $0 += 1 }
    guard let element = flattened(element) else { return }
    guard let object = element as? any KVObservable else {
      throw KVError(
        .notObservable,
        """
        an element of "\(path)" is a \(type(of: element)), whose changes nobody tells of. Elements must be objects of a \
        KVObject subclass, or conform to KVObservable; replace a value in its collection to have that heard.
        """, component: "\(elementPath)")
    }
    let id = ObjectIdentifier(object)
    let isKnown = watches.withLock { watches in
      guard let entry = watches[id], !entry.watch.isEnded else { return false }
      watches[id]?.count += 1
      return true
    }
    if isKnown || isEnded { return }
    let watch = try watching(object)
    watches.withLock { $0[id] = Entry(watch: watch, count: 1) }
    if isEnded { watch.end() }
  }

  private func remove(_ element: Any) {
    guard let element = flattened(element), let object = element as? any KVObservable else {
      return count.withLock { $0 -= 1 }
    }
    let id = ObjectIdentifier(object)
    let (isKnown, ended) = watches.withLock { watches -> (Bool, (any ElementWatch)?) in
      guard let entry = watches[id] else { return (false, nil) }
      if entry.count > 1 {
        watches[id]?.count -= 1
        return (true, nil)
      }
      watches[id] = nil
      return (true, entry.watch)
    }
    if isKnown { count.withLock { $0 -= 1 } }
    ended?.end()
  }
}

extension Observation: ElementWatch {}

/// Watches what an operator computes with: a change of an element is one of the observation whose path has the operator.
// guard: immutable; the chain is thread-safe
final class OperandWatch: PathObserver, ElementWatch, @unchecked Sendable {
  private weak var observation: Observation?
  let chain: PathChain?
  let order: UInt32
  private let ended = Locked(false)
  var site: Site? { observation?.site }

  init(_ observation: Observation, _ path: KVKeyPath, _ element: any KVObservable) throws(KVError) {
    self.observation = observation
    order = observation.order
    chain = PathChain(path, root: element)
    guard try chain?.attach(element, from: 0, self) == true else {
      end()
      throw ObservedPlace.silent(path, element)
    }
  }

  var isEnded: Bool { ended.withLock { $0 } }
  var isAskedAtLeaf: Bool { true }

  func end() {
    ended.withLock { $0 = true }
    chain?.end()
  }

  func prepare(_ change: PendingChange, _ origin: PendingChange.Origin, depth: Int, isLeaf: Bool) {
    guard let observation, let root = observation.chain?.root else { return }
    change.add(
      observation, PendingChange.Origin(object: root, key: origin.key, index: nil, carriesOld: false), depth: 0,
      isLeaf: false)
  }

  func did(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool) {}
  func rootDied() { end() }
}

extension Observation {
  /// Begins to watch the elements that an operator at the end of the path computes with (KVO.18).
  ///
  /// - Throws: ``KVError`` if there is no operator with a path to its right, or an element cannot be observed.
  func beginOperands(at root: some KVObservable) throws(KVError) -> ElementsObservation {
    let components = path.components
    let place = components.firstIndex { if case .operator = $0 { true } else { false } }
    let rest = place.map { components[($0 + 1)...].prefix { if case .operator = $0 { false } else { true } } } ?? []
    guard let place, let left = path.prefix(place), !rest.isEmpty else {
      throw KVError(
        .notObservable,
        """
        the option "elements" needs a path that ends in an operator with a path to its right, such as \
        "items.@sum.price"; to hear of the elements themselves use observeElements(of:_:).
        """, component: path.last.description)
    }
    let right = try KVKeyPath(components: Array(rest))
    let here = Site(file: file, line: line)
    let elements = ElementsObservation(left, elements: right, here) { [weak self] element throws(KVError) in
      guard let self else { throw KVError(.notObservable, "the observation has ended.") }
      return try OperandWatch(self, right, element)
    }
    do throws(KVError) {
      try elements.begin(at: root)
      try elements.beginElements(of: root)
    } catch {
      elements.end()
      throw error
    }
    return elements
  }
}

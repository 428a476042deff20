import KVCore

/// The way of a path through objects: one entry in the list of each object's key.
///
/// The root is held weakly and the objects on the way not at all. Values are read outside of the lock, since reading may
/// run anything.
final class PathChain: @unchecked Sendable {  // guard: `state` is locked; `root` is set once, and weak
  private struct State {
    var links: ContiguousArray<PathLink> = []
    var isEnded = false
    /// Watches the elements that an operator of the path computes with; ends with the chain.
    var operands: ElementsObservation?
  }

  let path: KVKeyPath
  @exclusivity(unchecked) private(set) weak var root: AnyObject?
  private let state = Locked(State())

  init(_ path: KVKeyPath, root: AnyObject) {
    self.path = path
    self.root = root
  }

  /// Adds entries from a component on, whose owner is given; ends where a nil stands, or where no object follows.
  ///
  /// - Throws: ``KVError`` where a key does not exist or cannot be observed; entries before it stay.
  /// - Returns: Whether some key on the way can notify, or the way ends in a nil that may change.
  @discardableResult
  func attach(_ owner: Any, from start: Int, _ observer: any PathObserver) throws(KVError) -> Bool {
    var current: Any? = owner
    var canNotify = false
    for index in start..<path.count {
      guard let value = current else { break }
      let place = try ObservedPlace(value, path, index)
      if let registrar = place.registrar, let key = place.key {
        let link = PathLink(observer, key, depth: index, isLeaf: index == path.count - 1)
        guard add(link, to: registrar, place) else { return true }
        if place.canNotify { canNotify = true }
      }
      if index == path.count - 1 || place.endsWalk { break }
      current = try place.next()
    }
    return canNotify
  }

  /// Adds entries from a component on, whose owner is an object: the short way as long as tables lead to objects.
  ///
  /// - Throws: As ``attach(_:from:_:)``.
  /// - Returns: As ``attach(_:from:_:)``.
  @discardableResult
  func attach(object: AnyObject, from start: Int, _ observer: any PathObserver) throws(KVError) -> Bool {
    var current = object
    for index in start..<path.count {
      guard let accessor = path.observedAccessor(index, of: current) else {
        return try attach(current, from: index, observer) || index > start
      }
      let isLeaf = index == path.count - 1
      let link = PathLink(observer, accessor.key, depth: index, isLeaf: isLeaf)
      guard keep(link) else { return true }
      let registrar = ObserverRegistrar.of(object: current)
      registrar.addEntry(link, accessor, current)
      if isEnded { registrar.removeEntry(link) }
      if isLeaf { break }
      guard accessor.flags.contains(.isObjectReference) else {
        if let next = accessor.readAny(current) { try attach(next, from: index + 1, observer) }
        break
      }
      guard let next = accessor.readObject(current) else { break }
      current = next
    }
    return true
  }

  private var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Keeps a link, unless the chain has ended.
  private func keep(_ link: PathLink) -> Bool {
    state.withLock { state in
      if state.isEnded { return false }
      if state.links.isEmpty { state.links.reserveCapacity(path.count) }
      state.links.append(link)
      return true
    }
  }

  private func add(_ link: PathLink, to registrar: ObserverRegistrar, _ place: ObservedPlace) -> Bool {
    guard keep(link) else { return false }
    registrar.addEntry(link, place)
    // Ended meanwhile, by another thread or by the object's death.
    if isEnded { registrar.removeEntry(link) }
    return true
  }

  /// Lets the way begin anew behind a component that has changed.
  func follow(_ object: AnyObject, from depth: Int, _ observer: any PathObserver) {
    while let link = takenLast(behind: depth) { link.registrar?.removeEntry(link) }
    do throws(KVError) {
      if let accessor = path.observedAccessor(depth, of: object), accessor.flags.contains(.isObjectReference) {
        if let next = accessor.readObject(object) { try attach(object: next, from: depth + 1, observer) }
        return
      }
      let place = try ObservedPlace(object, path, depth)
      if let next = try place.next() { try attach(next, from: depth + 1, observer) }
    } catch {
      KVDiagnostics.report(.error, .faultyPath, path, object, observer.site) { "observing \"\(self.path)\": \(error)" }
    }
  }

  private func takenLast(behind depth: Int) -> PathLink? {
    state.withLock { state in
      guard let last = state.links.last, last.depth > depth else { return nil }
      return state.links.removeLast()
    }
  }

  /// Begins anew at the root.
  func restart(_ observer: any PathObserver) {
    for link in taken(ending: false) { link.registrar?.removeEntry(link) }
    guard let root else { return }
    do throws(KVError) { try attach(object: root, from: 0, observer) } catch {
      KVDiagnostics.report(.error, .faultyPath, path, root, observer.site) { "observing \"\(self.path)\": \(error)" }
    }
  }

  /// Takes all entries out, for good.
  func end() {
    for link in taken(ending: true) { link.registrar?.removeEntry(link) }
    let operands = state.withLock { state in
      defer { state.operands = nil }
      return state.operands
    }
    operands?.end()
  }

  /// Lets what watches the elements end with the chain.
  func keep(_ operands: ElementsObservation) {
    let isWanted = state.withLock { state in
      if !state.isEnded { state.operands = operands }
      return !state.isEnded
    }
    if !isWanted { operands.end() }
  }

  private func taken(ending: Bool) -> [PathLink] {
    state.withLock { state in
      defer { state.links = [] }
      if ending { state.isEnded = true }
      return Array(state.links)
    }
  }
}

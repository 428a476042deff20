import KVCore

/// The way of a path through objects: one entry in the list of each object's key.
///
/// The root is held weakly and the objects on the way not at all. Values are read outside of the lock, since reading may
/// run anything; so several threads may walk the path at once. Each walk has a number and is overtaken by the next, which
/// drops what the one before has found behind the place where it begins, and reads anew. An entry is in its list before
/// the value of its key is read: whoever changes that later finds the entry and walks again.
final class PathChain: @unchecked Sendable {  // guard: `state` is locked; `root` is set once, and weak
  private struct State {
    /// By depth.
    var links: ContiguousArray<PathLink> = []
    /// The number of the latest walk.
    var resolution: UInt32 = 0
    var isEnded = false
    /// Watches the elements that an operator of the path computes with; ends with the chain.
    var operands: ElementsObservation?
  }

  /// One way along the path.
  struct Resolution {
    fileprivate let number: UInt32
    /// What dependent keys on the way are built with; nil if each is by itself.
    let build: DependentBuild?

    /// The first way.
    init(build: DependentBuild? = nil) { self.init(number: 0, build: build) }

    fileprivate init(number: UInt32, build: DependentBuild? = nil) {
      self.number = number
      self.build = build
    }
  }

  let path: KVKeyPath
  @exclusivity(unchecked) private(set) weak var root: AnyObject?
  private let rootID: ObjectIdentifier
  private let state = Locked(State())

  init(_ path: KVKeyPath, root: AnyObject) {
    self.path = path
    self.root = root
    rootID = ObjectIdentifier(root)
  }

  /// Adds entries from a component on, whose owner is given; ends where a nil stands, or where no object follows.
  ///
  /// - Throws: ``KVError`` where a key does not exist or cannot be observed; entries before it stay.
  /// - Returns: Whether some key on the way can notify, or the way ends in a nil that may change.
  @discardableResult
  func attach(
    _ owner: Any, from start: Int, _ observer: any PathObserver, _ resolution: Resolution = Resolution()
  ) throws(KVError) -> Bool {
    var current: Any? = owner
    var canNotify = false
    for index in start..<path.count {
      guard let value = current else { break }
      let component = try ResolvedComponent(value, path, index)
      if let registrar = component.registrar, let key = component.key {
        let link = PathLink(
          observer, key, registrar, depth: index, isLeaf: index == path.count - 1,
          isAtRoot: ObjectIdentifier(object(in: value)) == rootID)
        guard insert(link, resolution) else { return true }
        registrar.addEntry(link, component, resolution.build)
        guard isStillAttached(link) else { return true }
        if component.canNotify { canNotify = true }
      }
      if index == path.count - 1 || component.endsResolution { break }
      current = try component.next()
    }
    return canNotify
  }

  /// Adds entries from a component on, whose owner is an object: the short way as long as tables lead to objects.
  ///
  /// - Throws: As ``attach(_:from:_:_:)``.
  /// - Returns: As ``attach(_:from:_:_:)``.
  @discardableResult
  func attach(
    object: AnyObject, from start: Int, _ observer: any PathObserver, _ resolution: Resolution = Resolution()
  ) throws(KVError) -> Bool {
    var current = object
    for index in start..<path.count {
      guard let accessor = path.observedAccessor(index, of: current) else {
        return try attach(current, from: index, observer, resolution) || index > start
      }
      let isLeaf = index == path.count - 1
      let registrar = ObserverRegistrar.of(object: current)
      let link = PathLink(
        observer, accessor.key, registrar, depth: index, isLeaf: isLeaf, isAtRoot: ObjectIdentifier(current) == rootID)
      guard insert(link, resolution) else { return true }
      registrar.addEntry(link, accessor, current, resolution.build)
      guard isStillAttached(link) else { return true }
      if isLeaf { break }
      guard accessor.flags.contains(.isObjectReference) else {
        if let next = accessor.readAny(current) { try attach(next, from: index + 1, observer, resolution) }
        break
      }
      guard let next = accessor.readObject(current) else { break }
      current = next
    }
    return true
  }

  /// Keeps a link, unless the chain has ended or the walk is overtaken.
  private func insert(_ link: PathLink, _ resolution: Resolution) -> Bool {
    state.withLock { state in
      if state.isEnded || state.resolution != resolution.number { return false }
      if state.links.isEmpty { state.links.reserveCapacity(path.count) }
      state.links.append(link)
      return true
    }
  }

  /// Takes a link out of its list again if the chain has dropped it before it was there.
  private func isStillAttached(_ link: PathLink) -> Bool {
    if !state.withLock({ _ in link.isDetached }) { return true }
    link.registrar?.removeEntry(link)
    return false
  }

  /// Lets the way begin anew behind a link whose key has changed, unless the link is no longer on the way.
  func follow(_ link: PathLink, _ object: AnyObject) {
    guard let resolution = beginResolution(behind: link) else { return }
    let (depth, observer) = (link.depth, link.observer)
    do throws(KVError) {
      if let accessor = path.observedAccessor(depth, of: object), accessor.flags.contains(.isObjectReference) {
        if let next = accessor.readObject(object) { try attach(object: next, from: depth + 1, observer, resolution) }
        return
      }
      let component = try ResolvedComponent(object, path, depth)
      if let next = try component.next() { try attach(next, from: depth + 1, observer, resolution) }
    } catch {
      KVDiagnostics.report(.error, .faultyPath, path, object, observer.site) { "observing \"\(self.path)\": \(error)" }
    }
  }

  /// Begins anew at the root.
  func restart(_ observer: any PathObserver) {
    guard let resolution = beginResolution(behind: nil), let root else { return }
    do throws(KVError) { try attach(object: root, from: 0, observer, resolution) } catch {
      KVDiagnostics.report(.error, .faultyPath, path, root, observer.site) { "observing \"\(self.path)\": \(error)" }
    }
  }

  /// Begins a walk and drops all links behind one, or all; nil if that one is not on the way any more.
  private func beginResolution(behind link: PathLink?) -> Resolution? {
    let begun = state.withLock { state -> (number: UInt32, detached: DetachedLinks)? in
      if state.isEnded || link?.isDetached == true { return nil }
      state.resolution &+= 1
      return (state.resolution, Self.detach(&state, behind: link?.depth ?? -1))
    }
    guard let begun else { return nil }
    begun.detached.removeEntries()
    return Resolution(number: begun.number)
  }

  private static func detach(_ state: inout State, behind depth: Int) -> DetachedLinks {
    var detached = DetachedLinks()
    while let link = state.links.last, link.depth > depth {
      state.links.removeLast()
      link.isDetached = true
      if detached.last == nil { detached.last = link } else { detached.others.append(link) }
    }
    return detached
  }

  /// Links that are off the way; mostly there is one, which needs no array.
  private struct DetachedLinks {
    var last: PathLink?
    var others: [PathLink] = []

    func removeEntries() {
      if let last { last.registrar?.removeEntry(last) }
      for link in others { link.registrar?.removeEntry(link) }
    }
  }

  /// Takes all entries out, for good.
  func cancel() {
    let (links, operands) = state.withLock { state in
      state.isEnded = true
      defer { state.operands = nil }
      return (Self.detach(&state, behind: -1), state.operands)
    }
    links.removeEntries()
    operands?.cancel()
  }

  /// Lets what watches the elements end with the chain.
  func insert(_ operands: ElementsObservation) {
    let isWanted = state.withLock { state in
      if !state.isEnded { state.operands = operands }
      return !state.isEnded
    }
    if !isWanted { operands.cancel() }
  }
}

import KVCore
import Synchronization

/// The links of an observed path: one entry in the list of each object's key.
///
/// The root is a weak reference, and intermediate objects are not referenced. Values are read outside of the lock,
/// since a getter can run any code. Several threads can therefore resolve the path at once. Each resolution has a
/// number. A later resolution makes the earlier ones stale: it removes the links behind its start, and reads again. A
/// link is added to its list before the value of its key is read, so that a later change of the value finds the link
/// and resolves again.
final class PathChain: @unchecked Sendable {  // guard: `state` is locked
  private struct State {
    /// By depth.
    var links: ContiguousArray<PathLink> = []
    /// The number of the latest resolution.
    var resolution: UInt32 = 0
    var isEnded = false
    /// Whether the path ends before an object that was deallocated, since what is there now could not be read.
    var isLost = false
    /// The registration of what an operator of the path reads of elements; it ends with the chain.
    var operands: Registration?
  }

  /// One resolution of the path.
  struct Resolution {
    fileprivate let number: UInt32
    /// The build that new dependent keys on the path join; nil if each is built separately.
    let build: DependentBuild?

    /// The first resolution.
    init(build: DependentBuild? = nil) { self.init(number: 0, build: build) }

    fileprivate init(number: UInt32, build: DependentBuild? = nil) {
      self.number = number
      self.build = build
    }
  }

  let path: KVKeyPath
  /// Whether it is a fault if the last object to which the path leads never notifies of its key (KVO.13).
  private let requiresNotification: Bool
  private let reference: WeakReference<AnyObject>
  var root: AnyObject? { reference.object }
  var rootID: ObjectIdentifier { reference.id }
  let rootType: AnyClass
  private let state = Locked(State())
  /// Whether a link was ever inserted whose object resolves the rest of the path.
  private let endsAtResolver = Atomic<Bool>(false)
  var leadsToResolver: Bool { endsAtResolver.load(ordering: .relaxed) }

  init(_ path: KVKeyPath, root: AnyObject, requiresNotification: Bool) {
    self.path = path
    self.requiresNotification = requiresNotification
    reference = WeakReference(root)
    rootType = type(of: root)
  }

  /// Adds links from a component on, whose owner is an object, up to a nil or the last observable component.
  ///
  /// - Parameter isAttached: Whether the first component has a link already.
  /// - Throws: ``KVError`` if a key does not exist or cannot be observed. The links before it remain.
  /// - Returns: Whether some key of the path can notify, or the resolution is stale.
  @discardableResult
  func attach(
    _ owner: AnyObject, from start: Int, isAttached: Bool = false, _ registration: Registration,
    _ resolution: Resolution = Resolution()
  ) throws(KVError) -> Bool {
    var nonNotifying: Int?
    let canNotify = try attach(
      owner, from: start, isAttached: isAttached, registration, resolution, nonNotifying: &nonNotifying)
    if let nonNotifying, requiresNotification { try refuse(nonNotifying, owner, from: start) }
    return canNotify
  }

  /// Throws the error of a component of whose changes its object never notifies.
  @inline(never)
  private func refuse(_ index: Int, _ owner: AnyObject, from start: Int) throws(KVError) {
    let object = index == start ? owner : try Reader(path, to: index - 1).value(of: owner, from: start)
    guard let object = object as? any KVObservable, let key = path.components[index].observedName else { return }
    throw ResolvedComponent.notObservableError(key, of: object)
  }

  /// Adds links, and finds the last component that an object could notify of and does not, if no later one notifies.
  private func attach(
    _ owner: AnyObject, from start: Int, isAttached: Bool, _ registration: Registration, _ resolution: Resolution,
    nonNotifying: inout Int?
  ) throws(KVError) -> Bool {
    try PathCursor.walk(path, from: owner, at: start) { cursor throws(KVError) in
      var canNotify = false
      while cursor.index < path.count {
        if !cursor.isAtObject, cursor.isAtKey, registration.kind.mayReadElements,
          DynamicCollection.canBeMapped(cursor.owner)
        {
          if registration.kind.readsElements { try registration.beginOperands(through: cursor.index, resolution.build) }
          return canNotify
        }
        let isAttached = isAttached && cursor.index == start
        switch try add(at: cursor, isAttached: isAttached, registration, resolution) {
        case .observed: (canNotify, nonNotifying) = (true, nil)
        case .unobserved: break
        case .nonNotifying(let isLast):
          nonNotifying = cursor.index
          if isLast { return canNotify }
        case .last(let isObserved):
          if isObserved { nonNotifying = nil }
          return canNotify || isObserved
        case .stale:
          nonNotifying = nil
          return true
        }
        if let number = cursor.elementIndex, let count = DynamicCollection.countOfArray(cursor.owner), number >= count {
          break
        }
        switch try cursor.next() {
        case .object, .value: continue
        case .end, .collection, .operator: return canNotify
        }
      }
      return canNotify
    }
  }

  /// The result of adding a link for a component.
  private enum Component {
    /// The owner notifies of changes of the component, or does not.
    case observed, unobserved
    /// The owner could notify of the component, and never does.
    case nonNotifying(isLast: Bool)
    /// The owner notifies of changes of the component, or does not, and no further component can be observed.
    case last(isObserved: Bool)
    /// The chain has ended, or another resolution has begun.
    case stale
  }

  /// Adds a link for the component of a cursor, if the owner can be observed.
  @inline(__always)
  private func add(
    at cursor: borrowing PathCursor, isAttached: Bool, _ registration: Registration, _ resolution: Resolution
  ) throws(KVError) -> Component {
    let index = cursor.index
    let isLeaf = index == path.count - 1
    if let accessor = cursor.observedAccessor, isLeaf || cursor.observedResolver == nil {
      if isAttached { return .observed }
      let current = cursor.object
      let tail =
        isLeaf || accessor.flags.contains(.isObjectReference) || !registration.acceptsTails
        ? nil : StructTail(path, after: index, accessor, of: current)
      let registrar = ObserverRegistrar.of(object: current)
      let link = PathLink(
        registration, accessor.key, registrar, depth: index, isLeaf: isLeaf, tail: tail,
        isAtRoot: isRoot(current))
      guard insert(link, resolution) else { return .stale }
      registrar.addEntry(link, accessor, current, resolution.build)
      guard isStillAttached(link) else { return .stale }
      return isLeaf || tail != nil ? .last(isObserved: true) : .observed
    }
    if cursor.isInStruct { return isLeaf ? .last(isObserved: false) : .unobserved }
    return try addGeneral(at: cursor, isAttached: isAttached, registration, resolution)
  }

  @inline(never)
  private func addGeneral(
    at cursor: borrowing PathCursor, isAttached: Bool, _ registration: Registration, _ resolution: Resolution
  ) throws(KVError) -> Component {
    let (index, owner) = (cursor.index, cursor.owner)
    let isLeaf = index == path.count - 1
    let component = try ResolvedComponent(owner, path, index)
    var isObserved = false
    if !isAttached, let registrar = component.registrar, let key = component.key {
      let link = PathLink(
        registration, key, registrar, depth: index, isLeaf: isLeaf, isOfResolver: component.resolved != nil,
        endsResolution: component.endsResolution, isAtRoot: isRoot(object(in: owner)))
      guard insert(link, resolution) else { return .stale }
      registrar.addEntry(link, component, resolution.build)
      guard isStillAttached(link) else { return .stale }
      isObserved = component.canNotify
    }
    let isLast = isLeaf || component.endsResolution
    if component.neverNotifies { return .nonNotifying(isLast: isLast) }
    return isLast ? .last(isObserved: isObserved) : isObserved ? .observed : .unobserved
  }

  /// Inserts a link, unless the chain has ended or the resolution is stale.
  private func insert(_ link: PathLink, _ resolution: Resolution) -> Bool {
    if link.isOfResolver { endsAtResolver.store(true, ordering: .relaxed) }
    return state.withLock { state in
      if state.isEnded || state.resolution != resolution.number { return false }
      if state.links.isEmpty { state.links.reserveCapacity(path.count) }
      state.links.append(link)
      return true
    }
  }

  /// Returns whether the chain still has a link; otherwise removes the link from its list, to which it was added too
  /// late.
  private func isStillAttached(_ link: PathLink) -> Bool {
    if !state.withLock({ _ in link.isDetached }) { return true }
    link.removeEntry()
    return false
  }

  /// Resolves the path again behind a link whose key has changed, unless the link is detached.
  func follow(_ link: PathLink, _ object: AnyObject) {
    if leadsToResolver, isResolved(after: link, object) { return }
    guard let resolution = beginResolution(after: link) else { return }
    let registration = link.registration
    do throws(KVError) {
      try attach(object, from: link.depth, isAttached: true, registration, resolution)
    } catch {
      report(error, at: object, registration)
    }
  }

  /// Returns whether the same object as before resolves the path behind a link, as the selection of a controller does.
  private func isResolved(after link: PathLink, _ object: AnyObject) -> Bool {
    let last = state.withLock { state in state.links.last.flatMap { $0.isOfResolver ? $0 : nil } }
    guard let last, last.depth == link.depth + 1, let registrar = last.registrar,
      let value = (try? Reader(path, to: link.depth).value(of: object, from: link.depth)) ?? nil
    else { return false }
    return type(of: value) is AnyClass && ObjectIdentifier(KVCore.object(in: value)) == registrar.objectID
  }

  /// Resolves the path again from the root.
  func restart(_ registration: Registration) {
    guard let resolution = beginResolution(after: nil), let root else { return }
    do throws(KVError) { try attach(root, from: 0, registration, resolution) } catch {
      report(error, at: root, registration)
    }
  }

  // MARK: Deallocation

  /// Returns the links before another one, or all; none if that is detached.
  func links(before link: PathLink? = nil) -> [PathLink] {
    state.withLock { state in
      link?.isDetached == true ? [] : state.links.filter { $0.depth < link?.depth ?? path.count }
    }
  }

  /// Detaches the links behind another one, and does not read what is there now.
  ///
  /// - Returns: Whether the path has not been lost since it was resolved.
  func detach(after link: PathLink) -> Bool {
    let wasLost = state.withLock { $0.isLost }
    guard beginResolution(after: link) != nil else { return false }
    state.withLock { $0.isLost = true }
    return !wasLost
  }

  private func report(_ error: KVError, at object: AnyObject, _ registration: Registration) {
    registration.report(error, at: object)
  }

  private func isRoot(_ object: AnyObject) -> Bool { ObjectIdentifier(object) == rootID }

  /// Begins a resolution, and detaches all links behind one link, or all links; nil if that link is detached already.
  private func beginResolution(after link: PathLink?) -> Resolution? {
    let begun = state.withLock { state -> (number: UInt32, detached: InlineArray1<PathLink>)? in
      if state.isEnded || link?.isDetached == true { return nil }
      state.resolution &+= 1
      state.isLost = false
      return (state.resolution, Self.detach(&state, after: link?.depth ?? -1))
    }
    guard let begun else { return nil }
    begun.detached.forEach { $0.removeEntry() }
    return Resolution(number: begun.number)
  }

  private static func detach(_ state: inout State, after depth: Int) -> InlineArray1<PathLink> {
    var detached = InlineArray1<PathLink>()
    while let link = state.links.last, link.depth > depth {
      state.links.removeLast()
      link.isDetached = true
      detached.append(link)
    }
    return detached
  }

  /// Ends the chain, and removes all its links.
  func cancel() {
    let (links, operands) = state.withLock { state in
      state.isEnded = true
      for link in state.links { link.isDetached = true }
      defer { (state.links, state.operands) = ([], nil) }
      return (state.links, state.operands)
    }
    for link in links.reversed() { link.removeEntry() }
    operands?.cancel()
  }

  /// Returns whether the path leads to the object of an identity, and observes the component there.
  func leads(to identity: UInt, at depth: Int) -> Bool {
    state.withLock { state in
      state.links.contains { link in
        link.depth == depth && link.registrar.map { UInt(bitPattern: $0.objectID) } == identity
      }
    }
  }

  /// Returns whether what operators of the path read is that of a key of an object.
  func endsAtOperator(of object: ObjectIdentifier) -> Bool {
    state.withLock { state in state.links.last.map { $0.endsResolution && $0.registrar?.objectID == object } ?? false }
  }

  /// Whether what operators of the path read is observed, or an object on the path answers for that.
  var hasOperands: Bool { state.withLock { $0.operands != nil || $0.links.last?.isOfResolver == true } }

  /// Returns whether the path is observed from the elements of the collection before a component, or an object on the path
  /// answers for that.
  func hasOperands(through index: Int) -> Bool {
    state.withLock { $0.operands?.path.count == index || $0.links.last?.isOfResolver == true }
  }

  /// Stores the registration of what an operator reads of elements, which ends with the chain, and cancels the former one.
  func insert(_ operands: Registration) {
    let unwanted = state.withLock { state -> Registration? in
      if state.isEnded { return operands }
      defer { state.operands = operands }
      return state.operands
    }
    unwanted?.cancel()
  }
}

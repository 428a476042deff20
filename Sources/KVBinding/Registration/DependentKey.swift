import KVCore
import Synchronization

/// An observed key of an object that depends on other keys (DEP).
///
/// It has a registration for each affecting path. It delivers no notifications itself, but adds the entries of its key
/// to the plan of a change of an affecting key.
// guard: `registrations` is used by the thread that builds the key, and then by the one that cancels it
final class DependentKey: @unchecked Sendable {
  /// The identity of a key of an object.
  struct ID: Hashable {
    let registrar: ObjectIdentifier
    let key: InternedKey
  }

  let key: InternedKey
  let registrar: ObserverRegistrar
  private let reference: WeakReference<AnyObject>
  var object: AnyObject? { reference.object }
  let paths: [KVKeyPath]
  /// The registrations of the affecting paths; set before the key is published.
  private var registrations: [Registration] = []
  /// Whether the object resolves the key, and the setter of none is called.
  let isResolved: Bool
  private static let resolved = Atomic<Bool>(false)
  /// Whether some object has resolved a key; otherwise nobody asks for such keys.
  static var hasResolved: Bool { resolved.load(ordering: .relaxed) }
  /// Whether elements that do not have the key are no fault.
  let toleratesMissingKeys: Bool
  /// Whether the paths may lead through the elements of collections.
  let readsElements: Bool
  private let makeCompanion: (() -> AnyObject?)?
  /// An object that the object of a ``ResolvedKey`` needs while the key is observed.
  private(set) var companion: AnyObject?
  /// The number of changes that have begun, and whose observers have not been notified yet.
  let changes = ChangeCount()

  init(
    _ key: InternedKey, _ paths: [KVKeyPath], of object: any KVObservable, _ registrar: ObserverRegistrar,
    _ resolved: ResolvedKey? = nil
  ) {
    isResolved = resolved != nil
    if isResolved { Self.resolved.store(true, ordering: .relaxed) }
    toleratesMissingKeys = resolved?.toleratesMissingKeys ?? false
    readsElements = resolved?.readsElements ?? false
    makeCompanion = resolved?.makeCompanion
    self.key = key
    reference = WeakReference(object)
    self.registrar = registrar
    self.paths = paths
  }

  /// Begins to observe the affecting paths from a root.
  ///
  /// A path that cannot be observed is reported, and the others are still observed.
  func begin(at object: any KVObservable, _ build: DependentBuild) {
    companion = makeCompanion?()
    let locations = ((try? TypeInfo.of(object).accessor(key.name)) ?? nil)?.affectingLocations ?? []
    for (index, path) in paths.enumerated() {
      let location = index < locations.count ? locations[index] : nil
      let site = location.map { Site($0.file, $0.line) } ?? .unknown
      let registration = Registration(path, [], site, .dependency(self))
      registrations.append(registration)
      do throws(KVError) {
        // Of the paths that an object resolves, it answers for those that never notify itself.
        _ = try registration.addEntries(at: object, build, requiresNotification: !isResolved)
        try registration.beginOperands(at: object, build)
      } catch {
        report(error, registration)
      }
    }
  }

  /// Reports an affecting path that cannot be observed, with the line that declares it.
  func report(_ error: KVError, _ registration: Registration) {
    if toleratesMissingKeys, error.code == .undefinedKey { return }
    KVDiagnostics.report(.error, .faultyPath, registration.path, object, registration.site) {
      "what \"\(self.key)\" of \(self.object.map { "\(type(of: $0))" } ?? "an object") depends on: \(error)"
    }
  }

  /// Cancels the registrations, and releases them: each retains the key.
  ///
  /// That can cancel further dependent keys, one after the other: a chain of keys can lead through any number of objects.
  func cancel() {
    let deliveries = ThreadDeliveries.current.object
    if deliveries.endingKeys?.append(self) != nil { return }
    deliveries.endingKeys = [self]
    while let next = deliveries.endingKeys?.popLast() {
      let ended = next.registrations
      (next.registrations, next.companion) = ([], nil)
      for registration in ended { registration.cancel() }
    }
    deliveries.endingKeys = nil
  }
}

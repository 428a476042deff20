import KVCore

/// What is known of a registration: for debuggers, logs and tests (KVO.20).
public struct KVObservationInfo: Sendable, CustomStringConvertible {
  /// The path, as it was registered.
  public let keyPath: KVKeyPath
  /// The options.
  public let options: KVObservingOptions
  /// Where it was registered, as `Module/File.swift:12`.
  public let location: String
  /// What hears of it.
  ///
  /// `closure`, `typed closure with owner`, `action "reload"`, `sequence` and the like.
  public let style: String
  /// The type of the owner or target; nil if the registration belongs to whoever holds its token.
  public let owner: String?
  /// Whether records are held back.
  public let isPaused: Bool

  init(_ observation: Observation) {
    keyPath = observation.path
    options = observation.options
    location = observation.site?.description ?? ""
    style = observation.summary
    owner = observation.ownerDescription
    isPaused = observation.isPaused
  }

  /// All of it on one line.
  public var description: String {
    let owner = owner.map { " of \($0)" } ?? ""
    return "\(keyPath) [\(options)]: \(style)\(owner), registered at \(location)" + (isPaused ? ", paused" : "")
  }
}

extension KVDiagnostics {
  /// Returns who observes an object (DIA.2).
  ///
  /// Registrations whose owner or target is gone are ended now, if nobody noticed before.
  ///
  /// - Parameter object: The object.
  /// - Returns: One entry a registration; those of one path in the order of registration.
  /// - Complexity: O(*n*) in the registrations of the object.
  public static func observations(of object: some KVObservable) -> [KVObservationInfo] {
    let observations = ObserverRegistrar.existing(of: object)?.observations ?? []
    for observation in observations where observation.isOrphaned { observation.end() }
    return observations.filter { !$0.isEnded }.map { KVObservationInfo($0) }
  }

  /// Returns who observes a path of an object (DIA.2).
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - path: The path as it was registered, or its text.
  /// - Returns: One entry a registration, in the order of registration.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  /// - Complexity: O(*n*) in the registrations of the object.
  public static func observations(
    of object: some KVObservable, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) -> [KVObservationInfo] {
    let path = try path.keyPath()
    return observations(of: object).filter { $0.keyPath == path }
  }

  /// Returns who observes other objects by a path that leads through an object.
  ///
  /// - Parameter object: The object.
  /// - Returns: One entry a registration; its path begins at the other object.
  /// - Complexity: O(*n*) in the registrations that pass.
  package static func observations(passing object: some KVObservable) -> [KVObservationInfo] {
    (ObserverRegistrar.existing(of: object)?.passingObservations ?? []).filter { !$0.isEnded && !$0.isOrphaned }
      .map { KVObservationInfo($0) }
  }

  /// Returns what an object observes as the owner or the target of registrations, in the order of their texts.
  ///
  /// - Parameter owner: The object.
  /// - Returns: One entry a registration.
  /// - Complexity: O(*n* log *n*) in the registrations that it owns.
  package static func observations(ownedBy owner: AnyObject) -> [KVObservationInfo] {
    Owners.owned(by: owner).compactMap { $0 as? Observation }.filter { !$0.isEnded && !($0 is BindingObservation) }
      .map { KVObservationInfo($0) }.sorted { $0.description < $1.description }
  }
}

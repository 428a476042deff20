import KVCore

/// The description of an observation, for debuggers, logs and tests (KVO.20).
public struct KVObservationInfo: Sendable, CustomStringConvertible {
  /// The key path as it was registered.
  public let keyPath: KVKeyPath
  /// The options of the observation.
  public let options: KVObservingOptions
  /// The source location of the registration, as `Module/File.swift:12`.
  public let location: String
  /// The kind of receiver.
  ///
  /// It is `closure`, `typed closure with owner`, `action "reload"`, `sequence` and the like.
  package let style: String
  /// The type of the owner or target; nil if the token owns the observation.
  public let owner: String?
  /// Whether the observation is paused.
  public let isPaused: Bool

  init(_ registration: Registration) {
    keyPath = registration.path
    options = registration.options
    location = registration.site.description
    style = registration.summary
    owner = registration.ownerDescription
    isPaused = registration.isPaused
  }

  /// All properties in one line.
  public var description: String {
    let owner = owner.map { " of \($0)" } ?? ""
    return "\(keyPath) [\(options)]: \(style)\(owner), registered at \(location)" + (isPaused ? ", paused" : "")
  }
}

extension Registration {
  /// Cancels the registration if its owner, or an endpoint of its binding, has been deallocated; returns whether it has
  /// ended (LIF.1).
  fileprivate func endIfDead() -> Bool {
    if isOrphaned { cancel() }
    return kind.binding?.endIfDead() == true || isEnded
  }
}

extension KVDiagnostics {
  /// Returns the observations of an object (DIA.2).
  ///
  /// Observations whose owner or target is gone, and which have not ended yet, are ended now.
  ///
  /// - Parameter object: The observed object.
  /// - Returns: One entry per observation; those of one path in the order of registration.
  /// - Complexity: O(*n*) in the number of the object's observations.
  public static func observations(of object: some KVObservable) -> [KVObservationInfo] {
    (ObserverRegistrar.existing(of: object)?.registrations ?? []).filter { !$0.endIfDead() }
      .map { KVObservationInfo($0) }
  }

  /// Returns the observations of a key path of an object (DIA.2).
  ///
  /// - Parameters:
  ///   - object: The observed object.
  ///   - path: The key path as it was registered, or its text.
  /// - Returns: One entry per observation, in the order of registration.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  /// - Complexity: O(*n*) in the number of the object's observations.
  public static func observations(
    of object: some KVObservable, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) -> [KVObservationInfo] {
    let path = try path.keyPath()
    return observations(of: object).filter { $0.keyPath == path }
  }

  /// Returns the observations of other objects whose key paths go through an object.
  ///
  /// - Parameter object: The object.
  /// - Returns: One entry per observation, whose key path begins at the other object.
  /// - Complexity: O(*n*) in the number of such observations.
  package static func observations(passing object: some KVObservable) -> [KVObservationInfo] {
    (ObserverRegistrar.existing(of: object)?.passingRegistrations ?? []).filter { !$0.endIfDead() }
      .map { KVObservationInfo($0) }
  }

  /// Returns the observations that an object owns or is the target of, sorted by their text.
  ///
  /// - Parameter owner: The object.
  /// - Returns: One entry per observation.
  /// - Complexity: O(*n* log *n*) in the number of observations that it owns.
  package static func observations(ownedBy owner: AnyObject) -> [KVObservationInfo] {
    Owners.owned(by: owner).compactMap { $0 as? Registration }.filter { !$0.isEnded && $0.kind.binding == nil }
      .map { KVObservationInfo($0) }.ordered { $0.description }
  }
}

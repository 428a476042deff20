import KVCore

/// The receiver of a registration's notifications: a function, and the kind of what it notifies.
@usableFromInline
struct Sink {
  /// Delivers a notification.
  ///
  /// A closure, since a switch over the kinds would count a reference to what it calls: 4 ns for each notification.
  @usableFromInline
  typealias Delivery = (borrowing _KVChangeNotice, Registration) -> Void

  /// It takes one word, since each observer has one.
  enum Kind {
    /// A closure that receives records.
    case records
    /// A closure that receives values of a static type.
    case values
    /// A closure that receives the owner and records.
    case ownedRecords
    /// The action of a target, which `KVCoalescing` identifies by its name.
    indirect case action(name: String, takesChange: Bool)
    /// A sequence, which finishes when the registration ends.
    indirect case sequence(finish: () -> Void)
    /// A binding, which may end with the registration.
    case binding(BindingCore, endsWithRegistration: Bool)
    /// The registrations of the elements of a collection (KVO.17).
    case elements(ElementTracker)
    /// A key that depends on the path (DEP); its entries join the plan of a change.
    case dependency(DependentKey)
    /// A recorder, which is notified before all other observers of the key, so that it receives changes in their order.
    ///
    /// Of a dependent key, it is not notified of changes that it records by another key of some object.
    indirect case recorder(isRecorded: (ObjectIdentifier, InternedKey) -> Bool, objectDidDeallocate: () -> Void)
    /// The values that an operator reads of an element (KVO.18). The registration of the operator's path is the owner.
    case operand
  }

  let kind: Kind
  /// The closure that receives records; it is stored here, so that the most common kind needs no closure around it.
  let handler: (KVChange) -> Void
  let deliver: Delivery

  init(_ kind: Kind, handler: @escaping (KVChange) -> Void = { _ in }, _ deliver: @escaping Delivery) {
    self.kind = kind
    self.handler = handler
    self.deliver = deliver
  }

  // MARK: Kinds

  static func records(_ handler: @escaping (KVChange) -> Void) -> Sink {
    Sink(.records, handler: handler) { notice, registration in
      registration.passRecord(notice, to: registration.sink.handler)
    }
  }

  static func ownedRecords(_ handler: @escaping (AnyObject, KVChange) -> Void) -> Sink {
    Sink(.ownedRecords) { notice, registration in
      guard let owner = registration.owner else { return registration.cancel() }
      registration.passRecord(notice) { handler(owner, $0) }
    }
  }

  /// Returns a function that delivers values as another one does, until the owner of the registration is dead.
  static func untilOrphaned(_ deliver: @escaping Delivery) -> Delivery {
    { notice, registration in
      if registration.isOrphaned { registration.cancel() } else { deliver(notice, registration) }
    }
  }

  static func action(
    name: String, takesChange: Bool, _ call: @escaping (AnyObject, KVChange?) -> Void
  ) -> Sink {
    Sink(.action(name: name, takesChange: takesChange)) { notice, registration in
      guard let owner = registration.owner else { return registration.cancel() }
      if takesChange { registration.passRecord(notice) { call(owner, $0) } } else { call(owner, nil) }
    }
  }

  /// Returns the sink of a sequence, which stores its records: they retain their object.
  static func storedRecords(_ store: @escaping (KVChange) -> Void, finish: @escaping () -> Void) -> Sink {
    Sink(.sequence(finish: finish)) { notice, registration in
      if let root = registration.livingRoot(notice) { store(registration.record(notice, root)) }
    }
  }

  static func binding(_ core: BindingCore, _ side: BindingSide, endsBinding: Bool) -> Sink {
    Sink(.binding(core, endsWithRegistration: endsBinding)) { notice, registration in
      core.endpointWasNotified(
        side, registration.chain == nil ? notice.reference : nil, BindingPayload.of(notice))
    }
  }

  static func elements(_ tracker: ElementTracker) -> Sink {
    Sink(.elements(tracker)) { _, registration in
      if registration.isOrphaned { registration.cancel() } else { tracker.deliverInitial(registration) }
    }
  }

  static func dependency(_ dependent: DependentKey) -> Sink { Sink(.dependency(dependent)) { _, _ in } }

  static var operand: Sink { Sink(.operand) { _, _ in } }
}

extension Sink.Kind {
  /// Whether the registration is part of another one, and is neither listed nor traced.
  var isInternal: Bool {
    switch self {
    case .dependency, .operand: true
    case .elements(let tracker): tracker.isPartOfPath
    default: false
    }
  }

  /// Whether the registration is of a dependency that takes elements without the key.
  var toleratesMissingKeys: Bool {
    if case .dependency(let dependent) = self { dependent.toleratesMissingKeys } else { false }
  }

  /// Whether the registration goes on at each element of a collection on its path.
  var readsElements: Bool {
    switch self {
    case .operand: true
    case .dependency(let dependent): dependent.readsElements
    default: false
    }
  }

  /// Whether the registration goes on at each element of a collection, or is of the operands of one that does, and that begins
  /// them anew then.
  var mayReadElements: Bool {
    if case .elements(let tracker) = self { tracker.isOfPathThroughElements } else { readsElements }
  }

  var isRecorder: Bool { if case .recorder = self { true } else { false } }
  var isOperand: Bool { if case .operand = self { true } else { false } }

  /// Whether the sink needs a plan of the change, whatever the options are: also for a binding of several sources, which a
  /// change of two of them notifies once.
  var needsWillChange: Bool { isInternal || tracker != nil || binding?.others.isEmpty == false }

  var tracker: ElementTracker? { if case .elements(let tracker) = self { tracker } else { nil } }
  var binding: BindingCore? {
    switch self {
    case .binding(let core, _): core
    default: nil
    }
  }
  var isAction: Bool { if case .action = self { true } else { false } }
}

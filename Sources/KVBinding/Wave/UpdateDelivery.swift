import KVCore

/// An update: several keys of one object that change together, in one order of delivery (CTR.6–11).
struct KeyUpdate {
  /// The changes, one for each key.
  var changes: [KeyChange] = []
  /// Makes the changes; it calls no handler.
  var apply: () -> Void
  /// The first changes of keys that notify twice: of a removal, then of an insertion, which is in ``changes``.
  var first: [KeyChange] = []
  /// Makes the first changes; the object has its intermediate state then.
  var applyFirst: () -> Void = {}
}

/// The delivery of an update.
///
/// It consists of steps: (1) all old values are read; (2) the `prior` records are delivered; (3) the first changes are
/// made, and those that observe their keys directly are notified; (4) all other changes are made; (5) the observers of
/// all keys are notified in the order of registration.
///
/// A handler that changes the object in step 2 or 3 finds it in a state that is not its last one. Its change therefore
/// calls ``run()`` first, which delivers the rest of the update. Records by index follow each other as the changes do.
final class UpdateDelivery {
  private enum Step {
    case prior, first, secondPrior, last, done
  }

  private let update: KeyUpdate
  /// The keys that have observers; nil if the update consists of changes inside elements.
  private let keys: PendingChange.UpdateKeys?
  /// The change of all keys, at first without the direct observers of keys that notify twice.
  private let pending: PendingChange
  /// The first changes of the keys that notify twice.
  private let first: PendingChange?
  private var step = Step.prior
  private var queue: ContiguousArray<(pending: PendingChange, notification: PendingChange.PendingNotification)> = []
  private var position = 0
  /// Called when all changes are made, before the observers are notified of the last ones.
  var didApply: [() -> Void] = []

  /// Whether all changes are made.
  var isComplete: Bool { step == .done }

  /// Begins the delivery, and reads all old values; nil if nobody observes the keys.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - object: The object.
  ///   - registrar: The registrar of the object.
  ///   - elements: What has changed inside elements; nil if nothing has, or if nobody observes it.
  init?(
    _ update: KeyUpdate, of object: AnyObject, _ registrar: ObserverRegistrar, joining elements: PendingChange? = nil
  ) {
    let keys = PendingChange.UpdateKeys(update.changes, of: object, registrar)
    guard keys?.beginDelivery() ?? elements?.beginNesting(type(of: object), ObjectIdentifier(object)) ?? false else {
      return nil
    }
    self.update = update
    self.keys = keys
    let twice = update.first
    let boundary = ChangeBoundary.begin()
    pending = elements ?? PendingChange()
    pending.begin(keys) { key, listener in
      !PendingChange.isDirect(listener) || !twice.contains { $0.key == key }
    }
    pending.boundary = boundary
    first = PendingChange.UpdateKeys(twice, of: object, registrar).map { keys in
      let first = PendingChange(keys) { _, listener in PendingChange.isDirect(listener) }
      // It is part of the level of the other one.
      first.isNested = false
      return first
    }
    queue = ContiguousArray(pending.priorNotifications.map { (pending, $0) })
    if let first { enqueue(first.priorNotifications, first) }
  }

  private func enqueue(
    _ notifications: some Sequence<PendingChange.PendingNotification>, _ pending: PendingChange
  ) {
    queue += notifications.map { (pending, $0) }
    queue = ContiguousArray(queue.ordered { $0.notification.order })
  }

  /// Delivers the update, or the rest of it.
  func run() {
    while step != .last, step != .done {
      if deliverNext() { continue }
      queue = []
      position = 0
      switch step {
      case .prior where first == nil && update.first.isEmpty, .secondPrior: step = .last
      case .prior:
        step = .first
        beginFirst()
      case .first:
        step = .secondPrior
        beginSecond()
      case .last, .done: break
      }
    }
    guard step == .last else { return }
    step = .done
    update.apply()
    for function in didApply { function() }
    pending.finishUpdate()
  }

  private func deliverNext() -> Bool {
    guard position < queue.count else { return false }
    var next = queue[position]
    position += 1
    next.pending.deliver(&next.notification, ofUpdate: step == .first ? .change : .prior)
    return true
  }

  /// Makes the first changes.
  private func beginFirst() {
    update.applyFirst()
    guard let first, let keys = first.update else { return }
    first.followAndRead()
    pending.followElements(of: keys, byIndexOnly: true)
    enqueue(first.notifications, first)
  }

  /// Lets the direct observers of keys that notify twice join the change of all keys.
  private func beginSecond() {
    let known = pending.notifications.count
    keys?.join(pending) { key, listener in
      PendingChange.isDirect(listener) && update.first.contains { $0.key == key }
    }
    enqueue(pending.notifications[known...].filter(\.wantsPrior), pending)
    pending.sortNotifications()
  }
}

import KVCore

// Waves keep the notifications of registrations that several of their keys lead to, until all of these are set (WAV.4).

extension ChangeRun {
  /// Returns whether a wave keeps the registration of a step already, so that the step is skipped.
  ///
  /// If the change is not part of that wave, it takes the notification over, with the value from before the wave (WAV.2).
  func isKept(_ index: Int, in wave: Wave) -> Bool {
    let step = plan.steps[index]
    if step.isDirect { return false }
    let isOrdered = ThreadDeliveries.current.borrow { !$0.state.pointee.isUnordered }
    var (next, isPart) = (Optional(wave), state.pointee.isWriteOfBinding && isOrdered)
    while let wave = next {
      if wave.keeps, let keptIndex = wave.keptIndex(of: step.registration), wave.isKept(keptIndex) {
        if isPart {
          mark(index, .skipped)
          return true
        }
        if let notification = wave.takeOver(keptIndex) { takeOver(notification, index) }
      }
      (next, isPart) = (wave.outer, false)
    }
    return false
  }

  private func takeOver(_ notification: DeferredNotification, _ index: Int) {
    guard let old = notification.run.oldValue(of: notification.step), state.pointee.inheritedOldValues[index] == nil
    else {
      return
    }
    state.pointee.inheritedOldValues[index] = .some(old)
  }

  /// Returns the old value of a step; nil if it has not been read.
  private func oldValue(of index: Int) -> Any?? {
    if let inherited = state.pointee.inheritedOldValues[index] { return .some(inherited) }
    let values = state.pointee.values[plan.steps[index].reading]
    return values.pointee.isOldRead ? .some(values.pointee.old) : nil
  }

  /// Lets a wave keep the steps of which further keys may be set; returns whether it keeps some.
  func keep(in wave: Wave) -> Bool {
    // An object in its `deinit` cannot be retained (LIF.1).
    if let object, isDeinitializing(object.object) { return false }
    var isKept = false
    for index in plan.steps.indices where isActive(index) && !plan.steps[index].isDirect {
      guard let keptIndex = wave.keptIndex(of: plan.steps[index].registration) else { continue }
      mark(index, .skipped)
      if !wave.isKept(keptIndex) {
        wave.keep(index, of: self, at: keptIndex)
        isKept = true
      }
    }
    return isKept
  }

  /// Delivers a notification that its wave has kept.
  ///
  /// - Parameter ifChanged: Whether it is delivered only if the value is another one, as far as the registration wants both.
  func deliverDeferred(_ index: Int, ifChanged: Bool) {
    if isRefused(index, .change) { return }
    let step = plan.steps[index]
    let (registration, reading) = (step.registration, plan.readings[step.reading])
    let values = state.pointee.values[step.reading]
    let new = state.pointee.keptValues[index] ?? values.pointee.new
    let old = oldValue(of: index)
    if ifChanged, let old, registration.needsOldValue, registration.wantsNew, Equality.areEqual(old, new) { return }
    guard let object = object(at: reading.object) else { return }
    registration.receive(object.object, reading.key, old: old ?? nil, isOldKnown: old != nil, new: new, .change)
  }
}

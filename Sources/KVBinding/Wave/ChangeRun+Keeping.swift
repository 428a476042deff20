import KVCore

// Waves keep the notifications of registrations that several of their keys lead to, until all of these are set (WAV.4).

extension ChangeRun {
  /// Returns whether a wave keeps the registration of a step already, so that the step is skipped.
  ///
  /// If the change is not part of that wave, it takes the notification over, with the value from before the wave (WAV.2).
  func isKept(_ index: Int, in wave: Wave) -> Bool {
    let step = plan.steps[index]
    if step.isDirect { return false }
    var (next, isPart) = (Optional(wave), state.pointee.isDirect)
    while let wave = next {
      if wave.keeps, let place = wave.keptIndex(of: step.registration), wave.isKept(place) {
        if isPart {
          mark(index, .skipped)
          return true
        }
        if let notification = wave.takeOver(place) { takeOver(notification, index) }
      }
      (next, isPart) = (wave.outer, false)
    }
    return false
  }

  private func takeOver(_ notification: KeptNotification, _ index: Int) {
    let values = notification.run.state.pointee.values[notification.run.plan.steps[notification.step].reading]
    guard values.pointee.isOldRead, state.pointee.takenOver[index] == nil else { return }
    setTakenOver(values.pointee.old, index)
  }

  /// Lets a wave keep the steps of which further keys may be set; returns whether it keeps some.
  func keep(in wave: Wave) -> Bool {
    var isKept = false
    for index in plan.steps.indices where isActive(index) && !plan.steps[index].isDirect {
      guard let place = wave.keptIndex(of: plan.steps[index].registration) else { continue }
      mark(index, .skipped)
      if !wave.isKept(place) {
        wave.keep(index, of: self, at: place)
        isKept = true
      }
    }
    return isKept
  }

  /// Delivers a notification that its wave has kept.
  ///
  /// - Parameter ifChanged: Whether it is delivered only if the value is another one, as far as both are known.
  func deliverKept(_ index: Int, ifChanged: Bool) {
    let step = plan.steps[index]
    let values = state.pointee.values[step.reading]
    if ifChanged, values.pointee.isOldRead, values.pointee.isNewRead,
      Equality.areEqual(values.pointee.old, values.pointee.new)
    {
      return
    }
    deliver(index, ofUpdate: .change)
  }
}

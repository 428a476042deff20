import KVCore

extension ChangeRun {
  /// Delivers a notification with the values of a notice, or with those that were read.
  func deliver(_ index: Int, _ notice: borrowing _KVChangeNotice) {
    let (flags, registration) = (state.pointee.states[index].pointee, plan.steps[index].reference)
    guard flags.contains(.read) else { return registration.borrow { $0.receive(notice) } }
    // The old collection is not known then, but the removed and the inserted elements are.
    if flags.contains(.omitsOld), registration.borrow({ $0.options.contains(.distinct) }),
      Registration.isUnchanged(notice)
    {
      return
    }
    deliverValues(index, notice.phase)
  }

  /// Delivers a notification of a key that changes with others.
  func deliver(_ index: Int, ofUpdate phase: _KVChangeNotice.Phase) {
    let step = plan.steps[index]
    guard step.isOfChangedKey, let object,
      let change = changes.first(where: { $0.key == plan.readings[step.reading].key })
    else { return deliverValues(index, phase) }
    change.withNotice(of: object.object, phase) { deliver(index, $0) }
  }

  /// Delivers the values that were read before and after the change; the new one of a `prior` record is not read yet.
  private func deliverValues(_ index: Int, _ phase: _KVChangeNotice.Phase) {
    let (registration, reading) = (plan.steps[index].reference, plan.readings[plan.steps[index].reading])
    if isRefused(index, phase) { return }
    let omitsOld = state.pointee.states[index].pointee.contains(.omitsOld)
    let isOldKnown = !state.pointee.isOfDeallocation && !omitsOld
    guard let object = object(at: reading.object) else { return }
    let values = state.pointee.values[plan.steps[index].reading]
    if let inherited = state.pointee.inheritedOldValues[index], !omitsOld {
      return registration.object.receive(object.object, reading.key, old: inherited, new: values.pointee.new, phase)
    }
    withAddress(of: &values.pointee.old) { old in
      withAddress(of: &values.pointee.new) { new in
        object.borrow { object in
          registration.borrow { registration in
            registration.receive(
              _KVChangeNotice(
                object: object, key: reading.key, valueType: Any?.self, oldAddress: isOldKnown ? Address(old) : nil,
                newAddress: Address(new), boxer: Boxer<Any?>.self, phase: phase))
          }
        }
      }
    }
  }
}

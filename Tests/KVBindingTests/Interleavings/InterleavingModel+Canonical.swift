extension InterleavingModel {
  /// What is the same for states that differ only in the names of values, tokens and objects.
  ///
  /// Values are numbered in the order in which they occur here, registrations by their order.
  var canonical: [UInt8] {
    var bytes: [UInt8] = []
    var names: [Int] = []
    func add(_ value: Int?) {
      guard let value else { return bytes.append(0) }
      let index = names.firstIndex(of: value) ?? names.count
      if index == names.count { names.append(value) }
      bytes.append(UInt8(index + 1))
    }
    func add(_ flags: Bool...) { bytes.append(flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }) }
    // Without the root, the former name of the middle object only matters to whether it can be set again.
    let canChangeBack = !isRootAlive && middle != nil && previous != nil
    add(
      holdsRoot, holdsOwner, isRootAlive, isViewAlive, hasFormer, binding != nil, binding?.isTwoWay == true,
      canChangeBack)
    bytes.append(UInt8(depth))
    if isRootAlive || middle == nil { add(middle) }
    if isRootAlive {
      add(rootName)
      add(previous)
    }
    if isViewAlive { add(text) }
    let positions = registrations.compactMap { $0.deferred?.position }.sorted()
    if let binding { bytes.append(UInt8(registrations.count { $0.number < binding.number })) }
    for registration in registrations {
      let kind = registration.kind
      bytes.append(UInt8(kind.path.rawValue))
      add(
        kind.hasOwner, kind.isCoalesced, kind.isDistinct, kind.hasPrior, kind.hasInitial, registration.hasToken,
        registration.isPaused, registration.deferred != nil)
      guard let deferred = registration.deferred else { continue }
      bytes.append(UInt8(positions.firstIndex(of: deferred.position) ?? 0))
      add(deferred.isInitial)
      for value in [deferred.old, deferred.new] {
        guard kind.path == .label, let value else {
          add(value)
          continue
        }
        let parts = Self.parts(ofLabel: value)
        add(parts.name)
        add(parts.next)
      }
    }
    return bytes
  }
}

import KVCore

// The plan of keys that change together, which the registrar keeps: an update of an object has mostly the same keys.
extension ObserverRegistrar {
  /// Returns the plan of keys that change together: that which is kept, or a new one.
  func plan(_ keys: [InternedKey], of object: AnyObject) -> ChangePlan {
    if let kept = withExistingRareState({ $0.update }), kept.keys == keys, !kept.plan.isStale {
      #if KV_VERIFY_PLANS
        kept.plan.verify(PlanBuilder.unkeptPlan(keys, of: object, self))
      #endif
      return kept.plan
    }
    let plan = PlanBuilder.unkeptPlan(keys, of: object, self)
    keep(plan, of: keys)
    return plan
  }

  /// Keeps the plan of keys until an entry of a list that it was made of is added or removed.
  private func keep(_ plan: ChangePlan, of keys: [InternedKey]) {
    guard plan.canBeCached else { return }
    let previous = withRareState { rareState -> ChangePlan? in
      if rareState.isDeallocated || plan.isStale { return nil }
      defer { rareState.update = (keys, plan) }
      return rareState.update?.plan
    }
    // Released outside of the lock.
    withExtendedLifetime(previous) {}
  }

  /// Releases the plan that is kept.
  func releasePlanOfUpdate(_ validity: PlanValidity) {
    let released = withExistingRareState { rareState -> ChangePlan? in
      guard rareState.update?.plan.validity === validity else { return nil }
      defer { rareState.update = nil }
      return rareState.update?.plan
    }
    // Released outside of the lock.
    withExtendedLifetime(released) {}
  }
}

/// A set.
protocol UnorderedValue: CollectionValue {
  /// Returns a copy without some members, and with those of another set; nil if that is of another type.
  ///
  /// Members that stay are taken over as they are.
  func changed(removing: Set<AnyHashable>, adding: Any?) -> Any?
}

/// Members of sets, whatever the type of the set.
enum SetMember {
  /// What stands for nil, as in the sets that reading makes (KVC.5).
  static var none: AnyHashable { AnyHashable(AnyHashable?.none) }

  /// Returns a member as a set of anything holds it; nil if it is not hashable.
  static func hashable(_ member: Any?) -> AnyHashable? {
    guard let member = member.flatMap({ flattened(plain($0)) }) else { return none }
    return member as? AnyHashable
  }

  /// Returns members of a set of anything as they were before.
  static func values(_ members: Set<AnyHashable>) -> [Any] { members.map { boxed(flattened($0.base)) } }
}

/// Returns the value inside an `AnyHashable`, so that elements and keys of erased collections are what was put in.
func plain(_ value: Any) -> Any { (value as? AnyHashable)?.base ?? value }

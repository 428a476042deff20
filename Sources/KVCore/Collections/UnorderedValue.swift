/// A set of any element type.
protocol UnorderedValue: CollectionValue {
  /// Returns a copy without some members, and with the members of another set; `nil` if that set is of another type.
  ///
  /// The other members stay as they are.
  func changed(removing: Set<AnyHashable>, adding: Any?) -> Any?
}

/// The members of sets of any type.
enum SetMember {
  /// The member that represents nil, as in the sets that reading returns (KVC.5).
  static var none: AnyHashable { AnyHashable(AnyHashable?.none) }

  /// Returns a member as an `AnyHashable`; `nil` if it is not hashable.
  static func hashable(_ member: Any?) -> AnyHashable? {
    guard let member = member.flatMap({ unwrappingOptionals(unwrappingHashable($0)) }) else { return none }
    return member as? AnyHashable
  }

  /// Returns the values of the members, without `AnyHashable`.
  static func values(_ members: Set<AnyHashable>) -> [Any] { members.map { asAny(unwrappingOptionals($0.base)) } }
}

/// Returns the value in an `AnyHashable`, so that elements and keys of erased collections are those that were stored.
func unwrappingHashable(_ value: Any) -> Any { (value as? AnyHashable)?.base ?? value }

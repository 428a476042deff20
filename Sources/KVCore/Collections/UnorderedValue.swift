/// A set of any element type.
protocol UnorderedValue: CollectionValue {
  /// Returns a copy without some members, which are findable, and with the members of another set; `nil` if that set is
  /// of another type.
  ///
  /// The other members stay as they are.
  func changed(removing: Set<AnyHashable>, adding: Any?) -> Any?

  /// Returns the members of another set that this set does not contain; `nil` if that cannot be found out by looking them
  /// up.
  func absent(_ others: any CollectionValue) -> [Any]?

  /// Returns a copy with one more or one less member, and that member; nil if the member is not of the element type, or does
  /// not equal itself.
  func edited(by member: Any, isRemoval: Bool) -> EditedSet?

  /// Returns the members that equal findable ones; `nil` if that cannot be found out by looking them up.
  func found(_ others: Set<AnyHashable>) -> [Any]?
}

/// The result of editing a set by one member.
enum EditedSet {
  case unchanged
  case changed(Any, by: Any)
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

  /// Returns a member by which it can be found: as ``hashable(_:)``, but for numbers, and values that do not equal themselves.
  static func findable(_ member: Any?) -> AnyHashable? {
    hashable(member).map { hashable in
      guard hashable == hashable else { return AnyHashable(NotANumber(value: hashable)) }
      guard let number = AnyNumber(of: hashable.base) else { return hashable }
      let member = NumberMember(value: hashable, identity: ValueIdentity(number))
      return member == member ? AnyHashable(member) : AnyHashable(NotANumber(value: hashable))
    }
  }

  /// Returns the member that ``findable(_:)`` stands for.
  static func stored(_ member: AnyHashable) -> AnyHashable {
    (member.base as? NumberMember)?.value ?? (member.base as? NotANumber)?.value ?? member
  }

  /// Returns the values of findable members, without `AnyHashable`.
  static func values(_ members: Set<AnyHashable>) -> [Any] {
    members.map { asAny(unwrappingOptionals(stored($0).base)) }
  }
}

/// A member that does not equal itself, such as NaN; it equals any other one, so that a view can find and remove it.
struct NotANumber: Hashable {
  let value: AnyHashable

  static func == (left: NotANumber, right: NotANumber) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

/// A member that equals any number of the same value, whatever the type (CO.7).
struct NumberMember: Hashable {
  let value: AnyHashable
  let identity: ValueIdentity

  static func == (left: NumberMember, right: NumberMember) -> Bool { left.identity == right.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// Returns the value in an `AnyHashable`, so that elements and keys of erased collections are those that were stored.
func unwrappingHashable(_ value: Any) -> Any { (value as? AnyHashable)?.base ?? value }

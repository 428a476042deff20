import KVCore

// The owner of a registration has the type of the object that the registration was made with. The casts are therefore
// unchecked; a checked cast of a class costs 10 ns for each record.

extension Sink {
  /// Returns the sink of a closure that receives an owner of a static type.
  static func owner<Owner: AnyObject>(_ handler: @escaping (Owner, KVChange) -> Void) -> Sink {
    .ownedRecords { handler(unsafeDowncast($0, to: Owner.self), $1) }
  }

  /// Returns the sink of an action.
  static func action<Target: AnyObject>(_ action: KVAction<Target>) -> Sink {
    let call = action.call
    return .action(name: action.name, takesChange: action.takesChange) {
      call(unsafeDowncast($0, to: Target.self), $1)
    }
  }
}

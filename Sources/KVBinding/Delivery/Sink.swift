import KVCore

/// The receiver of a registration's notifications.
enum Sink {
  /// A closure that receives records.
  case records((KVChange) -> Void)
  /// A closure that receives values of a static type; see ``typedSink(_:_:)``.
  case values(NoticeSink)
  /// A closure that receives the owner and records.
  case ownedRecords((AnyObject, KVChange) -> Void)
  /// The action of a target.
  case action(Action)
  /// A sequence, which finishes when the registration ends.
  indirect case sequence(Sink, finish: () -> Void)
  /// A binding, which is notified of changes of one endpoint. If `endsBinding` is true, it ends with the registration.
  case binding(BindingCore, BindingSide, endsBinding: Bool)
  /// The registrations of the elements of a collection (KVO.17).
  case elements(ElementTracker)
  /// A key that depends on the path (DEP); its entries join the pending change.
  case dependency(DependentKey)
  /// The registration of an operator that computes with the path (KVO.18). It is the owner of this registration.
  case operand

  /// An action of a target, which `KVCoalescing` identifies by its name.
  final class Action {
    let name: String
    /// Whether the action takes the record as a parameter.
    let takesChange: Bool
    let call: (AnyObject, KVChange?) -> Void

    init(name: String, takesChange: Bool, _ call: @escaping (AnyObject, KVChange?) -> Void) {
      self.name = name
      self.takesChange = takesChange
      self.call = call
    }
  }

  /// Whether the sink only adds other registrations to a pending change.
  ///
  /// Such a registration is part of another one, and is neither listed nor traced.
  var isInternal: Bool {
    switch self {
    case .dependency, .operand: true
    default: false
    }
  }

  /// Whether the sink needs to run before a change, whatever the options are.
  var needsWillChange: Bool {
    switch self {
    case .elements, .dependency, .operand: true
    default: false
    }
  }

  var tracker: ElementTracker? { if case .elements(let tracker) = self { tracker } else { nil } }
  var action: Action? { if case .action(let action) = self { action } else { nil } }
  var binding: BindingCore? { if case .binding(let core, _, _) = self { core } else { nil } }
}

/// One operation on the small graph of ``InterleavingModel``.
enum InterleavingMove: Hashable, Sendable {
  case register(InterleavingKind)
  /// Sets the name of the middle object, of its predecessor first, to a value that did not occur before.
  case change
  /// Sets the name of the middle object to its present value, or to the one before the last change.
  case changeEqually, changeBack
  /// Sets the name of the root, or the text of the view, to a value that did not occur before.
  case changeRoot, changeText
  case replaceMiddle, removeMiddle
  case dropRoot, dropOwner
  /// Operations on a token, by its position among those that exist.
  case cancel(Int), drop(Int), pause(Int), resume(Int)
  case begin, commit
  case bindOneWay, bindTwoWay, unbind
}

extension InterleavingMove {
  /// The operation as a line of a program; `t` are the tokens that exist, in the order of registration.
  var script: String {
    switch self {
    case .register(let kind): "t.append(\(kind.script))"
    case .change: "former?.name = fresh(); middle?.name = fresh()"
    case .changeEqually: "middle.name = middle.name"
    case .changeBack: "middle.name = previousName"
    case .changeRoot: "root.name = fresh()"
    case .changeText: "view.text = fresh()"
    case .replaceMiddle: "former = middle; middle = Node(fresh()); root.next = middle"
    case .removeMiddle: "former = middle; middle = nil; root.next = nil"
    case .dropRoot: "root = nil"
    case .dropOwner: "owner = nil; view = nil"
    case .cancel(let index): "t[\(index)].cancel(); t.remove(at: \(index))"
    case .drop(let index): "t.remove(at: \(index))"
    case .pause(let index): "t[\(index)].pause()"
    case .resume(let index): "t[\(index)].resume()"
    case .begin: "KVCoalescing.begin()"
    case .commit: "KVCoalescing.commit()"
    case .bindOneWay: "try view.bind(\"text\", to: \"next.name\", of: root)"
    case .bindTwoWay: "try view.bind(\"text\", to: \"next.name\", of: root, options: .twoWay)"
    case .unbind: "view.unbindAll()"
    }
  }
}

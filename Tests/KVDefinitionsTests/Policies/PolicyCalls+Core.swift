import KVBinding
import KVCore
import KVQuery

extension PolicyCall {
  /// The calls of KVCore.
  static let core: [PolicyCall] = reading + writing + views + ordering

  private static let reading: [PolicyCall] = [
    PolicyCall("KVC.value(of:forKeyPath:)") { $0.out(try KVC.value(of: $0.store, forKeyPath: $0.path)) },
    PolicyCall("KVC.value(of:forKeyPath:as:)") {
      $0.out(try KVC.value(of: $0.store, forKeyPath: $0.path, as: Any?.self))
    },
    PolicyCall("KeyValueCoding.value(forKeyPath:)") { $0.out(try $0.store.value(forKeyPath: $0.path)) },
    PolicyCall("KeyValueCoding.value(forKeyPath:)") {
      $0.out(try StoreCrate(store: $0.store).value(forKeyPath: $0.policy.keyPath("store").appending($0.path)))
    },
    PolicyCall("KeyValueCoding.value(forKeyPath:as:)") {
      $0.out(try $0.store.value(forKeyPath: $0.path, as: Any?.self))
    },
    PolicyCall("KeyValueCoding.value(forKeyPath:as:)") {
      $0.out(
        try StoreCrate(store: $0.store).value(forKeyPath: $0.policy.keyPath("store").appending($0.path), as: Any?.self))
    },
    PolicyCall("KVC.canConvert(_:forKeyPath:of:)") {
      $0.out(try KVC.canConvert($0.newValue, forKeyPath: $0.path, of: $0.store))
      $0.out(try KVC.canConvert(nil, forKeyPath: $0.path, of: StoreCrate(store: $0.store).store))
    },
    PolicyCall("KVC.validate(_:forKeyPath:of:)") {
      $0.out(try KVC.validate($0.newValue, forKeyPath: $0.path, of: $0.store))
    },
    PolicyCall("KeyValueCoding.validate(_:forKeyPath:)") { $0.out(try $0.store.validate(nil, forKeyPath: $0.path)) },
    PolicyCall("KVExpression.key(_:)") { $0.out(try KVExpression.key($0.path).value(of: $0.store)) },
    PolicyCall("KVPredicate.StringInterpolation.appendInterpolation(key:)") {
      let predicate: KVPredicate = "ANY \(key: $0.path) == 987654"
      $0.out(try predicate.evaluate(with: $0.store))
    },
    PolicyCall("KVPredicate.limited(by:functions:allowsMatching:allowsSubqueries:)") {
      $0.out(try KVPredicate(format: "ANY %K == 987654", $0.text).limited(by: $0.policy).evaluate(with: $0.store))
    },
    PolicyCall("KVExpression.limited(by:functions:allowsMatching:allowsSubqueries:)") {
      $0.out(try KVExpression(format: "%K", $0.text).limited(by: $0.policy).value(of: $0.store))
    },
    PolicyCall("KVKeyPath.appending(_:)") {
      let path = try $0.policy.keyPath($0.path.components.first?.description ?? "")
      let rest = try KVKeyPath(components: Array($0.path.components.dropFirst()))
      $0.out(try $0.store.value(forKeyPath: path.appending(rest)))
    },
    PolicyCall("KVKeyPath.appending(_:)") {
      guard let parent = $0.path.parent else { return }
      $0.out(try $0.store.value(forKeyPath: parent.appending($0.path.last)))
    },
    PolicyCall("KVKeyPath.dropping(prefix:)") {
      let first = try KVKeyPath(components: [$0.path.first])
      guard let rest = $0.path.dropping(prefix: first), let value = try $0.store.value(forKeyPath: first) else {
        return
      }
      $0.out(try KVC.value(of: value, forKeyPath: rest))
    },
    PolicyCall("KVPolicy.keyPath(_:)") {
      $0.out(try $0.store.value(forKeyPath: $0.policy.keyPath($0.path.description)))
    },
  ]

  private static let writing: [PolicyCall] = [
    PolicyCall("KVC.setValue(_:forKeyPath:in:)") {
      var store = $0.store
      try KVC.setValue($0.newValue, forKeyPath: $0.path, in: &store)
    },
    PolicyCall("KVC.setValueIfResolved(_:forKeyPath:in:)") {
      var store = $0.store as Any
      $0.out(try KVC.setValueIfResolved($0.newValue, forKeyPath: $0.path, in: &store))
    },
    PolicyCall("KeyValueCoding.setValue(_:forKeyPath:)") { try $0.store.setValue($0.newValue, forKeyPath: $0.path) },
    PolicyCall("KeyValueCoding.setValue(_:forKeyPath:)") { try $0.store.setValue([2], forKeyPath: $0.path) },
    PolicyCall("KeyValueCoding.setValue(_:forKeyPath:)") {
      var crate = StoreCrate(store: $0.store)
      try crate.setValue($0.newValue, forKeyPath: $0.policy.keyPath("store").appending($0.path))
    },
    PolicyCall("KeyValueCoding.setValueIfResolved(_:forKeyPath:)") {
      $0.out(try $0.store.setValueIfResolved($0.newValue, forKeyPath: $0.path))
    },
    PolicyCall("KeyValueCoding.setValueIfResolved(_:forKeyPath:)") {
      var crate = StoreCrate(store: $0.store)
      let path = try $0.policy.keyPath("store").appending($0.path)
      $0.out(try crate.setValueIfResolved($0.newValue, forKeyPath: path))
    },
  ]

  private static let views: [PolicyCall] = [
    PolicyCall("KeyValueCoding.mutableArray(forKeyPath:file:line:)") {
      let view = try $0.store.mutableArray(forKeyPath: $0.path)
      $0.out(view.count)
      $0.out(Array(view))
      $0.out(try view.elements())
      try view.append(2)
      try view.sort(by: "self")
    },
    PolicyCall("KeyValueCoding.mutableOrderedSet(forKeyPath:file:line:)") {
      let view = try $0.store.mutableOrderedSet(forKeyPath: $0.path)
      $0.out(try view.contains(Probe.canary))
      $0.out(try view.elements())
      try view.append(2)
    },
    PolicyCall("KeyValueCoding.mutableSet(forKeyPath:file:line:)") {
      let view = try $0.store.mutableSet(forKeyPath: $0.path)
      $0.out(view.count)
      $0.out(Array(view))
      $0.out(try view.contains(Probe.canary))
      try view.add(2)
    },
    PolicyCall("KVMutableArray.sort(by:ascending:)") { try $0.depot.mutableArray(forKey: "stores").sort(by: $0.path) },
    PolicyCall("KVMutableArray.sort(by:)") {
      try $0.depot.mutableArray(forKey: "stores").sort(by: [KVSortDescriptor($0.path)])
    },
    PolicyCall("KVMutableOrderedSet.sort(by:ascending:)") {
      try $0.depot.mutableOrderedSet(forKey: "stores").sort(by: $0.path)
    },
  ]

  private static let ordering: [PolicyCall] = [
    PolicyCall("KVSortDescriptor.init(_:ascending:comparison:nils:)") {
      $0.out(try $0.depot.stores.sorted(by: [KVSortDescriptor($0.path)]).count)
    },
    PolicyCall("KVSortDescriptor.ascending(_:_:nils:)") {
      $0.out(try $0.depot.stores.isSorted(by: [.ascending($0.path)]))
    },
    PolicyCall("KVSortDescriptor.descending(_:_:nils:)") {
      $0.out(try [KVSortDescriptor.descending($0.path)].compare($0.store, $0.depot.stores[1]))
    },
    PolicyCall("KVSortDescriptor.natural(_:)") { $0.out(try $0.depot.stores.sorted(by: [.natural($0.path)]).count) },
    PolicyCall("Sequence.sorted(by:)") { $0.out(try $0.depot.stores.sorted(by: [.ascending($0.path)]).count) },
    PolicyCall("Sequence.isSorted(by:)") { $0.out(try $0.depot.stores.isSorted(by: [.descending($0.path)])) },
    PolicyCall("Array.compare(_:_:)") {
      $0.out(try [KVSortDescriptor($0.path)].compare($0.store, $0.depot.stores[1]))
    },
    PolicyCall("MutableCollection.sort(by:)") {
      var stores = $0.depot.stores
      try stores.sort(by: [KVSortDescriptor($0.path)])
    },
    PolicyCall("Sequence.grouped(by:)") { $0.out(try $0.depot.stores.grouped(by: $0.path).map { $0.key as Any? }) },
    PolicyCall("Sequence.uniqued(by:)") { $0.out(try $0.depot.stores.uniqued(by: $0.path).count) },
    PolicyCall("Sequence.filter(_:)") {
      $0.out(try $0.depot.stores.filter(KVExpression.key($0.path) == 987_654).count)
    },
    PolicyCall("KVPredicate.evaluate(with:variables:)") {
      $0.out(try (KVExpression.key($0.path) != nil).evaluate(with: $0.store))
    },
    PolicyCall("KVExpression.value(of:variables:)") {
      $0.out(try KVExpression(format: "%K.@count", $0.path).value(of: $0.store))
    },
  ]
}

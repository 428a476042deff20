import Foundation
import KVBinding
import KVControllers
import KVCore
import KVDefinitions
import KVDocuments

extension PolicyCall {
  /// The calls of KVBinding.
  static let binding: [PolicyCall] = observing + targets + bindings + lists

  private static let observing: [PolicyCall] = [
    PolicyCall("KVObservable.observe(_:options:file:line:handler:)") { attempt in
      attempt.observed(
        try attempt.store.observe(attempt.path, options: [.old, .new, .initial]) { attempt.out($0.new ?? $0.old) })
    },
    PolicyCall("KVObservable.observe(_:options:file:line:handler:)") { attempt in
      attempt.observed(
        try attempt.store.observe(attempt.path, options: [.prior, .old]) { _, change in attempt.out(change.old) })
    },
    PolicyCall("KVObservable.observe(_:options:file:line:handler:)") { attempt in
      attempt.observed(try attempt.store.observe([attempt.path], options: [.new]) { attempt.out($0.new) })
    },
    PolicyCall("KVObservable.observe(_:as:options:file:line:handler:)") { attempt in
      attempt.observed(try attempt.store.observe(attempt.path, as: Int.self) { attempt.out($0.new) })
    },
    PolicyCall("KVObservable.observe(_:as:options:owner:file:line:handler:)") { attempt in
      attempt.observed(
        try attempt.store.observe(attempt.path, as: [Int].self, owner: attempt.tag) { attempt.out($1.new) })
    },
    PolicyCall("KVObservable.observe(_:options:owner:file:line:handler:)") { attempt in
      attempt.observed(try attempt.store.observe(attempt.path, owner: attempt.tag) { attempt.out($1.new) })
    },
    PolicyCall("KVObservable.observe(_:options:owner:file:line:handler:)") { attempt in
      attempt.observed(try attempt.store.observe([attempt.path], owner: attempt.tag) { attempt.out($1.new) })
    },
    PolicyCall("KVObservable.observe(_:options:file:line:handler:) of a formula") { attempt in
      attempt.observed(
        try attempt.store.observe(KVExpression.key(attempt.path), options: [.old, .new, .initial]) {
          attempt.out($0.new ?? $0.old)
        })
    },
    PolicyCall("KVObservable.observe(_:options:owner:file:line:handler:) of a formula") { attempt in
      attempt.observed(
        try attempt.store.observe(KVExpression.key(attempt.path) != nil, owner: attempt.tag) { attempt.out($1.new) })
    },
    PolicyCall("KVFormula.init(_:of:)") { attempt in
      let formula = try KVFormula(KVExpression.key(attempt.path), of: attempt.store)
      attempt.out(try formula.value)
      attempt.observed(try formula.observe("value") { attempt.out($0.new) })
    },
    PolicyCall("KVObservable.observeElements(of:_:options:file:line:handler:)") { attempt in
      attempt.observed(
        try attempt.depot.observeElements(of: "stores", attempt.path, options: [.initial, .new, .old]) {
          attempt.out($0.new)
        })
    },
    PolicyCall("KVObservable.observeElements(of:_:options:owner:file:line:handler:)") { attempt in
      attempt.observed(
        try attempt.store.observeElements(of: attempt.path, "self", owner: attempt.tag) { attempt.out($1.new) })
    },
    PolicyCall("KeyValueCoding.observe(_:options:on:file:line:handler:)") { attempt in
      let crate = ObservedCrate(attempt.store)
      let path = try attempt.policy.keyPath("store").appending(attempt.path)
      let token = try crate.observe(path, options: [.initial, .new], on: ImmediateExecutor()) { attempt.out($0.new) }
      crate.store = Store()
      token.cancel()
    },
    PolicyCall("KeyValueCoding.observe(_:options:on:owner:file:line:handler:)") { attempt in
      let crate = ObservedCrate(attempt.store)
      let path = try attempt.policy.keyPath("store").appending(attempt.path)
      try crate.observe(path, on: ImmediateExecutor(), owner: attempt.tag) { attempt.out($1.new) }
      crate.store = Store()
    },
    PolicyCall("KVObservable.changes(of:options:buffering:file:line:)") { attempt in
      _ = try attempt.store.changes(of: attempt.path, options: [.initial, .new])
      attempt.touch()
    },
    PolicyCall("KVObservable.changes(of:as:options:buffering:file:line:)") { attempt in
      _ = try attempt.store.changes(of: attempt.path, as: Int.self)
      attempt.touch()
    },
    PolicyCall("KVObserver.observe(_:_:options:file:line:handler:)") { attempt in
      attempt.observed(try attempt.tag.observe(attempt.store, attempt.path) { attempt.out([$1, $2]) })
    },
    PolicyCall("KVObserver.observe(_:_:options:file:line:handler:)") { attempt in
      attempt.observed(try attempt.tag.observe(attempt.store, [attempt.path]) { attempt.out([$2, $3]) })
    },
    PolicyCall("KVObserver.observeRelationship(_:_:options:file:line:change:insertion:removal:replacement:)") {
      attempt in
      attempt.observed(
        try attempt.tag.observeRelationship(
          attempt.store, attempt.path, change: { attempt.out([$1, $2]) }, insertion: { attempt.out($1 + [$2 as Any]) },
          removal: { attempt.out($1 + [$2 as Any]) }))
    },
    PolicyCall("KVObserver.removeObservations(of:forKeyPath:)") {
      try $0.tag.removeObservations(of: $0.store, forKeyPath: $0.path)
    },
    PolicyCall("KVDiagnostics.observations(of:forKeyPath:)") {
      $0.out(try KVDiagnostics.observations(of: $0.store, forKeyPath: $0.path).count)
    },
  ]

  private static let targets: [PolicyCall] = [
    PolicyCall("KVObservable.addTarget(_:_:forKeyPath:options:file:line:)") { attempt in
      let action = KVAction<Tag>("take") { _, change in attempt.out(change.new) }
      attempt.observed(try attempt.store.addTarget(attempt.tag, action, forKeyPath: attempt.path, options: [.new]))
    },
    PolicyCall("KVObservable.addTarget(_:_:forKeyPaths:options:file:line:)") { attempt in
      let action = KVAction<Tag>("take") { _, change in attempt.out(change.new) }
      attempt.observed(try attempt.store.addTarget(attempt.tag, action, forKeyPaths: [attempt.path], options: [.new]))
    },
    PolicyCall("KVObservable.removeTarget(_:_:forKeyPath:)") {
      try $0.store.removeTarget($0.tag, KVAction<Tag>("take") { _ in }, forKeyPath: $0.path)
    },
    PolicyCall("KVObservable.removeTarget(_:forKeyPath:)") { try $0.store.removeTarget($0.tag, forKeyPath: $0.path) },
    PolicyCall("KVObservable.removeTarget(_:_:forKeyPaths:)") {
      $0.store.removeTarget($0.tag, KVAction<Tag>("take") { _ in }, forKeyPaths: [$0.path])
    },
    PolicyCall("KVObservable.removeTarget(_:forKeyPaths:)") { $0.store.removeTarget($0.tag, forKeyPaths: [$0.path]) },
  ]

  private static let bindings: [PolicyCall] = [
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:)") {
      $0.bound(try $0.tag.bind("anything", to: $0.path, of: $0.store, options: .twoWay))
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:)") {
      $0.bound(try $0.tag.bind("anything", to: $0.text, of: $0.store, options: $0.options))
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:)") {
      $0.tag.anything = $0.newValue
      $0.bound(try $0.store.bind($0.text, to: "anything", of: $0.tag, options: $0.options))
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:)") {
      $0.bound(try $0.tag.bind("anything", to: KVExpression.key($0.path), of: $0.store))
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:)") {
      $0.bound(try $0.tag.bind("anything", to: KVExpression.key($0.text), of: $0.store, options: $0.options))
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:)") {
      $0.bound(try $0.tag.bind("anything", to: KVExpression.key($0.text) != nil, of: $0.store, options: $0.options))
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:transform:)") {
      $0.bound(
        try $0.tag.bind("anything", to: $0.text, of: $0.store, options: $0.options) { (value: Any) in "\(value)" })
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:transform:)") {
      let expression = try KVExpression.key($0.text)
      $0.bound(
        try $0.tag.bind("anything", to: expression, of: $0.store, options: $0.options) { (value: Any) in "\(value)" })
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:transform:)") {
      $0.bound(
        try $0.tag.bind("anything", to: $0.text, of: $0.store, options: $0.options) { (value: Int?) in value ?? 0 })
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:transform:)") {
      $0.bound(try $0.tag.bind("anything", to: $0.path, of: $0.store) { (value: [Int]) in value })
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:transform:reverse:)") {
      $0.bound(
        try $0.tag.bind(
          "anything", to: $0.text, of: $0.store, options: .init(.twoWay, policy: $0.policy),
          transform: { (value: Int) in value }, reverse: { (value: Int) in value }))
    },
    PolicyCall("KeyValueCoding.bind(_:to:of:options:file:line:transform:reverse:)") {
      $0.bound(
        try $0.tag.bind(
          "anything", to: $0.text, of: $0.store, options: .init(.twoWay, policy: $0.policy),
          transform: { (value: Int) in "\(value)" }, reverse: { Int($0) }))
    },
    PolicyCall("KeyValueCoding.bind(_:toAll:by:options:file:line:)") {
      $0.bound(
        try $0.tag.bind(
          "anything", toAll: [KVBindingSource($0.store, $0.text)], by: KVCombiner { $0 }, options: $0.options))
    },
    PolicyCall("KVBindingSource.init(_:_:)") {
      $0.bound(try $0.tag.bind("anything", toAll: [KVBindingSource($0.store, $0.path)], by: KVCombiner { $0 }))
    },
    PolicyCall("KVPathBinding.init(from:_:to:_:options:file:line:)") {
      $0.bound(
        try KVPathBinding(
          from: $0.store, $0.text, to: $0.tag, "anything", options: .init(.twoWay, policy: $0.policy)))
    },
    PolicyCall(
      "KVBindingDefinition.init(key:_:ofSource:to:ofTarget:direction:transformerName:initialSync:nullPlaceholder:"
        + "fallback:noSelection:multipleValues:notApplicable:allowsEditingMultipleValues:validates:skipsEqual:trigger:)"
    ) {
      let definition = KVBindingDefinition(try $0.text, to: "anything", direction: .twoWay)
      let set = try KVBindingSet([definition], owner: $0.store, target: $0.tag, options: $0.options)
      for binding in set.bindings { $0.bound(binding) }
    },
    PolicyCall("KVTreeNode.bindTo(_:_:options:updating:file:line:)") {
      $0.bound(
        try $0.tag.bindTo("dataObject.\($0.path)", "anything", options: .init(.twoWay, policy: $0.policy)))
    },
    PolicyCall("KVTreeNode.unbindTo(_:)") { $0.out(try $0.tag.unbindTo($0.path)) },
    PolicyCall("KeyValueCoding.bindings(to:)") { $0.out(try $0.store.bindings(to: $0.path).count) },
    PolicyCall("KeyValueCoding.unbind(_:from:of:)") { $0.out(try $0.tag.unbind($0.path, from: $0.path, of: $0.store)) },
    PolicyCall("KVObjectController.bindContent(to:of:file:line:)") {
      let controller = KVObjectController<Drawer>()
      _ = try controller.bindContent(to: $0.path, of: $0.store)
      $0.touch()
      $0.out(controller.content)
    },
    PolicyCall("KVArrayController.bindContent(to:of:forMultipleSelection:selectsAll:file:line:)") {
      let controller = KVArrayController<Int>()
      _ = try controller.bindContent(to: $0.path, of: $0.store, forMultipleSelection: $0.path)
      $0.touch()
      $0.out(controller.content)
    },
    PolicyCall("KVTreeController.bindContent(to:of:file:line:)") {
      let controller = KVTreeController<Store>()
      _ = try controller.bindContent(to: $0.path, of: $0.store)
      $0.touch()
      $0.out(controller.content.count)
    },
    PolicyCall("KVTreeController.init(childrenKeyPath:countKeyPath:leafKeyPath:newObject:)") {
      let controller = KVTreeController<Store>(childrenKeyPath: $0.path, countKeyPath: $0.path, leafKeyPath: $0.path)
      controller.content = [$0.store]
      let node = controller.arrangedObjects.childNodes.first
      $0.out(node?.childNodes.count)
      $0.out(node?.isLeaf)
      $0.touch()
    },
    PolicyCall("KVSelection.subscript(_:)") {
      let controller = KVArrayController<Store>()
      controller.content = [$0.store]
      controller.selectionIndexes = [0]
      $0.out(controller.selection[$0.path])
    },
  ]

  private static let lists: [PolicyCall] = [
    PolicyCall("KVArrangement.init(of:in:sortedBy:where:file:line:)") {
      let arrangement = try KVArrangement<Int>(of: $0.path, in: $0.store)
      $0.touch()
      $0.out(arrangement.elements)
    },
    PolicyCall("KVArrangement.arrange(by:where:)", forms: [""]) {
      let arrangement = try KVArrangement<Store>(of: "stores", in: $0.depot)
      try arrangement.arrange(by: [KVSortDescriptor($0.path)], where: KVPredicate(reading: [$0.path]) { _ in true })
      $0.touch()
      $0.out(arrangement.elements.count)
    },
    PolicyCall("KVGroups.init(of:in:by:sortedBy:where:file:line:)") {
      let groups = try KVGroups<Int>(of: $0.path, in: $0.store, by: "self")
      $0.touch()
      $0.out(groups.groups.map(\.key))
    },
    PolicyCall("KVGroups.arrange(by:where:)", forms: [""]) {
      let groups = try KVGroups<Store>(of: "stores", in: $0.depot, by: KVSortDescriptor($0.path))
      $0.touch()
      $0.out(groups.groups.map(\.key))
    },
    PolicyCall("KVPredicate.init(reading:_:)") {
      let controller = KVArrayController<Store>()
      controller.content = $0.depot.stores
      controller.filterPredicate = KVPredicate(reading: [$0.path]) { _ in true }
      $0.touch()
      $0.out(controller.arrangedObjects.count)
    },
    PolicyCall("KVArrayController.sortDescriptors") {
      let controller = KVArrayController<Store>()
      controller.content = $0.depot.stores
      controller.sortDescriptors = [KVSortDescriptor($0.path)]
      $0.touch()
      $0.out(controller.arrangedObjects.count)
    },
    PolicyCall("KVObservingListSection.observe(_:of:file:line:)") {
      let section = KVObservingListSection<Int>()
      try section.observe($0.path, of: $0.store)
      $0.touch()
      $0.out((0..<section.rowCount).count)
    },
    PolicyCall("KVDocumentExcerpt.init(of:from:)") {
      $0.out(try KVDocumentExcerpt(of: $0.path) { Data("{}".utf8) }.keyPath.description)
    },
  ]
}

import KVBinding
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("FRM Formulas")
struct FormulaTests {
  private let node = FormulaNode(2)
  private let label = FormulaLabel()
  private let log = ChangeLines()

  private func watch(_ format: String) throws -> KVObservation {
    try node.observe(KVExpression(format: format)) { [log] in log.add($0) }
  }

  // MARK: Values

  @Test("FRM.1: a formula has the value of an expression as its key value")
  func value() throws {
    node.factor = 3
    let formula = try KVFormula(KVExpression(format: "number * factor"), of: node)
    #expect(try formula.value as? Int == 6)
    #expect(try formula.value(forKey: "value") as? Int == 6)
    #expect(try formula.value(forKeyPath: "value", as: Double.self) == 6)
    #expect(formula.subject === node && formula.expression.description == "number * factor")
  }

  @Test("FRM.1: the formula of a predicate has its truth value")
  func predicate() throws {
    try label.bind("isEnabled", to: KVPredicate(format: "number > 2 AND name != NIL"), of: node)
    #expect(!label.isEnabled)
    node.name = "a"
    #expect(!label.isEnabled)
    node.number = 3
    #expect(label.isEnabled)
  }

  @Test("FRM.1: an expression is the source of a binding, and an observed formula notifies with both values")
  func bindingAndObserver() throws {
    let token = try watch("number * factor")
    try label.bind("total", to: KVExpression(format: "number * factor"), of: node)
    #expect(label.total == 2)
    node.number = 5
    node.factor = 2
    #expect(label.total == 10)
    #expect(log.take() == ["value setting 2 → 5", "value setting 5 → 10"])
    token.cancel()
    label.unbindAll()
    expectNoObserversLeft(on: node)
  }

  @Test("FRM.1, TRN.1: a function converts the value of a formula, as the cure of one that does not fit says")
  func transformed() throws {
    let expression = try KVExpression(format: "number * factor")
    let error = #expect(throws: KVError.self) { try label.bind("text", to: expression, of: node) }
    #expect(error?.message.contains("{ (value: Int) in … }") == true, "\(error?.message ?? "")")
    try label.bind("text", to: expression, of: node) { (total: Int) in "\(total) €" }
    node.factor = 4
    #expect(label.text == "8 €")
    let both = #expect(throws: KVError.self) {
      try label.bind("text", to: expression, of: node, options: .init(transformer: .format("%d"))) { (total: Int) in
        total
      }
    }
    #expect(both?.code == .unsupported)
  }

  @Test("FRM.1: the forms with an owner and with a formula of its own observe as the form with a token does")
  func otherForms() throws {
    let expression = try KVExpression(format: "number + 1")
    try node.observe(expression, owner: label) { label, change in label.text = brief(change) }
    let formula = try KVFormula(expression, of: node)
    let typed = try formula.observe("value", as: Int.self) { [log] in log.add("typed \($0.new ?? -1)") }
    try label.bind(
      "anything", toAll: [KVBindingSource(formula, "value"), KVBindingSource(node, "factor")], by: .init { "\($0)" })
    node.number = 7
    #expect(label.text == "value setting 3 → 8")
    #expect(log.lines == ["typed 8"])
    #expect(label.anything as? String == "[Optional(8), Optional(1)]")
    withExtendedLifetime(typed) {}
  }

  @Test("FRM.1: nothing can be set through a formula, and a binding of one that would is refused")
  func readOnly() throws {
    let expression = try KVExpression(format: "number * factor")
    let formula = try KVFormula(expression, of: node)
    let error = #expect(throws: KVError.self) { try formula.setValue(1, forKeyPath: "value") }
    #expect(error?.code == .notSettable)
    let refusal = "the value of the formula \"number * factor\" cannot be set: set a key that it reads."
    #expect(error?.message == refusal)
    for options in [KVBindingOptions(.twoWay), .init(.toSource), .init(.oneWay, initialSync: .fromTarget)] {
      let error = #expect(throws: KVError.self) {
        try label.bind("total", to: expression, of: node, options: options)
      }
      #expect(error?.code == .notReversible)
      #expect(
        error?.message == """
          the binding of "total" to "number * factor" would set a formula, which has no way back. Bind one-way.
          """)
    }
    expect(.undefinedKey) { try label.bind("total", to: "other", of: formula) }
    #expect(KVDiagnostics.bindings(of: label).isEmpty)
    for options in [KVBindingOptions(.twoWay), .init(.toSource), .init(.oneWay, initialSync: .fromTarget)] {
      let error = #expect(throws: KVError.self) { try label.bind("total", to: "value", of: formula, options: options) }
      #expect(error?.code == .notSettable && error?.message.hasPrefix(refusal) == true)
    }
    expect(.notSettable) { try formula.bind("value", to: "total", of: label) }
    #expect(KVDiagnostics.bindings(of: label).isEmpty && node.number == 2)
  }

  @Test("FRM.1: a binding fails that would set a formula to which its path leads later")
  func readOnlyLater() throws {
    let formula = try KVFormula(KVExpression(format: "number * factor"), of: node)
    let refusal = "the value of the formula \"number * factor\" cannot be set"
    label.anything = nil
    let binding = try label.bind("total", to: "anything.value", of: label, options: .twoWay)
    #expect(binding.state == .unresolved)
    label.anything = formula
    #expect(binding.state == .active && label.total == 2)
    _ = capturingEvents { label.total = 99 }
    #expect(binding.state == .failed && binding.lastError?.message.hasPrefix(refusal) == true)
    label.anything = nil
  }

  // MARK: Following

  @Test("FRM.2: paths lead through nil and through objects that are replaced")
  func replacedObjects() throws {
    let token = try watch("TERNARY(next.isOpen == YES, next.number, number)")
    let (first, second) = (FormulaNode(10), FormulaNode(20))
    (first.isOpen, second.isOpen) = (true, true)
    node.next = first
    first.number = 11
    node.next = second
    first.number = 12
    second.isOpen = false
    node.next = nil
    node.number = 3
    #expect(
      log.take() == [
        "value setting 2 → 10", "value setting 10 → 11", "value setting 11 → 20", "value setting 20 → 2",
        "value setting 2 → 3",
      ])
    token.cancel()
    for node in [node, first, second] { expectNoObserversLeft(on: node) }
  }

  @Test(
    "FRM.2: elements of collections are followed, by membership and by key",
    arguments: [
      "sum(kids.product)", "kids.@sum.product", "SUBQUERY(kids, $k, $k.product > 0).@sum.product",
      "sum(spares.product)",
      "sum(next.kids.product)",
    ])
  func elements(format: String) throws {
    let (holder, kid, other) = (format.contains("next") ? FormulaNode() : node, FormulaNode(4), FormulaNode(5))
    let token = try watch("0 + \(format)")
    if holder !== node { node.next = holder }
    func set(_ nodes: [FormulaNode]) {
      if format.contains("spares") { holder.spares = nodes } else { holder.kids = nodes }
    }
    set([kid])
    kid.number = 6
    set([kid, other])
    other.factor = 2
    set([other])
    kid.number = 100
    #expect(
      log.take().suffix(5) == [
        "value setting 0 → 4", "value setting 4 → 6", "value setting 6 → 11", "value setting 11 → 16",
        "value setting 16 → 10",
      ])
    token.cancel()
    for node in [node, holder, kid, other] { expectNoObserversLeft(on: node) }
  }

  @Test("FRM.2: elements of elements are followed, and elements that are in two collections")
  func nestedElements() throws {
    let (kid, grandchild) = (FormulaNode(), FormulaNode(4))
    kid.kids = [grandchild]
    node.kids = [kid, kid]
    let token = try watch("count(SUBQUERY(kids, $k, ANY $k.kids.number > 5))")
    grandchild.number = 6
    kid.kids = []
    kid.kids = [grandchild]
    node.kids = [kid]
    grandchild.number = 5
    #expect(
      log.take() == [
        "value setting 0 → 2", "value setting 2 → 0", "value setting 0 → 2", "value setting 2 → 1",
        "value setting 1 → 0",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("FRM.2: a path through elements to an operator is followed from collections that exist")
  func operatorBehindElements() throws {
    let (kid, grandchild) = (FormulaNode(), FormulaNode(4))
    node.kids = [kid]
    kid.kids = [grandchild]
    let token = try watch("count(kids.kids.@unionOfArrays.number)")
    kid.kids = [grandchild, FormulaNode(1)]
    #expect(log.take() == ["value setting 1 → 2"])
    token.cancel()
    expectNoObserversLeft(on: kid)
  }

  @Test("FRM.2: so is one whose collections appear later, through nil on the way")
  func operatorBehindLaterElements() throws {
    let (kid, grandchild) = (FormulaNode(), FormulaNode(4))
    kid.spares = [grandchild]
    let events = try capturingEvents {
      let near = try watch("count(spares.spares.@unionOfArrays.number)")
      let far = try watch("sum(next.spares.kids.number.@unionOfArrays.self)")
      node.spares = [kid]
      #expect(log.take() == ["value setting 0 → 1"])
      kid.spares = [grandchild, FormulaNode(1)]
      #expect(log.take() == ["value setting 1 → 2"])
      node.spares = nil
      #expect(log.take() == ["value setting 2 → 0"])
      kid.spares = []
      node.spares = [kid]
      kid.spares = [grandchild]
      #expect(log.take() == ["value setting 0 → 1"])
      let holder = FormulaNode()
      node.next = holder
      kid.kids = [grandchild]
      holder.spares = [kid]
      #expect(log.take() == ["value setting 0 → 4"])
      grandchild.number = 5
      #expect(log.take() == ["value setting 4 → 5"])
      near.cancel()
      far.cancel()
      expectNoObserversLeft(on: holder)
    }
    #expect(events.about(node).isEmpty)
    for node in [node, kid, grandchild] { expectNoObserversLeft(on: node) }
  }

  @Test("FRM.2: entries, indexes and computed indexes are followed")
  func entries() throws {
    node.numbers = [1, 2, 3]
    let token = try watch("entries.a + numbers[0] + numbers[number]")
    node.entries = ["a": 10]
    node.number = 1
    node.numbers = [5, 5]
    #expect(log.take() == ["value setting nil → 14", "value setting 14 → 13", "value setting 13 → 20"])
    withExtendedLifetime(token) {}
  }

  @Test("FRM.2: a path behind the value follows the objects to which the value leads")
  func behindTheValue() throws {
    let (first, second) = (FormulaNode(10), FormulaNode(20))
    node.next = first
    node.kids = [second]
    let formula = try KVFormula(KVExpression(format: "TERNARY(isOpen == YES, next, kids[FIRST])"), of: node)
    let token = try log.watch(formula, "value.number", [.old, .new, .distinct])
    second.number = 21
    node.isOpen = true
    second.number = 22
    first.number = 11
    #expect(
      log.take() == [
        "value.number setting 20 → 21", "value.number setting 21 → 10", "value.number setting 10 → 11",
      ])
    #expect(try formula.value(forKeyPath: "value.number") as? Int == 11)
    withExtendedLifetime(token) {}
  }

  @Test("FRM.2: a formula of a formula, and a dependent key of a model, are followed")
  func chains() throws {
    let double = try KVFormula(KVExpression(format: "product * 2"), of: node)
    let token = try double.observe(KVExpression(format: "value + 1")) { [log] in log.add($0) }
    node.number = 4
    #expect(log.take() == ["value setting 5 → 9"])
    withExtendedLifetime(token) {}
  }

  @Test("FRM.2, WAV.4: a change of two paths in one wave notifies once, and a binding has one turn")
  func waves() throws {
    let source = FormulaNode(1)
    try node.bind("number", to: "number", of: source)
    try node.bind("factor", to: "number", of: source)
    let kid = FormulaNode(1)
    node.kids = [kid]
    try kid.bind("number", to: "number", of: source)
    let token = try watch("number * factor + sum(kids.number)")
    try label.bind("total", to: KVExpression(format: "number * factor + sum(kids.number)"), of: node)
    var sets = 0
    let counter = try label.observe("total") { _ in sets += 1 }
    source.number = 5
    #expect(log.take() == ["value setting 2 → 30"])
    #expect(label.total == 30 && sets == 1)
    withExtendedLifetime([token, counter]) {}
  }

  @Test("FRM.2, WAV.3: cells of a record that follow each other are set once, each after those that it reads")
  func cells() throws {
    let cells = try KVRecord(["A1": 3, "A2": 4])
    try cells.bind("B1", to: KVExpression(format: "A1 * A2 + 1"), of: cells)
    try cells.bind("B2", to: KVExpression(format: "sum({A1, A2, B1})"), of: cells)
    let tokens = try ["B1", "B2"].map { key in try cells.observe(key) { [log] in log.add($0) } }
    cells["A1"] = 5
    #expect(log.take() == ["B1 setting 13 → 21", "B2 setting 20 → 30"])
    cells["A3"] = 1
    #expect(log.take() == [])
    tokens.forEach { $0.cancel() }
  }

  @Test("FRM.2: in a coalescing scope and in a transaction that fails, a formula notifies as any key")
  func scopes() throws {
    let token = try node.observe(KVExpression(format: "number * factor"), options: [.old, .new, .distinct, .coalesced])
    {
      [log] in log.add($0)
    }
    KVCoalescing.coalesce {
      node.number = 5
      node.factor = 3
    }
    #expect(log.take() == ["value setting 2 → 15"])
    struct Failure: Error {}
    #expect(throws: (any Error).self) {
      try KVTransaction.run {
        try node.setValue(1, forKey: "number")
        throw Failure()
      }
    }
    #expect(node.number == 5 && log.take().isEmpty)
    withExtendedLifetime(token) {}
  }

  // MARK: Options

  @Test("FRM.3: an observation of an expression notifies of changes of its value only, by default")
  func distinct() throws {
    let token = try node.observe(KVPredicate(format: "number > 3")) { [log] in log.add($0) }
    let formula = try KVFormula(KVPredicate(format: "number > 3"), of: node)
    let other = try log.watch(formula, "value", as: "key")
    node.number = 3
    node.number = 4
    #expect(
      log.take() == [
        "key: value setting false → false", "value setting false → true", "key: value setting false → true",
      ])
    withExtendedLifetime([token, other]) {}
  }

  // MARK: Lifetimes

  @Test("FRM.4: a formula ends with its object: its observations and bindings end, and its value is nil")
  func subjectEnds() throws {
    var subject: FormulaNode? = FormulaNode(3)
    let expression = try KVExpression(format: "number * 2")
    let formula = try KVFormula(expression, of: subject!)
    let token = try subject!.observe(expression) { [log] in log.add($0) }
    let binding = try label.bind("total", to: expression, of: subject!)
    let constant = try label.bind("text", to: KVExpression(format: "'a'"), of: subject!)
    #expect(token.isActive && binding.state == .active)
    weak let weakSubject = subject
    subject = nil
    #expect(weakSubject == nil)
    #expect(!token.isActive && binding.state == .ended && constant.state == .ended)
    #expect(try formula.value == nil && formula.subject == nil)
    #expect(label.total == 6 && log.lines == [] && KVDiagnostics.bindings(of: label).isEmpty)
    let late = try log.watch(formula, "value")
    withExtendedLifetime(late) {}
  }

  @Test("FRM.4: a formula is released with the observation or the binding that made it")
  func release() throws {
    weak var formula: KVFormula?
    let expression = try KVExpression(format: "number * 2")
    do {
      let token = try node.observe(expression, options: [.initial, .new]) { formula = $0.object as? KVFormula }
      #expect(formula != nil)
      withExtendedLifetime(token) {}
    }
    #expect(formula == nil)
    do {
      let target = FormulaLabel()
      let binding = try target.bind("total", to: expression, of: node)
      formula = binding.source.object as? KVFormula
      #expect(formula != nil)
    }
    #expect(formula == nil)
    expectNoObserversLeft(on: node)
  }

  @Test("FRM.4: a binding of a formula names the expression")
  func description() throws {
    let binding = try label.bind("total", to: KVExpression(format: "number * 2"), of: node)
    #expect(binding.description.hasPrefix("FormulaNode[number * 2].value → FormulaLabel.total [active]"))
    #expect(KVDiagnostics.bindings(of: label).count == 1)
  }

  // MARK: Errors

  @Test("FRM.5: what cannot be followed is refused, with the part and the cure")
  func refused() throws {
    func message(_ format: String) -> String? {
      #expect(throws: KVError.self) { try KVFormula(KVExpression(format: format), of: node) }?.message
    }
    #expect(
      message("number + $x") == """
        changes of "number + $x" cannot be followed: it uses the variable $x, which has no value. Write the value instead.
        """)
    #expect(
      message("kids[number].number + 1") == """
        changes of "kids[number].number + 1" cannot be followed: it reads a key of a computed value: kids[number].number. Name \
        the key by a path from the object, or declare a key for the value.
        """)
    expect(.undefinedKey) { _ = try KVFormula(KVExpression(format: "number + numbr"), of: node) }
    node.kids = [FormulaNode()]
    expect(.undefinedKey) { _ = try KVFormula(KVExpression(format: "sum(kids.numbr)"), of: node) }
    expectNoObserversLeft(on: node)
  }

  @Test("FRM.5: an expression whose keys never notify is refused, and one without keys is a constant")
  func silent() throws {
    final class Silent: KVObject {
      let size = 3
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Silent.self) { key in key("size", \.size) }
      }
    }
    expect(.notObservable) { _ = try KVFormula(KVExpression(format: "size * 2"), of: Silent()) }
    try label.bind("total", to: KVExpression(format: "1 + 2"), of: node)
    #expect(label.total == 3)
    let token = try watch("1 + 2")
    node.number = 5
    #expect(log.lines == [])
    withExtendedLifetime(token) {}
  }

  @Test("FRM.6: an error of the evaluation is thrown by bind, and is the error of the binding later")
  func errorsOfBindings() throws {
    let expression = try KVExpression(format: "100 / number")
    node.number = 0
    expect(.operatorFailed) { try label.bind("total", to: expression, of: node) }
    #expect(KVDiagnostics.bindings(of: label).isEmpty)
    node.number = 5
    let binding = try label.bind("total", to: expression, of: node)
    _ = capturingEvents { node.number = 0 }
    #expect(binding.state == .failed && binding.lastError?.code == .operatorFailed && label.total == 20)
    node.number = 4
    #expect(binding.state == .active && label.total == 25)
  }

  @Test("FRM.6: an observed value that cannot be evaluated is nil, and the error is reported")
  func errorsOfObservations() throws {
    node.number = 5
    let formula = try KVFormula(KVExpression(format: "100 / number"), of: node)
    let token = try log.watch(formula, "value")
    let events = capturingEvents { node.number = 0 }
    #expect(log.take() == ["value setting 20 → nil"])
    #expect(events.about(formula).map(\.level) == [.error])
    _ = capturingEvents { node.number = 4 }
    #expect(log.take() == ["value setting nil → 25"])
    expect(.operatorFailed) {
      node.number = 0
      _ = try formula.value
    }
    withExtendedLifetime(token) {}
  }

  // MARK: Policies

  @Test("FRM.7: a formula obeys the policy of its paths, and the option policy of a binding")
  func policies() throws {
    var policy = KVPolicy("cells")
    try policy.allow(FormulaNode.self, keys: ["number", "next"])
    try policy.allow(FormulaLabel.self, keys: ["total"], writing: ["total"])
    let permitted = try KVExpression(format: "abs(number) + 1")
    let denied = try KVExpression(format: "number * factor")
    for expression in [try denied.limited(by: policy), try KVExpression(format: "next.factor").limited(by: policy)] {
      node.next = FormulaNode()
      expect(.notPermitted) { _ = try KVFormula(expression, of: node) }
      expect(.notPermitted) { _ = try node.observe(expression) { _ in } }
      expect(.notPermitted) { try label.bind("total", to: expression, of: node) }
    }
    expect(.notPermitted) { try label.bind("total", to: denied, of: node, options: .init(policy: policy)) }
    expect(.notPermitted) {
      try label.bind("total", to: KVPredicate(format: "factor > 1"), of: node, options: .init(policy: policy))
    }
    expect(.unsupported) {
      try label.bind(
        "isEnabled", to: KVPredicate(reading: ["number"]) { _ in true }, of: node, options: .init(policy: policy))
    }
    try label.bind("total", to: permitted, of: node, options: .init(policy: policy))
    node.number = 5
    #expect(label.total == 6)
  }

  @Test("FRM.7: an object that appears later on a path with a policy is checked then")
  func latePolicies() throws {
    var policy = KVPolicy("cells")
    try policy.allow(FormulaNode.self, keys: ["number", "next"])
    let token = try node.observe(KVExpression(format: "next.factor").limited(by: policy)) { [log] in log.add($0) }
    let events = capturingEvents { node.next = FormulaNode() }
    #expect(log.take().isEmpty)
    #expect(events.contains { $0.message.contains("permits") || $0.message.contains("not permitted") })
    withExtendedLifetime(token) {}
  }
}

import KVBinding
import KVControllers
import KVCore

/// An object of a small graph: numbers, and further nodes in all kinds of properties.
@KVModel final class FormulaNode: KVObject {
  var number = 0
  var factor = 1
  var isOpen = false
  var name: String?
  var next: FormulaNode?
  var kids: [FormulaNode] = []
  var spares: [FormulaNode]?
  var entries: [String: Int] = [:]
  var numbers: [Int] = []

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }

  var product: Int { number * factor }
}

/// What formulas are bound to.
@KVModel final class FormulaLabel: KVObject {
  var total = 0
  var text: String?
  var isEnabled = false
  var anything: Any?
}

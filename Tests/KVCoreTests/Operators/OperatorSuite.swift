import KVCore
import Testing

/// Returns three items, two of the same name.
func operatorItems() -> [ShopItem] {
  [
    ShopItem("tea", price: 3, quantity: 3), ShopItem("coffee", price: 1.5, quantity: 1),
    ShopItem("tea", price: 2, quantity: 2),
  ]
}

/// A suite on operators, with short ways to evaluate a path.
protocol OperatorSuite {}

extension OperatorSuite {
  func value(_ root: Any, _ path: String) throws(KVError) -> Any? {
    try KVC.value(of: root, forKeyPath: path)
  }

  /// Expects a number of exactly one type.
  func expect<Value: Equatable>(
    _ root: Any, _ path: String, is expected: Value, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try value(root, path)
    #expect(
      found.map { type(of: $0) == Value.self } ?? false, "\(path): \(String(describing: found))",
      sourceLocation: location)
    #expect(found as? Value == expected, "\(path)", sourceLocation: location)
  }

  func code(_ root: Any, _ path: String) -> KVError.Code? {
    do throws(KVError) {
      _ = try value(root, path)
      return nil
    } catch {
      return error.code
    }
  }
}

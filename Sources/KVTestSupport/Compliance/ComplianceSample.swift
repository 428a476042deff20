import KVBinding
import KVCore

/// A sample of the inspected type: an object, or a value that is changed in place.
final class ComplianceSample {
  private(set) var model: any KeyValueCoding

  init(_ model: any KeyValueCoding) { self.model = model }

  var observable: (any KVObservable)? { model as? any KVObservable }

  func value(_ key: String) throws(KVError) -> Any? { try model.value(forKey: key) }

  func set(_ value: Any?, _ key: String) throws(KVError) { try model.setValue(value, forKey: key) }

  func set(_ value: Any?, path: KVKeyPath) throws(KVError) { try model.setValue(value, forKeyPath: path) }

  /// Changes a key in its own way.
  func change(_ key: ComplianceKey, to value: Any?) throws(KVError) {
    switch key.writeAccess {
    case .byKey: try set(value, key.name)
    case .inSwift: setInSwift(value, key)
    case nil: break
    }
  }

  /// Sets the property of a key in Swift, bypassing the table.
  func setInSwift(_ value: Any?, _ key: ComplianceKey) {
    guard let path = key.nativePath else { return }
    let model = model
    func open<Root>(_ root: Root.Type) {
      func open<Value>(_ type: Value.Type) {
        guard
          let path = path as? ReferenceWritableKeyPath<Root, Value>, let object = model as? Root,
          let value = try? Coercion().convert(value, to: Value.self)
        else { return }
        object[keyPath: path] = value
      }
      _openExistential(type(of: path).valueType, do: open)
    }
    _openExistential(type(of: path).rootType, do: open)
  }

  /// Returns the values of the keys that can be read.
  func values(of keys: [ComplianceKey]) -> [String: Any?] {
    var values: [String: Any?] = [:]
    for key in keys {
      do throws(KVError) { values.updateValue(try value(key.name), forKey: key.name) } catch { continue }
    }
    return values
  }
}

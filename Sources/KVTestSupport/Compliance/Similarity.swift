import KVBinding
import KVCore

/// The similarity of values for the checks: they are equal by CO.7, both NaN, or structs of one type whose keys are
/// similar.
enum Similarity {
  static func areAlike(_ left: Any?, _ right: Any?, depth: Int = 0) -> Bool {
    if Equality.areSame(left, right) { return true }
    guard let left, let right, depth < 20, type(of: left) == type(of: right) else { return false }
    if let elements = try? DynamicCollection.all(of: left), let others = try? DynamicCollection.all(of: right) {
      guard DynamicCollection.canBeMapped(left), !(left is any SetAlgebra), elements.count == others.count else {
        return false
      }
      return zip(elements, others).allSatisfy { areAlike($0, $1, depth: depth + 1) }
    }
    guard !(left is any Equatable), !TypeInfo.of(left).isObject, let keys = try? KVC.keys(of: left), !keys.isEmpty
    else {
      return false
    }
    return keys.allSatisfy { key in
      do throws(KVError) {
        let one = try KVC.value(of: left, forKeyPath: KVKeyPath(singleKey: key.name))
        let other = try KVC.value(of: right, forKeyPath: KVKeyPath(singleKey: key.name))
        return areAlike(one, other, depth: depth + 1)
      } catch {
        return false
      }
    }
  }

  /// Returns whether a value can be compared: it is similar to itself.
  static func isComparable(_ value: Any?) -> Bool { areAlike(value, value) }
}

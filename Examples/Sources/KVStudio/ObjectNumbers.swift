import KVBinding

/// The numbers by which pages name objects: an index is that of another one after a change in another window.
@MainActor final class ObjectNumbers {
  private struct Weak {
    weak var object: KVObject?
  }

  private var numbers: [ObjectIdentifier: Int] = [:]
  private var objects: [Int: Weak] = [:]
  private var last = 0

  /// Returns the number of an object, which no other object has.
  func number(of object: KVObject) -> Int {
    let identifier = ObjectIdentifier(object)
    // The identity may be that of a dead object.
    if let number = numbers[identifier], objects[number]?.object === object { return number }
    last += 1
    (numbers[identifier], objects[last]) = (last, Weak(object: object))
    return last
  }

  /// Returns the object of a number; nil if it is gone.
  func object(_ number: Int) -> KVObject? { objects[number]?.object }
}

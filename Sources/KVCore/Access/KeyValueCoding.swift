/// A type that has a say in how it is read and written by key.
///
/// Everything has a default: an empty conformance gives a struct, an enum or a class the methods of key-value coding, by
/// reflection. Types that do not conform are read the same way through ``KVC``, or as part of a path from one that does.
///
/// | to | implement |
/// |---|---|
/// | be written, and be read fast | ``keyTable`` |
/// | answer keys that are not there | ``value(forUndefinedKey:)``, ``setValue(_:forUndefinedKey:)`` |
/// | take nil for a property that is not optional | ``setNilValue(forKey:)`` |
public protocol KeyValueCoding {
  /// The accessor table of the type; empty by default, so that the type is reflected.
  static var keyTable: KVTable { get }

  /// Returns the value of a key that the type does not have; by default there is none (KVC.16).
  func value(forUndefinedKey key: String) throws(KVError) -> Any?

  /// Takes a value for a key that the type does not have; by default it refuses (KVC.16).
  mutating func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError)

  /// Takes nil for a property that is not optional; by default it refuses (KVC.13).
  mutating func setNilValue(forKey key: String) throws(KVError)
}

extension KeyValueCoding {
  /// No keys are declared: the type is reflected.
  public static var keyTable: KVTable { .empty }

  /// Throws `undefinedKey`.
  public func value(forUndefinedKey key: String) throws(KVError) -> Any? { throw Failure.undefinedKey(key, of: self) }

  /// Throws `undefinedKey`.
  public mutating func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    throw Failure.undefinedKey(key, of: self)
  }

  /// Throws `nilValue`.
  public mutating func setNilValue(forKey key: String) throws(KVError) { throw Failure.nilValue(key, of: self) }
}

// The collections of the standard library are receivers, as Foundation's are in Cocoa.
extension Array: KeyValueCoding {}
extension ContiguousArray: KeyValueCoding {}
extension ArraySlice: KeyValueCoding {}
extension Set: KeyValueCoding {}
extension Dictionary: KeyValueCoding {}

/// A type that has a say in how it is read and written by key.
///
/// Everything has a default: an empty conformance gives a struct, an enum or a class the methods of key-value coding,
/// by reflection. Types that do not conform are read the same way through ``KVC``, or as part of a path from one that
/// does.
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
  ///
  /// Called after the table and reflection have found nothing, also for keys in the middle of a path.
  ///
  /// - Parameter key: The key, which neither the table nor a stored property answers to.
  /// - Returns: The value that reading yields; nil is a value too, and ends a path.
  /// - Throws: ``KVError``: what the reader is to see. The default throws `undefinedKey`, with the known keys and the
  ///   nearest match.
  func value(forUndefinedKey key: String) throws(KVError) -> Any?

  /// Takes a value for a key that the type does not have; by default it refuses (KVC.16).
  ///
  /// A value type is changed in a copy, which is written back when this returns.
  ///
  /// - Parameters:
  ///   - value: The value as it was given: no type is known that it could be made to fit.
  ///   - key: The key, which neither the table nor a stored property answers to.
  /// - Throws: ``KVError``: what the writer is to see; change nothing then. The default throws `undefinedKey`.
  mutating func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError)

  /// Takes nil for a property that is not optional; by default it refuses (KVC.13).
  ///
  /// The place to say what nil means, zero perhaps: set the property, or another value by the same key.
  ///
  /// - Parameter key: The name of the key, also where an alias was used.
  /// - Throws: ``KVError``: what the writer is to see; change nothing then. The default throws `nilValue`.
  mutating func setNilValue(forKey key: String) throws(KVError)
}

extension KeyValueCoding {
  /// No keys are declared: the type is reflected.
  public static var keyTable: KVTable { .empty }

  /// Refuses the key.
  ///
  /// - Parameter key: The key.
  /// - Returns: Nothing.
  /// - Throws: ``KVError`` with the code `undefinedKey`.
  public func value(forUndefinedKey key: String) throws(KVError) -> Any? { throw Failure.undefinedKey(key, of: self) }

  /// Refuses the key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: ``KVError`` with the code `undefinedKey`.
  public mutating func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    throw Failure.undefinedKey(key, of: self)
  }

  /// Refuses nil.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``KVError`` with the code `nilValue`.
  public mutating func setNilValue(forKey key: String) throws(KVError) { throw Failure.nilValue(key, of: self) }
}

// The collections of the standard library are receivers, as Foundation's are in Cocoa.
extension Array: KeyValueCoding {}
extension ContiguousArray: KeyValueCoding {}
extension ArraySlice: KeyValueCoding {}
extension Set: KeyValueCoding {}
extension Dictionary: KeyValueCoding {}

extension KVError: KeyValueCoding {}

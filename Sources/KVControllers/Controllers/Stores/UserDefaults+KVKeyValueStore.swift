import Foundation
import KVBinding
import KVCore

/// The defaults of a user: what `UserDefaults.didChangeNotification` tells of is observed (TRC.9).
///
/// Foundation posts it on Apple's platforms only (swift-corelibs-foundation of Swift 6.3 does not).
extension UserDefaults: KVKeyValueStore {
  /// Returns the value of a key; nil if there is none.
  public func storedValue(forKey key: String) -> Any? { object(forKey: key) }

  /// Sets a value.
  ///
  /// - Throws: ``KVError`` (`invalidValue`) for a value that no property list contains.
  public func setStoredValue(_ value: Any?, forKey key: String) throws(KVError) {
    guard let value else { return removeObject(forKey: key) }
    guard Self.canStore(value) else {
      throw KVError(
        .invalidValue,
        """
        UserDefaults cannot store \(withArticle(type(of: value))): they take texts, numbers, booleans, dates, data, and arrays \
        and dictionaries of these. Bind with a transformer, such as archive.
        """, component: key, rootType: "UserDefaults")
    }
    set(value, forKey: key)
  }

  private static func canStore(_ value: Any) -> Bool {
    switch value {
    case is String, is Bool, is Date, is Data, is any BinaryInteger, is any BinaryFloatingPoint: true
    case let list as [Any]: list.allSatisfy(canStore)
    case let members as [String: Any]: members.values.allSatisfy(canStore)
    default: false
    }
  }

  /// Calls a function after each `UserDefaults.didChangeNotification`, while the returned object exists.
  public func observeStoredValue(forKey key: String, _ handler: @escaping () -> Void) -> AnyObject? {
    DefaultsObserver(self, handler)
  }
}

/// An observation of the defaults of a user, which are used in the isolation domain of their controller.
private final class DefaultsObserver: @unchecked Sendable {  // guard: see above
  private let handler: () -> Void
  private var token: (any NSObjectProtocol)?

  init(_ defaults: UserDefaults, _ handler: @escaping () -> Void) {
    self.handler = handler
    token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: defaults, queue: nil
    ) { [weak self] _ in self?.handler() }
  }

  deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}

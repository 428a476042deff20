import Configuration
import KVControllers

/// A source of bindings: the values of a configuration, which follow its changes.
///
/// ```swift
/// let settings = ConfigurationController(ConfigReader(providers: [environment, file]), defaults: ["http.port": 8080])
/// try server.bind("port", to: "http.port", of: settings, as: Int.self)
/// ```
///
/// `values` has a key for each key of the configuration. Its value is of the type that its provider has; that of an environment
/// variable is a text. `bind(_:to:of:as:)` converts it as a lenient key does. Any other binding has ``keyPath(_:)`` as its source.
///
/// A value that does not convert is an error of the binding: the call of `bind` throws it, and nothing is bound. After a reload, it is
/// the `lastError` of the binding, and the model keeps its value.
///
/// A configuration is read, and never written: a value that a binding would write back is refused. The controller belongs to the
/// main actor, as do the models that are bound. It follows its providers while it lives.
public final class ConfigurationController: KVStoreController {
  private let configuration: ConfigurationStore
  private var watching: Task<Void, Never>?

  /// Creates a controller of a configuration, and begins to watch it.
  ///
  /// - Parameters:
  ///   - reader: The configuration, or a part of it, such as `reader.scoped(to: "http")`.
  ///   - defaults: The values of the keys that no provider has, by the key in the configuration.
  @MainActor public init(_ reader: ConfigReader, defaults: [String: Any] = [:]) {
    configuration = ConfigurationStore(reader.snapshot())
    super.init(configuration, initialValues: defaults)
    watching = Task { [weak self] in
      // The function throws what its closure throws, which is nothing.
      try? await reader.watchSnapshot { snapshots in
        for await snapshot in snapshots {
          guard let self else { return }
          self.configuration.snapshot = snapshot
          self.storeDidChange()
        }
      }
    }
  }

  deinit { watching?.cancel() }

  /// Returns the key path from the controller to a key of the configuration: `values["http.port"]`.
  ///
  /// - Parameter key: The key in the configuration.
  /// - Returns: The key path.
  /// - Throws: `KVError` if there can be no such key path.
  public func keyPath(_ key: String) throws(KVError) -> KVKeyPath {
    try KVKeyPath(components: [.key("values"), .entry(key)])
  }
}

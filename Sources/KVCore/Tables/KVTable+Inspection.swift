extension KVTable {
  /// All keys of the table and those that it extends, a replaced key once, in the order of declaration (TAB.8).
  ///
  /// - Complexity: O(*n*) in the number of keys.
  public var keys: [KVKeyDescription] { merged.map { KVKeyDescription($0) } }

  /// Returns the name of the key that was declared with a native key path, or `nil` (TAB.7).
  ///
  /// - Parameter keyPath: A key path that stands in the table, such as `\Person.name`.
  /// - Complexity: O(*n*) in the number of keys.
  public func key(for keyPath: AnyKeyPath) -> String? {
    merged.first { $0.keyPath == keyPath }?.name
  }

  /// Returns the native key path that a key was declared with, or `nil` (TAB.7).
  ///
  /// - Parameter key: The key, or one of its aliases.
  /// - Complexity: O(*n*) in the number of keys.
  public func keyPath(for key: String) -> AnyKeyPath? {
    merged.first { $0.name == key || $0.aliases.contains(key) }?.keyPath
  }

  /// Returns the paths that a key depends on: what a subclass declares comes to what its superclasses do (DEP.4).
  func affectingPaths(_ name: String) -> [KVKeyPath] {
    var paths: [KVKeyPath] = []
    for declaration in chain.flatMap(\.declarations) where declaration.name == name {
      for path in declaration.affecting.compactMap({ try? KVKeyPath($0) }) where !paths.contains(path) {
        paths.append(path)
      }
    }
    return paths
  }

  /// This table and those it extends, the base first.
  var chain: [KVTable] {
    var tables: [KVTable] = []
    var table: KVTable? = self
    while let current = table {
      tables.append(current)
      table = current.base
    }
    return tables.reversed()
  }

  /// The declarations that count: the last one of each name, at the place of the first.
  var merged: [KeyDeclaration] {
    var places: [String: Int] = [:]
    var result: [KeyDeclaration] = []
    for table in chain {
      for declaration in table.declarations {
        if let place = places[declaration.name] {
          result[place] = declaration
        } else {
          places[declaration.name] = result.count
          result.append(declaration)
        }
      }
    }
    return result
  }
}

extension KVTable {
  /// The keys of the table and of the tables that it extends, in the order of declaration (TAB.8).
  ///
  /// A key that a subclass declares again is listed once.
  ///
  /// - Complexity: O(*n*) in the number of keys.
  public var keys: [KVKeyDescription] {
    let isObservable = TypeInfo.isObservable(type)
    let sources = sources(ReflectedFields())
    return merged.map { line in
      KVKeyDescription(line, canNotify: isObservable && (line.canNotify || sources.notify(of: line.name)))
    }
  }

  /// Returns the key that is declared with a native key path (TAB.7).
  ///
  /// The key path of an inherited property finds its line under both names: `\Person.name` and `\Student.name`. So does
  /// the property of a line that a subclass replaces by its own.
  ///
  /// - Parameter keyPath: A native key path, such as `\Person.name`.
  /// - Returns: The name of the key, or `nil` if no table line has the key path.
  /// - Complexity: O(*n*) in the number of keys.
  public func key(for keyPath: AnyKeyPath) -> String? {
    let lines = merged + chain.reversed().flatMap(\.declarations)
    let line =
      lines.first { $0.keyPath == keyPath } ?? lines.first { $0.keyPath?.leadsToProperty(of: keyPath) ?? false }
    return line?.name
  }

  /// Returns the native key path that a key is declared with (TAB.7).
  ///
  /// - Parameter key: A key or an alias.
  /// - Returns: The native key path, or `nil` if the key is undefined or declared by closures.
  /// - Complexity: O(*n*) in the number of keys.
  public func keyPath(for key: String) -> AnyKeyPath? {
    merged.first { $0.name == key || $0.aliases.contains(key) }?.keyPath
  }

  /// The paths that affect each dependent key: the paths of a subclass are added to those of its superclasses (DEP.4).
  var affectingPaths: [String: [(path: KVKeyPath, location: CodeLocation?)]] {
    var paths: [String: [(path: KVKeyPath, location: CodeLocation?)]] = [:]
    var known: [String: Set<KVKeyPath>] = [:]
    for table in chain {
      for declaration in table.declarations where !declaration.affecting.isEmpty {
        for (text, location) in zip(declaration.affecting, declaration.affectingLocations) {
          guard let path = try? KVKeyPath(text) else { continue }
          if known[declaration.name, default: []].insert(path).inserted {
            paths[declaration.name, default: []].append((path, location))
          }
        }
      }
    }
    return paths
  }

  /// Returns the inherited keys whose properties a class may override.
  ///
  /// A table that a macro made lists the properties that its class overrides. Of any other class between the one that
  /// declares the key and this one, it is not known.
  func overridableKeys(of type: Any.Type, _ sample: Any) -> Set<String> {
    let tables = chain.filter { !$0.declarations.isEmpty }
    if tables.isEmpty || tables.count == 1 && tables[0].type == type { return [] }
    let classes = [type] + ReflectedValue.superclasses(of: sample)
    let known = Set(chain.filter(\.isGenerated).map { ObjectIdentifier($0.type) })
    var overridable: Set<String> = []
    var declared: Set<String> = []
    for table in tables {
      let between = classes.prefix { $0 != table.type }
      let isUnknown = between.count == classes.count || between.contains { !known.contains(ObjectIdentifier($0)) }
      for declaration in table.declarations where !declared.insert(declaration.name).inserted || isUnknown {
        overridable.insert(declaration.name)
      }
    }
    return overridable
  }

  /// The table and the tables that it extends, the base first.
  var chain: [KVTable] {
    var tables: [KVTable] = []
    var table: KVTable? = self
    while let current = table {
      tables.append(current)
      table = current.base
    }
    return tables.reversed()
  }

  /// The declarations in effect: the last one of each name, at the position of the first.
  var merged: [KeyDeclaration] {
    var indexes: [String: Int] = [:]
    var result: [KeyDeclaration] = []
    for table in chain {
      for declaration in table.declarations {
        if let index = indexes[declaration.name] {
          result[index] = declaration
        } else {
          indexes[declaration.name] = result.count
          result.append(declaration)
        }
      }
    }
    return result
  }
}

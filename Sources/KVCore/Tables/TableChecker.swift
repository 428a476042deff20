/// The check of an accessor table when it is first used (TAB.6).
struct TableChecker {
  private struct Lines {
    let table: KVTable
    let lines: [String: KeyDeclaration]
  }

  /// Returns one error that names all faults and how to fix each of them, or `nil` if there are none.
  static func fault(of table: KVTable, type: Any.Type, sample: Any, fields: ReflectedFields) -> KVError? {
    guard !(table === KVTable.empty) else { return nil }
    var checker = TableChecker(table: table, type: type, fields: fields)
    checker.checkTypes(sample)
    checker.checkNames()
    checker.checkAffectingPaths()
    checker.checkSelfReferences()
    checker.checkConversions()
    checker.checkSuperclass(of: sample)
    guard !checker.faults.isEmpty else { return nil }
    let list = checker.faults.map { "- \($0)" }.joined(separator: "\n")
    let count = checker.faults.count == 1 ? "a fault" : "\(checker.faults.count) faults"
    return KVError(.invalidTable, "the keyTable of \(typeName(type)) has \(count):\n\(list)")
  }

  private let table: KVTable
  private let type: Any.Type
  private let fields: ReflectedFields
  private let declarations: [KeyDeclaration]
  private let names: Set<String>
  private let ownLines: [String: KeyDeclaration]
  /// The tables to which paths lead, by type, with their lines by key and alias.
  private var known: [ObjectIdentifier: Lines?] = [:]
  private var faults: [String] = []

  private init(table: KVTable, type: Any.Type, fields: ReflectedFields) {
    self.table = table
    self.type = type
    self.fields = fields
    declarations = table.merged
    ownLines = Self.lines(of: declarations)
    names = Set(ownLines.keys)
  }

  /// Reports tables of other types: accessors are only safe on the type that they were created for.
  private mutating func checkTypes(_ sample: Any) {
    func isInstance<T>(_ type: T.Type) -> Bool { sample is T }
    for part in table.chain where !(part === KVTable.empty) {
      if type is AnyClass, !part.describesObjects {
        faults.append(
          """
          it was begun where the compiler does not see that \(typeName(part.type)) is a class, so its lines would take an object \
          for a value; constrain the generic type to AnyObject, or name the class.
          """)
        continue
      }
      let fits = type is AnyClass ? _openExistential(part.type, do: isInstance) : part.type == type
      if !fits {
        faults.append(
          "it lists keys of \(typeName(part.type)), which \(typeName(type)) is not; begin it with \(typeName(type)).self."
        )
      }
    }
  }

  private mutating func checkNames() {
    for part in table.chain {
      var seen: Set<String> = []
      for declaration in part.declarations where !seen.insert(declaration.name).inserted {
        faults.append("key \"\(declaration.name)\" is declared twice for \(typeName(part.type)); remove one line.")
      }
    }
    var owners: [String: String] = [:]
    for declaration in declarations {
      do throws(KVError) {
        for name in [declaration.name] + declaration.aliases { try KeyPathParser.checkKey(name) }
      } catch {
        faults.append(error.message)
      }
      owners[declaration.name] = declaration.name
    }
    for declaration in declarations {
      for alias in declaration.aliases {
        if let other = owners[alias] {
          faults.append(
            "alias \"\(alias)\" of \"\(declaration.name)\" already names \"\(other)\"; choose another name.")
        }
        owners[alias] = declaration.name
      }
    }
  }

  private mutating func checkAffectingPaths() {
    let known = names.union(fields.all.map(\.name)).union(fields.all.map(\.label))
    // Of more, none is suggested, and no label of a storage.
    let sorted = known.count > 1_000 ? [] : names.union(fields.all.map(\.name)).sorted()
    for declaration in declarations {
      for text in declaration.affecting {
        let path: KVKeyPath
        do { path = try KVKeyPath(text) } catch {
          faults.append("\"\(declaration.name)\" is affected by a malformed path: \(error.message)")
          continue
        }
        checkOperators(of: path, affecting: declaration)
        guard case .key(let first) = path.first else { continue }
        if known.contains(first) || fields.field(first) != nil {
          checkRemainder(of: path, affecting: declaration)
          continue
        }
        let cure = Suggestion.question(
          Suggestion.nearest(to: first, among: sorted), else: "Declare \"\(first)\", or name another key.")
        faults.append("\"\(declaration.name)\" is affected by \"\(text)\", but there is no key \"\(first)\".\(cure)")
      }
    }
  }

  /// Checks that the operators of a path exist and stand between the paths that they need.
  private mutating func checkOperators(of path: KVKeyPath, affecting declaration: KeyDeclaration) {
    let subject = "\"\(declaration.name)\" is affected by \"\(path)\", but"
    for (index, component) in path.components.enumerated() {
      guard case .operator(let name, _) = component else { continue }
      guard KVOperator.names.contains(name) else {
        let near = Suggestion.nearest(to: name, among: KVOperator.names).map { "@\($0)" }
        let cure = Suggestion.question(near, else: "Register it before the table is used.")
        faults.append("\(subject) there is no operator @\(name).\(cure)")
        continue
      }
      if index == 0, name != "self" {
        faults.append(
          "\(subject) begins with an operator: write the key of the collection first, as in \"items.@\(name)\".")
      } else if index == path.count - 1, BuiltInOperator(rawValue: name)?.needsRightPath == true {
        faults.append("\(subject) @\(name) needs a key path to its right, as in \"\(path).price\".")
      }
    }
  }

  /// Checks the remaining components of a path against the tables of the declared types.
  ///
  /// Checks a path as far as these tables describe it; the remainder is checked when the path is observed.
  private mutating func checkRemainder(of path: KVKeyPath, affecting declaration: KeyDeclaration) {
    var table: KVTable? = table
    var lines = ownLines
    var type: Any.Type = table?.type ?? Any.self
    for (index, component) in path.components.enumerated() {
      let subject = "\"\(declaration.name)\" is affected by \"\(path)\", but"
      let collection = type as? any CollectionValue.Type
      switch component {
      case .operator where collection?.isKeyed == false: type = unwrapped(collection?.elementType ?? Any.self)
      case .key(let key):
        let left = path.components[..<index].map(\.description).joined(separator: ".")
        if let collection, !collection.isKeyed {
          faults.append(
            """
            \(subject) leads through the elements of "\(left)", which have no single "\(key)": end the path at "\(left)", or \
            use an operator, as in "\(left).@unionOfObjects.\(key)".
            """)
          return
        }
        guard table != nil else { return }
        guard let line = lines[key] else {
          guard index > 0, let table, table.listsAllKeys else { return }
          let names = table.merged.flatMap { [$0.name] + $0.aliases }
          let cure = Suggestion.question(Suggestion.nearest(to: key, among: names), else: "Name another key.")
          faults.append("\(subject) \(typeName(table.type)) has no key \"\(key)\".\(cure)")
          return
        }
        type = unwrapped(line.value.type)
        if index + 1 < path.count, type is any NumericValue.Type || type == String.self {
          faults.append("\(subject) \"\(key)\" is \(withArticle(type)) and has no keys; end the path there.")
          return
        }
      default: return
      }
      let next = linesOfType(type)
      (table, lines) = (next?.table, next?.lines ?? [:])
    }
  }

  /// Returns the table of a type, and its lines by key and alias; of each type once, since many paths lead through it.
  private mutating func linesOfType(_ type: Any.Type) -> Lines? {
    if let found = known[ObjectIdentifier(type)] { return found }
    let table = (type as? any KeyValueCoding.Type)?.keyTable
    let found = table.map { Lines(table: $0, lines: Self.lines(of: $0.merged)) }
    known[ObjectIdentifier(type)] = .some(found)
    return found
  }

  /// The lines of declarations by key and alias; the first one of each.
  private static func lines(of declarations: [KeyDeclaration]) -> [String: KeyDeclaration] {
    Dictionary(declarations.flatMap { line in ([line.name] + line.aliases).map { ($0, line) } }) { first, _ in first }
  }

  private func unwrapped(_ type: Any.Type) -> Any.Type { optionalWrappedType(type) ?? type }

  /// Reports keys that affect themselves; keys that affect each other are allowed (DEP.3).
  private mutating func checkSelfReferences() {
    for declaration in declarations {
      let names = [declaration.name] + declaration.aliases
      if let name = declaration.affecting.first(where: names.contains) {
        faults.append("\"\(declaration.name)\" is affected by itself; remove \"\(name)\" from its affected(by:).")
      }
    }
  }

  /// Reports conversions to a type that no value of the key, element or entry has: they would never be used.
  private mutating func checkConversions() {
    for declaration in declarations {
      var types: [Any.Type] = []
      var next: Any.Type? = declaration.value.type
      while let type = next {
        types.append(type)
        next = optionalWrappedType(type) ?? elementType(of: type)
      }
      for conversion in declaration.conversions.written where !types.contains(where: conversion.makes) {
        faults.append(
          """
          "\(declaration.name)" is converted from \(typeName(conversion.source)) to \(typeName(conversion.target)), but is \
          \(withArticle(declaration.value.type)); return that, or name the type with converted(from:to:).
          """)
      }
    }
  }

  /// Reports a class whose table does not extend the table of its superclass, which would hide the inherited keys.
  private mutating func checkSuperclass(of sample: Any) {
    for superclass in ReflectedValue.superclasses(of: sample) {
      guard let inherited = (superclass as? any KeyValueCoding.Type)?.keyTable else { continue }
      let isExtended = table.chain.contains { $0.type == inherited.type }
      let isRepeated = inherited.merged.allSatisfy { names.contains($0.name) }
      if !isExtended, !isRepeated {
        faults.append(
          """
          it does not extend the table of its superclass \(typeName(superclass)); begin it with \
          super.keyTable.extended(for: \(typeName(type)).self) { key in … }.
          """)
        return
      }
    }
  }
}

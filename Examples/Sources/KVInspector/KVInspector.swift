import KVBinding

/// Shows the objects of a program by key path: values, observers, bindings, and the notifications as they come.
///
/// ```swift
/// KVInspector.register(library, named: "Library")
/// print(try KVInspector.inspect("Library", at: "albums[0]"))
/// ```
///
/// An inspector reads objects, and sets their values only if the program allows it. It is for development: whoever can
/// use it sees every value that a key path reaches.
@MainActor public enum KVInspector {
  private struct Root {
    weak var object: (any KVObservable)?
    let allowsEditing: Bool
  }

  private static var roots: [(name: String, root: Root)] = []

  /// Registers an object.
  ///
  /// A former object of the name is replaced.
  ///
  /// - Parameters:
  ///   - root: The object. It is not retained, and is forgotten when it is deallocated.
  ///   - name: The name by which it is shown.
  ///   - allowsEditing: Whether values may be set.
  public static func register(_ root: some KVObservable, named name: String, allowsEditing: Bool = false) {
    let entry = (name: name, root: Root(object: root, allowsEditing: allowsEditing))
    if let index = roots.firstIndex(where: { $0.name == name }) { roots[index] = entry } else { roots.append(entry) }
  }

  /// Forgets an object.
  public static func unregister(_ name: String) { roots.removeAll { $0.name == name } }

  /// The names of the registered objects, in the order of their registration.
  public static var names: [String] {
    roots.removeAll { $0.root.object == nil }
    return roots.map(\.name)
  }

  /// Returns the name of a registered object; nil if it is none.
  public static func name(of object: ObjectIdentifier) -> String? {
    roots.first { $0.root.object.map(ObjectIdentifier.init) == object }?.name
  }

  /// Returns what there is to know about the value at a key path of a registered object.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - path: The key path; empty for the object itself.
  /// - Throws: `KVError` if there is no such object, or the path leads nowhere.
  /// - Complexity: O(*n*) in the keys, observations and bindings; of a collection the first 200 elements are shown.
  public static func inspect(_ name: String, at path: String = "") throws(KVError) -> KVInspection {
    let root = try root(name)
    let value = path.isEmpty ? root.object : try root.object.value(forKeyPath: path)
    return KVInspection(value, name: name, path: path, allowsEditing: root.allowsEditing)
  }

  /// Sets the value at a key path of a registered object.
  ///
  /// The value is converted, and validated.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The key path.
  ///   - name: The name of the object.
  /// - Throws: `KVError`: `unsupported` if the object was registered without `allowsEditing`; or the error of the path,
  ///   the conversion or the validation. Nothing is changed then.
  public static func setValue(_ value: Any?, forKeyPath path: String, of name: String) throws(KVError) {
    let root = try root(name)
    guard root.allowsEditing else {
      throw KVError(.unsupported, "\"\(name)\" can only be read here: it is registered without allowsEditing.")
    }
    let value = try converted(value, path, root.object)
    switch try root.object.validate(value, forKeyPath: path) {
    case .valid: try root.object.setValue(value, forKeyPath: path)
    case .replaced(let value): try root.object.setValue(value, forKeyPath: path)
    }
  }

  /// Converts a text to the type of the present value, if it has another one.
  private static func converted(_ value: Any?, _ path: String, _ root: any KVObservable) throws(KVError) -> Any? {
    guard let text = value as? String, try !KVC.canConvert(text, forKeyPath: path, of: root),
      let present = try root.value(forKeyPath: path)
    else { return value }
    func convert<Value>(_ type: Value.Type) throws(KVError) -> Any? {
      try KVC.convert(text, to: type, lenient: true)
    }
    return try _openExistential(type(of: present), do: convert)
  }

  /// Returns the objects that bindings connect with a registered object.
  ///
  /// - Parameter name: The name of the object.
  /// - Throws: `KVError` if there is no such object.
  public static func graph(of name: String) throws(KVError) -> KVGraph {
    KVDiagnostics.graph(around: [try root(name).object])
  }

  private static func root(_ name: String) throws(KVError) -> (object: any KVObservable, allowsEditing: Bool) {
    let names = names
    guard let root = roots.first(where: { $0.name == name })?.root, let object = root.object else {
      let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw KVError(.undefinedKey, "No object is registered as \"\(name.prefix(100))\". Registered: \(known).")
    }
    return (object, root.allowsEditing)
  }
}

import KVBinding
import KVCore
import KVQuery

/// The value of an expression over an object, as an object with the key `value`, which can be observed and bound (FRM).
///
/// ```swift
/// let total = try KVFormula(KVExpression(format: "price * count"), of: line)
/// let token = try total.observe("value") { change in print(change) }
/// ```
///
/// The formula depends on the key paths that the expression reads, as a dependent key does on its paths: one change of the
/// program notifies once, with the old and the new value. `bind(_:to:of:)` and `observe(_:)` of an expression or a
/// predicate make a formula of their own, and retain it.
///
/// The formula references its object weakly. When that is deallocated, the observations and bindings of the formula end,
/// and `value` is nil.
public final class KVFormula: KVObject, Plumbing {
  /// The expression.
  public let expression: KVExpression
  private let reference: WeakReference<AnyObject>
  private let subjectType: AnyClass
  private var forgetSubject: (() -> Void)?
  static let valuePath = KVKeyPath(listedKey: "value")

  /// Creates the formula of an object.
  ///
  /// - Parameters:
  ///   - formula: An expression, or a predicate, whose truth value the formula has.
  ///   - subject: The object from which the expression is evaluated, which is referenced weakly.
  /// - Throws: ``KVError``: `unsupported` if the changes of the expression cannot be followed (FRM.4); `undefinedKey` if it
  ///   reads a key that does not exist; `notObservable` if it reads keys, and none of them can ever notify;
  ///   `notPermitted` for a key that the policy of a path does not permit.
  /// - Complexity: O(*n*) in the components of the key paths that the expression reads, and in the elements on them.
  public init(_ formula: some KVFormulaConvertible, of subject: some KVObservable) throws(KVError) {
    expression = formula.formulaExpression
    reference = WeakReference(subject)
    subjectType = type(of: subject)
    super.init()
    // A path asks for objects that resolve its rest only when their type is known.
    _ = TypeInfo.of(self)
    try Self.check(try expression.followedKeyPaths(), of: subject)
    forgetSubject = endObservations(with: subject)
  }

  deinit { forgetSubject?() }

  /// The table, which lists no keys: the only key is `value`, and reading it may throw.
  public override class var keyTable: KVTable {
    KVTable(KVFormula.self, listedKeysOnly: true) { (_: KVObjectKeys<KVFormula>) in }
  }

  /// The object from which the expression is evaluated; nil after its deallocation.
  public var subject: (any KVObservable)? { reference.object as? any KVObservable }

  /// The present value of the expression; nil after the deallocation of the object.
  ///
  /// - Throws: ``KVError``: those of the evaluation of the expression.
  /// - Complexity: As that of an evaluation: nothing is kept.
  public var value: Any? { get throws(KVError) { try value(of: expression) } }

  /// The expression and the type of the object, for listings.
  var name: String { "\(subjectType)[\(expression)]" }

  func value(of expression: KVExpression) throws(KVError) -> Any? {
    guard let subject = reference.object else { return nil }
    // A getter that reads another formula takes stack, too.
    if !Self.computingObjects.isEmpty, !StackSpace.hasRoom() { throw noRoom(at: "value") }
    return try computing { () throws(KVError) in try expression.value(of: subject) }
  }

  /// Throws unless paths can be observed, or one of them can and the others never notify.
  private static func check(_ paths: [KVKeyPath], of subject: some KVObservable) throws(KVError) {
    var nonNotifyingError: KVError?
    var canNotify = paths.isEmpty
    for path in paths {
      do throws(KVError) {
        try subject.checkFollowing(path)
        canNotify = true
      } catch {
        guard error.code == .notObservable else { throw error }
        nonNotifyingError = nonNotifyingError ?? error
      }
    }
    if !canNotify, let nonNotifyingError { throw nonNotifyingError }
  }

  /// Returns the value of a key.
  ///
  /// - Parameter key: The key, of which only `value` exists.
  /// - Throws: ``KVError``: `undefinedKey` for any other key; the error of the evaluation.
  public override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    key == "value" ? try value : try super.value(forUndefinedKey: key)
  }

  /// Throws, since no key can be set.
  ///
  /// - Parameters:
  ///   - value: The value, or nil.
  ///   - key: The key.
  /// - Throws: ``KVError``: `notSettable` for `value`; `undefinedKey` for any other key.
  public override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    guard key == "value" else { return try super.setValue(value, forUndefinedKey: key) }
    throw notSettable
  }

  private var notSettable: KVError {
    KVError(
      .notSettable,
      "the value of the formula \"\(expression)\" cannot be set: set a key that it reads.", component: "value")
  }
}

// Paths from a formula: `value` is the value of the expression, and a path behind it that of a longer expression, so that
// it is followed like that.

extension KVFormula: PathResolving {
  package var pathOwners: [Any] { [] }

  package func value(of path: KVKeyPath, from index: Int, to last: Int) throws(KVError) -> Any? {
    try path.check(at: index, of: self)
    return try value(of: expression(for: path.components[index...last]))
  }

  package func setValue(_ value: Any?, of path: KVKeyPath, from index: Int) throws(KVError) {
    try setValue(value, forUndefinedKey: path.components[index].description)
  }

  package func checkSettable(_ path: KVKeyPath, from index: Int) throws(KVError) {
    if path.components[index].observedName == "value" { throw notSettable }
  }

  /// Returns the error for formulas that are nested too deeply; it names those that read each other in a circle.
  package func noRoom(at component: String) -> KVError {
    let formulas = Self.computingObjects
    guard let start = formulas.lastIndex(where: { $0 === self }) else {
      return Failure.tooDeep(component, .stack, of: "formulas")
    }
    let circle = formulas[start...]
    let names = circle.prefix(8).map { ($0 as? KVFormula)?.name ?? "" } + (circle.count > 8 ? ["…"] : []) + [name]
    return KVError(
      .limitExceeded,
      """
      formulas read each other in a circle, so that they have no value: \(names.map(shortened).joined(separator: " → ")). Let one of them \
      read other keys.
      """, component: component)
  }

  /// Returns the expression for the components of a path behind the formula.
  private func expression(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> KVExpression {
    guard let first = components.first, first.observedName == "value" else {
      throw Failure.undefinedKey(components.first?.description ?? "", of: self)
    }
    let remainder = Array(components.dropFirst())
    return remainder.isEmpty ? expression : try expression.appending(KVKeyPath(components: remainder))
  }
}

extension KVFormula: KeyResolving {
  package func resolvedKey(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> ResolvedKey? {
    let followed = try expression(for: components)
    guard let subject else { return ResolvedKey(key: Self.key(components), root: self) }
    return ResolvedKey(
      key: Self.key(components), affecting: try followed.followedKeyPaths(), root: subject, readsElements: true)
  }

  private static func key(_ components: ArraySlice<KVKeyPath.Component>) -> InternedKey {
    InternedKey((try? KVKeyPath(components: Array(components)))?.description ?? "value")
  }
}

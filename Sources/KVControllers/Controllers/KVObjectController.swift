import KVBinding
import KVCore

/// A controller of one object, which is also its selection (CTR.16).
///
/// ```swift
/// let form = KVObjectController<Person>()
/// try form.bindContent(to: "owner", of: account)
/// try nameField.bind("text", to: "selection.name", of: form, options: .init(.twoWay, trigger: .onCommit, noSelection: ""))
/// try form.commitEditing()
/// ```
///
/// The content is an object, a record, a dictionary or another value; nil means that there is none. The keys `content`
/// (also `contentObject`), `selectedObjects`, `selection`, `canAdd`, `canRemove`, `isEditable` and `isEditing` can be
/// observed and bound.
open class KVObjectController<Content>: KVController {
  private var object: Content?
  private let makeObject: (() -> Content)?

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - content: The content, if there is one.
  ///   - newObject: Creates the objects that ``add()`` adds; nil if nothing does, unless ``newObject()`` is overridden.
  public init(_ content: Content? = nil, newObject: (() -> Content)? = nil) {
    object = content
    makeObject = newObject
    super.init()
  }

  /// Creates a controller without content that creates objects.
  ///
  /// - Parameter newObject: Creates the objects that ``add()`` adds.
  public convenience init(newObject: @escaping () -> Content) { self.init(nil, newObject: newObject) }

  /// The keys of the controller.
  open override class var keyTable: KVTable {
    // Closures: a key path of a generic class is made anew at each access.
    super.keyTable.extended(for: KVObjectController<Content>.self) { key in
      key("content", { $0.object }, set: { try $0.setKeyedContent($1) }).alias("contentObject").notifiesItself()
      key("selectedObjects") { $0.selectedObjects }.notifiesItself()
    }.hidingStorage()
  }

  // MARK: Content

  /// The content; nil if there is none.
  ///
  /// Edits are committed before it is assigned. If that fails, it stays as it is, and the error is reported (EDT.4).
  public final var content: Content? {
    get { object }
    set { if commitsEditing(beforeSetting: "content") { setContent(newValue) } }
  }

  private func setKeyedContent(_ content: Content?) throws(KVError) {
    try commitBeforeKeyedSetting()
    setContent(content)
  }

  /// The content as an array; empty if there is none (CTR.16).
  public final var selectedObjects: [Content] { object.map { [$0] } ?? [] }

  private func setContent(_ new: Content?) {
    perform { contentUpdate(to: new) }
  }

  private func contentUpdate(to new: Content?) -> KeyUpdate {
    let changes = [KeyChange(Keys.content)] + changes(from: object, to: new)
    return KeyUpdate(changes: changes) { self.replaceObject(by: new) }
  }

  /// The former object is released after the access: its end may be notified of, to handlers that read the content.
  private func replaceObject(by new: Content?) {
    var object = new
    swap(&self.object, &object)
  }

  /// Returns the changes of the keys that depend on the content and differ (CTR.9).
  private func changes(from old: Content?, to new: Content?) -> [KeyChange] {
    let isSame = Self.areSame(old as Any, new as Any)
    let selection = isSame ? [] : [KeyChange(Keys.selectedObjects), KeyChange(Keys.selection)]
    return selection + abilities(hasSelection: old != nil).changes(to: abilities(hasSelection: new != nil))
  }

  override func snapshot() -> Any { object as Any }

  override func restore(_ snapshot: Any) { replaceObject(by: unwrappingOptionals(snapshot) as? Content) }

  override func combined(_ changes: [KeyChange], since snapshot: Any) -> KeyUpdate {
    var update = super.combined(changes, since: snapshot)
    let differing = self.changes(from: unwrappingOptionals(snapshot) as? Content, to: object).map(\.key)
    update.changes.removeAll {
      [Keys.selectedObjects, Keys.selection].contains($0.key) && !differing.contains($0.key)
    }
    return update
  }

  override var elementType: Any.Type { Content.self }

  override var selectedItems: [Any] { object.flatMap { unwrappingOptionals($0) }.map { [$0] } ?? [] }

  override func replace(_ previous: [Any], at stableIndexes: [StableIndex?], by items: [Any]) throws(KVError) {
    guard let changed = items.first as? Content else { return }
    try perform { () throws(KVError) in
      // The write of a `prior` handler is made after the update, which may have replaced the value (CTR.36).
      guard Self.areSame(object as Any, previous.first) else { throw goneValue }
      return contentUpdate(to: changed)
    }
  }

  override var absence: String { "there is no content" }

  // MARK: Adding and removing

  /// Returns a new object: the one that the closure given at init creates (CTR.4).
  ///
  /// Override it to create objects in another way.
  ///
  /// - Throws: ``KVError`` (`unsupported`) if there is no closure.
  open func newObject() throws -> Content { try newObject(by: makeObject, "KVObjectController") }

  /// Sets the content to a new object, if there is none (CTR.16).
  ///
  /// - Throws: ``KVError`` (`unsupported`) if ``KVController/canAdd`` is false, or nothing creates objects; the error of an
  ///   editor. Nothing has changed then.
  public final func add() throws(KVError) {
    try check(canAdd, "add")
    if content != nil { return }
    try add(try created(by: newObject))
  }

  /// Sets the content to an object (CTR.16).
  ///
  /// - Parameter object: The object.
  /// - Throws: ``KVError`` (`unsupported`) if ``KVController/canAdd`` is false; the error of an editor. Nothing has changed
  ///   then.
  public final func add(_ object: Content) throws(KVError) {
    try check(canAdd, "add")
    try commitEditing()
    setContent(object)
  }

  /// Removes the content, if there is one (CTR.16).
  ///
  /// - Throws: ``KVError`` (`unsupported`) if ``KVController/canRemove`` is false; the error of an editor. Nothing has
  ///   changed then.
  public final func remove() throws(KVError) {
    try check(canRemove, "remove")
    try commitEditing()
    setContent(nil)
  }

  /// Removes the content if it is an object, or an equal value (CTR.16).
  ///
  /// - Parameter object: The object.
  /// - Throws: As ``remove()``.
  public final func remove(_ object: Content) throws(KVError) {
    try check(canAdd, "remove")
    guard let content, Self.areSame(content, object) else { return }
    try commitEditing()
    setContent(nil)
  }
}

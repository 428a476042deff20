import KVBinding
import KVCore

extension KVController {
  /// The interned keys of a controller.
  enum Keys {
    static let isEditable = InternedKey("isEditable")
    static let isEditing = InternedKey("isEditing")
    static let content = InternedKey("content")
    static let selectedObjects = InternedKey("selectedObjects")
    static let selection = InternedKey("selection")
    static let canAdd = InternedKey("canAdd")
    static let canInsert = InternedKey("canInsert")
    static let canRemove = InternedKey("canRemove")
    static let alwaysUsesMultipleValuesMarker = InternedKey("alwaysUsesMultipleValuesMarker")
  }

  /// The values of `canAdd`, `canInsert` and `canRemove`.
  struct Abilities: Equatable {
    let canAdd: Bool
    let canRemove: Bool

    /// Returns the changes of the keys whose values differ.
    func changes(to other: Abilities) -> [KeyChange] {
      let same = keys(equalTo: other)
      return [Keys.canAdd, Keys.canInsert, Keys.canRemove].filter { !same.contains($0) }.map { KeyChange($0) }
    }

    /// Returns the keys that show the same as others.
    func keys(equalTo other: Abilities) -> [InternedKey] {
      (canAdd == other.canAdd ? [Keys.canAdd, Keys.canInsert] : [])
        + (canRemove == other.canRemove ? [Keys.canRemove] : [])
    }
  }

  /// An editor, which is not retained.
  struct Editor {
    let id: ObjectIdentifier
    private let reference: WeakReference<AnyObject>
    var editor: (any KVEditor)? { reference.object as? any KVEditor }

    init(_ editor: any KVEditor) {
      id = ObjectIdentifier(editor)
      reference = WeakReference(editor)
    }
  }

  /// The state of the keys that all controllers have.
  struct State {
    var isEditable = true
    var alwaysUsesMultipleValuesMarker = false
    /// Whether the content is bound one-way, or through an operator.
    var isContentReadOnly = false
    /// Whether the kind of content lets objects be inserted.
    var allowsInsertion = true
    var editors: [Editor] = []

    var isEditing: Bool { editors.contains { $0.editor != nil } }

    var canAdd: Bool { isEditable && !isContentReadOnly && allowsInsertion }

    /// Returns what can be done while something is selected, or nothing is (CTR.5).
    func abilities(hasSelection: Bool) -> Abilities {
      Abilities(canAdd: canAdd, canRemove: isEditable && !isContentReadOnly && hasSelection)
    }

    /// Returns the keys that have the same values as those of another state.
    func keys(equalTo other: State) -> [InternedKey] {
      isEditing == other.isEditing ? [Keys.isEditing] : []
    }
  }

  /// The error of a write to values that have left the content.
  final var goneValue: KVError {
    KVError(
      .unresolvedPath,
      """
      nothing was set: the value that was selected is not in the content of \(type(of: self)) any more. Write outside of a \
      prior handler, or to an object.
      """, rootType: "\(type(of: self))")
  }

  /// The error of a write to values of a content that cannot be changed.
  final var readOnlyContent: KVError {
    KVError(
      .unsupported,
      """
      nothing was set: the selected values belong to a content that is bound one-way, so that the model would not have \
      them. Bind the content to a path that can be set.
      """, rootType: "\(type(of: self))")
  }

  /// Returns whether two elements are the same: objects by identity, values by CO.7 (CTR.9).
  static func areSame(_ left: Any?, _ right: Any?) -> Bool {
    let (left, right) = (left.flatMap { unwrappingOptionals($0) }, right.flatMap { unwrappingOptionals($0) })
    guard let left, let right, type(of: left) is AnyClass, type(of: right) is AnyClass else {
      return Equality.areSame(left, right)
    }
    return object(in: left) === object(in: right)
  }
}

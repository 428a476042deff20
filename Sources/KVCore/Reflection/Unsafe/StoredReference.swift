/// How a class stores a property: whether it retains the value, and whether the value can change.
struct StoredReference {
  let isStrong: Bool
  let isVariable: Bool

  /// Finds a stored property of a class or of its superclasses; nil if there is none of that name.
  ///
  /// A mirror does not tell weak references from others, but the runtime, which mirrors ask, does.
  init?(_ name: String, in type: AnyClass) {
    var index = recursiveChildCount(type)
    // Properties of subclasses are last, and hide others.
    while index > 0 {
      index -= 1
      var field = ChildMetadata()
      _ = recursiveChildMetadata(type, index: index, fieldMetadata: &field)
      defer { field.free?(field.name) }
      guard let label = field.name, String(cString: label) == name else { continue }
      (isStrong, isVariable) = (field.isStrong, field.isVar)
      return
    }
    return nil
  }
}

/// The runtime's metadata of a stored property, with the layout of the standard library's `_FieldReflectionMetadata`.
private struct ChildMetadata {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = true
  var isVar = true
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveChildCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func recursiveChildMetadata(
  _ type: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<ChildMetadata>
) -> Any.Type

import KVBinding

/// Makes a live record equal to another one by the fewest changes, each of which its observers hear.
struct DocumentMerge {
  /// Called with a record and a key that it has not, before it gets it: nobody can observe all keys of a record, so
  /// whoever wants to hear of new ones has to begin now.
  var willAdd: (KVRecord, String) -> Void = { _, _ in }

  /// Gives a record the content of another one.
  ///
  /// Members that are objects in both are changed in place, and arrays element by element. An array within an array is
  /// replaced as a whole: a live view of it there is none.
  ///
  /// - Parameters:
  ///   - new: The content; objects in it may become part of the record.
  ///   - record: The record.
  /// - Throws: `KVError` where the library refuses a change; it has no reason to.
  func merge(_ new: KVRecord, into record: KVRecord) throws(KVError) {
    for key in record.keys where new[key] == nil { record[key] = nil }
    for key in new.keys where new[key] != nil {
      let value = new[key]
      switch (record[key], value) {
      case (nil, _):
        willAdd(record, key)
        record[key] = value
      case (let before as KVRecord, let after as KVRecord):
        try merge(after, into: before)
      case (let before?, let after as [Any?]) where ValueKind(before) == .array:
        try merge(after, into: record, key)
      case (let before, let after):
        if DocumentContent(before) != DocumentContent(after) { record[key] = after }
      }
    }
  }

  private func merge(_ new: [Any?], into record: KVRecord, _ key: String) throws(KVError) {
    // An entry: a member of a document may have a name that is no key, such as one that begins with "@".
    let array = try record.mutableArray(forKeyPath: KVKeyPath(components: [.entry(key)]))
    let edit = ArrayEdit(
      from: try array.elements().map { DocumentContent($0) }, to: new.map { DocumentContent($0) },
      distance: { $0.distance(to: $1) })
    try array.remove(at: edit.removals)
    try array.insert(edit.insertions.map { new[$0] as Any }, at: edit.insertions)
    let elements = edit.replacements.isEmpty ? [] : try array.elements()
    for index in edit.replacements {
      if let before = elements[index] as? KVRecord, let after = new[index] as? KVRecord {
        try merge(after, into: before)
      } else {
        try array.replace(at: index, with: new[index] as Any)
      }
    }
  }
}

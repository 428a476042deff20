import KVBinding
import KVCore

// The checks of the table's functions that edit a collection (COL.2).

extension ComplianceInspection {
  /// Edits a to-many key through its view, step by step, and checks its elements and its records.
  func checkElements(_ key: ComplianceKey) throws {
    let sample = try sample()
    guard let object = sample.model as? any KeyValueCoding & AnyObject else { return }
    let observer = sample.observable.map { ComplianceObserver($0, [KVKeyPath(singleKey: key.name)]) }
    let start = elements(of: key, sample)
    for edit in edits(of: start, with: try newElements(for: key, than: start), ordered: key.toMany == .ordered) {
      let before = elements(of: key, sample)
      observer?.clear()
      do throws(KVError) { try edit.make(key.name, of: object) } catch {
        return report(
          .misplacesElements, key.name,
          "\"\(key.name)\" refuses an edit, \(edit.text): \(sentence(error)) Let its functions take what the key holds."
        )
      }
      let (after, expected) = (elements(of: key, sample), edit.applied(to: before))
      if !haveSame(after, expected, ordered: key.toMany == .ordered) {
        return report(
          .misplacesElements, key.name,
          """
          "\(key.name)" was \(shownList(before)), and is \(shownList(after)) after \(edit.text), instead of \
          \(shownList(expected)). Let its functions do just what they are called for.
          """)
      }
      if let observer { checkRecords(observer.records(of: key.name), of: edit, key) }
    }
  }

  private func elements(of key: ComplianceKey, _ sample: ComplianceSample) -> [Any?] {
    guard let value = try? sample.value(key.name) else { return [] }
    return (try? DynamicCollection.all(of: value)) ?? []
  }

  /// Returns a series of edits, which show mistakes at the first index, in the middle and at several indexes.
  private func edits(of start: [Any?], with new: [Any], ordered: Bool) -> [ElementEdit] {
    guard let first = new.first else { return [] }
    let second = new.count > 1 ? new[1] : first
    guard ordered else { return [.add(first), .subtract(first)] + (new.count > 1 ? [.set([second])] : []) }
    return [
      .insert([first], at: [0]), .insert([second], at: [1]), .insert([second, first], at: [0, 2]),
      .replace(at: 1, with: second), .remove(at: [2]), .remove(at: [0, 2]),
    ]
  }

  private func haveSame(_ elements: [Any?], _ others: [Any?], ordered: Bool) -> Bool {
    guard elements.count == others.count else { return false }
    if ordered { return zip(elements, others).allSatisfy { Similarity.areAlike($0, $1) } }
    return elements.allSatisfy { element in others.contains { Similarity.areAlike($0, element) } }
  }

  private func checkRecords(_ records: [KVChange], of edit: ElementEdit, _ key: ComplianceKey) {
    if has(.wrongElementRecord, key.name) || misdeclaredKeys.contains(key.name) || key.isManual && !edit.isSimple {
      return
    }
    // Keys that the key depends on may change with it, which is reported as a setting.
    let records = key.affecting.isEmpty ? records : records.filter { $0.kind != .setting }
    if records.count == 1, records[0].kind == edit.kind, records[0].indexes == edit.indexes { return }
    let notified = records.enumerated().map { index, record in
      (index == 0 ? "notified as " : " and as ") + record.kindText
    }.joined()
    report(
      .wrongElementRecord, key.name,
      """
      "\(key.name)" was edited by \(edit.text), which was \(notified.isEmpty ? "not notified" : notified). Notify of \
      each edit once, with its kind and its indexes or members, or remove the notification where the package does it.
      """)
  }
}

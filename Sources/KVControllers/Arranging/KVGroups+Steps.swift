import KVBinding
import KVCore

// Where the elements of the arrangement are, and the steps that notify.
extension KVGroups {
  /// Elements of one group.
  struct Run {
    let group: Int
    /// Their indexes in the group.
    var indexes: [Int]
    /// Their indexes in the arrangement of all elements.
    var flat: [Int]
  }

  /// Returns where ascending arranged indexes are.
  func runs(_ flat: [Int]) -> [Run] {
    let starts = starts()
    var runs: [Run] = []
    for index in flat {
      let group = groupIndex(containing: index, starts)
      if runs.last?.group != group { runs.append(Run(group: group, indexes: [], flat: [])) }
      runs[runs.count - 1].indexes.append(index - starts[group])
      runs[runs.count - 1].flat.append(index)
    }
    return runs
  }

  /// The arranged indexes of the first elements of the groups.
  func starts() -> [Int] {
    var next = 0
    return counts.map { count in
      defer { next += count }
      return next
    }
  }

  /// Returns the index of the group that an arranged index is in.
  func groupIndex(containing index: Int, _ starts: [Int]) -> Int { firstGroup(from: index + 1, starts) - 1 }

  /// Returns the index of the first group that begins at an arranged index or behind it.
  func firstGroup(from index: Int, _ starts: [Int]) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Steps

  /// Returns the step that edits the elements of a group.
  func step(_ group: Group, _ edit: IndexedEdit<Element>) -> () -> Void {
    { [arranged] in
      // The array itself is not passed: it would be copied when it is edited.
      let old = group.elements[at: edit.removedIndexes]
      arranged.notify(.elements, of: group, edit.kind, at: edit.indexes, from: old, to: edit.added ?? []) {
        edit.apply(to: &group.elements)
      }
    }
  }

  /// Returns the step that sets the elements of a group.
  func step(_ group: Group, setting elements: [Element]) -> () -> Void {
    { [arranged] in
      arranged.notify(.elements, of: group, from: group.elements, to: elements) { group.elements = elements }
    }
  }

  /// Returns the step that edits the groups.
  func groupsStep(_ edit: IndexedEdit<Group>) -> () -> Void {
    { [self] in
      let old = present[at: edit.removedIndexes]
      arranged.notify(.groups, of: self, edit.kind, at: edit.indexes, from: old, to: edit.added ?? []) {
        edit.apply(to: &present)
      }
    }
  }

  /// Returns the step that sets the groups.
  private func groupsStep(setting groups: [Group]) -> () -> Void {
    { [self] in arranged.notify(.groups, of: self, from: present, to: groups) { present = groups } }
  }

  // MARK: Whole states

  /// Returns the key and the elements of each group of the arrangement.
  func arrangedGroups() -> [(key: (value: Any?, compared: Any?), elements: [Element])] {
    let content = arranged.content
    var groups: [(key: (value: Any?, compared: Any?), elements: [Element])] = []
    for (index, element) in content.elements.enumerated() {
      if index == 0 || !content.isSameGroup(index - 1, index) { groups.append((content.groupKey(at: index), [])) }
      groups[groups.count - 1].elements.append(element)
    }
    return groups
  }

  /// Applies a setting, and makes the groups anew; one with the key of a former group is the same object.
  func regroup(_ change: ArrangementChange<Element>) {
    arranged.content.apply(change)
    var previous: [AnyHashable: Group] = [:]
    for group in present { if let key = group.identity { previous[key] = group } }
    var steps: [() -> Void] = []
    var kept: Set<ObjectIdentifier> = []
    let arrangedGroups = arrangedGroups()
    let groups = arrangedGroups.map { each in
      guard let key = Group.identity(of: each.key.compared), let group = previous.removeValue(forKey: key) else {
        return Group(each.key, each.elements)
      }
      kept.insert(ObjectIdentifier(group))
      steps.append(step(group, setting: each.elements))
      return group
    }
    for group in present where !kept.contains(ObjectIdentifier(group)) { steps.append(step(group, setting: [])) }
    counts = arrangedGroups.map(\.elements.count)
    arranged.prepend(steps + [groupsStep(setting: groups)])
  }
}

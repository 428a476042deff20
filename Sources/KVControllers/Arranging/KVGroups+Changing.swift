import KVBinding
import KVCore

// Changes of the arrangement of all elements, as changes of groups.
extension KVGroups {
  func notifications(for change: ArrangementChange<Element>) -> [() -> Void] {
    change.steps { [self] kind, _ in
      switch kind {
      case .removal: remove(change)
      case .insertion: insert(change)
      case .replacement: replace(change)
      case .setting: regroup(change)
      }
    }
  }

  private func replace(_ change: ArrangementChange<Element>) {
    arranged.content.apply(change)
    let elements = arranged.content.elements
    arranged.prepend(
      runs(change.inserted).map { run in
        step(present[run.group], IndexedEdit(.replacement, at: run.indexes, added: elements[at: run.flat]))
      })
  }

  private func remove(_ change: ArrangementChange<Element>) {
    let runs = runs(change.removed)
    arranged.content.apply(.removal, of: change)
    for run in runs { counts[run.group] -= run.indexes.count }
    var steps = runs.map { step(present[$0.group], IndexedEdit(.removal, at: $0.indexes)) }
    let empty = runs.map(\.group).filter { counts[$0] == 0 }
    if !empty.isEmpty {
      counts.remove(at: empty)
      steps.append(groupsStep(IndexedEdit(.removal, at: empty)))
    }
    arranged.prepend(steps)
  }

  private func insert(_ change: ArrangementChange<Element>) {
    let starts = starts()
    arranged.content.apply(.insertion, of: change)
    let content = arranged.content
    var steps: [() -> Void] = []
    /// The existing groups that get elements, and the new groups.
    var grown: [(group: Int, indexes: [Int], elements: [Element])] = []
    var new: [(index: Int, elements: [Element], key: (value: Any?, compared: Any?))] = []
    var isLastNew = false
    for (rank, index) in change.inserted.enumerated() {
      let (element, position) = (content.elements[index], index - rank)
      let follows = index > 0 && content.isSameGroup(index - 1, index)
      let joinsLast = follows && rank > 0 && change.inserted[rank - 1] == index - 1
      if joinsLast, isLastNew {
        new[new.count - 1].elements.append(element)
        continue
      }
      // The first element behind that was there before.
      var next = rank
      while next + 1 < change.inserted.count, change.inserted[next + 1] == change.inserted[next] + 1 { next += 1 }
      let successor = change.inserted[next] + 1
      let precedes = !follows && successor < content.elements.count && content.isSameGroup(index, successor)
      guard follows || precedes else {
        isLastNew = true
        new.append((firstGroup(from: position, starts) + new.count, [element], content.groupKey(at: index)))
        continue
      }
      isLastNew = false
      let groupPosition = groupIndex(containing: follows ? position - 1 : position, starts)
      let group = joinsLast ? grown[grown.count - 1].group : groupPosition
      if grown.last?.group != group { grown.append((group, [], [])) }
      let local = position - starts[group] + grown[grown.count - 1].indexes.count
      grown[grown.count - 1].indexes.append(local)
      grown[grown.count - 1].elements.append(element)
    }
    for each in grown {
      counts[each.group] += each.indexes.count
      steps.append(step(present[each.group], IndexedEdit(.insertion, at: each.indexes, added: each.elements)))
    }
    if !new.isEmpty {
      let indexes = new.map(\.index)
      counts.insert(new.map(\.elements.count), at: indexes)
      let groups = new.map { Group($0.key, $0.elements) }
      steps.append(groupsStep(IndexedEdit(.insertion, at: indexes, added: groups)))
    }
    arranged.prepend(steps)
  }
}

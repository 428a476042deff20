import KVControllers

/// The rules of an array controller, written naively: every step makes everything anew (CTR).
///
/// It shares no code with the library. An entry of the content is a slot, so that an object may be in it twice.
final class ArrayControllerOracle<Element: RandomElement> {
  final class Slot {
    let tune: Element
    init(_ tune: Element) { self.tune = tune }
  }

  var content: [Slot] = []
  var arranged: [Slot] = []
  var selected: [Slot] = []
  var orders: [RandomOrder] = []
  /// The filter: ranks below a limit pass.
  var limit: Int?
  var isAutomatic = false
  var clearsFilter = true
  var preserves = true
  var avoidsEmpty = true
  var selectsInserted = true
  var isEditable = true

  /// What the current update has done.
  private(set) var depth = 0
  var assignsContent = false
  var changesContent = false
  var assignsOrders = false
  var assignsLimit = false
  var rearranges = false
  var isEditedByModel = false
  private var vacancy: Int?
  private var hasChangedArrangement = false
  private var before: [Slot] = []

  // MARK: State

  var selectionIndexes: [Int] { arranged.indices.filter { index in selected.contains { $0 === arranged[index] } } }
  var selectedTunes: [Element] { selectionIndexes.map { arranged[$0].tune } }
  var canRemove: Bool { isEditable && !selected.isEmpty }
  var canSelectNext: Bool {
    guard let first = selectionIndexes.first else { return !arranged.isEmpty }
    return first + 1 < arranged.count
  }
  var canSelectPrevious: Bool { (selectionIndexes.first ?? 0) > 0 }

  /// The ranks of objects that have changed since, while a write to several of them is followed one by one.
  var former: [AnyHashable: Int] = [:]
  private func rank(_ tune: Element) -> Int { former[tune.identity] ?? tune.rank }

  func passes(_ tune: Element) -> Bool { limit.map { rank(tune) < $0 } ?? true }

  private func precedes(_ left: Element, _ right: Element) -> Bool {
    for order in orders {
      switch order {
      case .rankUp where rank(left) != rank(right): return rank(left) < rank(right)
      case .rankDown where rank(left) != rank(right): return rank(left) > rank(right)
      case .titleUp where left.title != right.title: return left.title < right.title
      default: continue
      }
    }
    return false
  }

  /// The content that passes, by insertion after all that are not greater.
  private var fresh: [Slot] {
    var result: [Slot] = []
    for slot in content where passes(slot.tune) {
      let index = result.firstIndex { precedes(slot.tune, $0.tune) } ?? result.count
      result.insert(slot, at: index)
    }
    return result
  }

  // MARK: Updates

  func update(_ body: () -> Void) {
    if depth == 0 {
      (assignsContent, changesContent, assignsOrders, assignsLimit, rearranges) = (false, false, false, false, false)
      (vacancy, hasChangedArrangement, before, isEditedByModel) = (nil, false, arranged, false)
    }
    depth += 1
    body()
    depth -= 1
    guard depth == 0 else { return }
    let isChanged = hasChangedArrangement || assignsContent || assignsOrders
    if isChanged, avoidsEmpty { avoidEmpty() }
  }

  /// Selects an object if none is selected.
  func avoidEmpty() {
    if selected.isEmpty, !arranged.isEmpty { selected = [arranged[min(vacancy ?? 0, arranged.count - 1)]] }
  }

  /// Gives the arrangement another value; the selection follows its slots.
  private func arrange(_ new: [Slot]) {
    let indexes = selectionIndexes
    let place = indexes.first ?? vacancy
    if !isSame(new, arranged) { hasChangedArrangement = true }
    let remaining = place.map { place in arranged.prefix(place).filter { slot in new.contains { $0 === slot } }.count }
    arranged = new
    selected = selected.filter { slot in new.contains { $0 === slot } }
    if selected.isEmpty { vacancy = remaining }
  }

  private func isSame(_ left: [Slot], _ right: [Slot]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0 === $1 }
  }

  /// Arranges anew, as descriptors and filters do.
  func rearrange() {
    rearranges = true
    let indexes = selectionIndexes
    let former = arranged
    arrange(fresh)
    if preserves { return }
    selected = indexes.filter(arranged.indices.contains).map { arranged[$0] }
    if selected.isEmpty, let first = indexes.first {
      vacancy = former.prefix(first).filter { slot in arranged.contains { $0 === slot } }.count
    }
  }

  // MARK: The content

  func assign(_ tunes: [Element]) {
    update {
      (assignsContent, changesContent) = (true, true)
      let indexes = selectionIndexes
      let old = selectedTunes
      let place = indexes.first ?? vacancy
      content = tunes.map { Slot($0) }
      arranged = fresh
      if preserves {
        selected = []
        for tune in old {
          if let slot = arranged.first(where: { slot in
            slot.tune.identity == tune.identity && !selected.contains { $0 === slot }
          }) {
            selected.append(slot)
          }
        }
      } else {
        selected = indexes.filter(arranged.indices.contains).map { arranged[$0] }
      }
      vacancy = selected.isEmpty ? place.map { min($0, arranged.count) } : nil
    }
  }

  /// Where a new slot of the content belongs.
  private func place(_ slot: Slot) {
    guard passes(slot.tune) else { return }
    var new = arranged
    if isAutomatic || orders.isEmpty {
      new = isAutomatic ? fresh : content.filter { one in one === slot || arranged.contains { $0 === one } }
      let known = arranged + [slot]
      new = new.filter { one in known.contains { $0 === one } }
    } else {
      new.append(slot)
    }
    arrange(new)
  }

  func insertInContent(_ tunes: [Element], at index: Int) -> [Slot] {
    changesContent = true
    let slots = tunes.map { Slot($0) }
    for (offset, slot) in slots.enumerated() {
      content.insert(slot, at: index + offset)
      place(slot)
    }
    return slots
  }

  func removeFromContent(_ slots: [Slot]) {
    if !slots.isEmpty { changesContent = true }
    content.removeAll { slot in slots.contains { $0 === slot } }
    arrange(arranged.filter { slot in !slots.contains { $0 === slot } })
  }

  func replaceInContent(at index: Int, with tune: Element) {
    changesContent = true
    let slot = Slot(tune)
    let old = content[index]
    content[index] = slot
    if isAutomatic || orders.isEmpty {
      let known = arranged.filter { $0 !== old } + (passes(tune) ? [slot] : [])
      let all = isAutomatic ? fresh : content
      arrange(all.filter { one in known.contains { $0 === one } })
    } else if let index = arranged.firstIndex(where: { $0 === old }) {
      var new = arranged
      if passes(tune) { new[index] = slot } else { new.remove(at: index) }
      arrange(new)
    } else if passes(tune) {
      arrange(arranged + [slot])
    }
  }

  /// Replaces several elements at once.
  func replaceInContent(at indexes: [Int], with tunes: [Element]) {
    let place = selectionIndexes.first ?? vacancy
    let former = arranged.prefix(place ?? 0)
    for (index, tune) in zip(indexes, tunes) { replaceInContent(at: index, with: tune) }
    // The place of the first one, or where it was, whichever is replaced first.
    if place != nil, selected.isEmpty { vacancy = former.filter { slot in arranged.contains { $0 === slot } }.count }
  }

  /// Replaces values by changed ones, which stay selected unless the filter hides them (CTR.28, CTR.36).
  func replace(_ slots: [Slot], by change: (Element) -> Element) {
    update {
      let former = arranged.prefix(selectionIndexes.first ?? 0)
      var new: [Slot] = []
      for slot in slots {
        guard let index = content.firstIndex(where: { $0 === slot }) else { continue }
        replaceInContent(at: index, with: change(slot.tune))
        new.append(content[index])
      }
      let shown = new.filter { slot in arranged.contains { $0 === slot } }
      if !shown.isEmpty { return select(shown) }
      // The place of the first one, whichever is replaced first.
      vacancy = former.filter { slot in arranged.contains { $0 === slot } }.count
    }
  }

  func clearFilter() {
    guard clearsFilter, limit != nil else { return }
    limit = nil
    assignsLimit = true
    rearrange()
  }

  func add(_ tunes: [Element]) {
    update {
      clearFilter()
      let slots = insertInContent(tunes, at: content.count)
      select(inserted: slots)
    }
  }

  /// Returns whether the call is accepted.
  func insert(_ tunes: [Element], at indexes: [Int]) -> Bool {
    let clears = clearsFilter && limit != nil
    let count = clears ? content.count : arranged.count
    if indexes.contains(where: { $0 < 0 || $0 >= count + tunes.count }) { return false }
    if !clears, tunes.contains(where: { !passes($0) }) { return false }
    update {
      clearFilter()
      var slots: [Slot] = []
      let present = arranged
      for (offset, (tune, index)) in zip(tunes, indexes).enumerated() {
        changesContent = true
        let slot = Slot(tune)
        slots.append(slot)
        let next = index - offset < present.count ? present[index - offset] : nil
        let position = next.flatMap { next in content.firstIndex { $0 === next } } ?? content.count
        content.insert(slot, at: position)
        if isAutomatic {
          place(slot)
        } else {
          var new = arranged
          new.insert(slot, at: index)
          arrange(new)
        }
      }
      select(inserted: slots)
    }
    return true
  }

  private func select(inserted slots: [Slot]) {
    guard selectsInserted, !slots.isEmpty else { return }
    select(slots.filter { slot in arranged.contains { $0 === slot } })
  }

  func select(_ slots: [Slot]) {
    update {
      selected = slots
      vacancy = nil
    }
  }

  /// Called after a key of a tune has changed.
  func didChange(_ tune: Element) {
    guard isAutomatic else { return }
    update {
      guard content.contains(where: { $0.tune.identity == tune.identity }) else { return }
      arrange(fresh)
    }
  }

  func setAutomatic(_ value: Bool) {
    update {
      if value, !isAutomatic { rearrange() }
      isAutomatic = value
    }
  }
}

import KVCore

/// The values that the elements of a live arrangement are sorted by, which are read once and kept (SRT.9, SRT.12).
///
/// An element has a slot: a number that the caller chooses. A descriptor whose value of an element cannot be read, or
/// not be compared with the others, sorts the element last (SRT.9).
package final class SortKeyStore {
  private let columns: [SortKeyColumn]
  /// The number of comparisons of two elements, without those of ``sorted(_:)``.
  package private(set) var comparisons = 0
  /// The error of a comparison of two values that could be compared with others; such values count as equal.
  package private(set) var failure: KVError?

  /// Creates the keys of descriptors, without elements.
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors.
  ///   - isGrouped: Whether the values of the first descriptor are wanted with their own types (SRT.11).
  /// - Throws: ``KVError`` (`unsupported`) for an unknown comparison.
  package init(_ descriptors: [KVSortDescriptor], isGrouped: Bool = false) throws(KVError) {
    var columns: [SortKeyColumn] = []
    for descriptor in descriptors {
      columns.append(try SortKeyColumn(descriptor, keepsOriginals: isGrouped && columns.isEmpty))
    }
    self.columns = columns
  }

  private init(_ columns: [SortKeyColumn]) { self.columns = columns }

  /// Returns keys of the same descriptors, without elements.
  package func withoutElements() -> SortKeyStore { SortKeyStore(columns.map { SortKeyColumn(like: $0) }) }

  /// Whether there are no descriptors.
  package var isEmpty: Bool { columns.isEmpty }

  /// Makes room for slots.
  package func reserve(_ count: Int) { for column in columns { column.reserve(count) } }

  /// Reads the values of an object, and keeps them.
  ///
  /// - Returns: The first error; the element comes last then.
  package func read(_ object: AnyObject, to slot: Int) -> KVError? {
    read(to: slot) { reader throws(KVError) in try reader.scalar(of: object) }
  }

  /// Reads the values of an element of any type, and keeps them; see ``read(_:to:)``.
  package func read(value element: Any, to slot: Int) -> KVError? {
    read(to: slot) { reader throws(KVError) in
      try unwrappingOptionals(element).map { value throws(KVError) in try reader.scalar(in: value) } ?? .none
    }
  }

  @inline(__always)
  private func read(to slot: Int, _ scalar: (ScalarReader) throws(KVError) -> Scalar) -> KVError? {
    var failure: KVError?
    for column in columns {
      do throws(KVError) {
        if let error = column.set(try scalar(column.reader), at: slot) { failure = failure ?? error }
      } catch {
        column.setFailed(slot)
        failure = failure ?? error
      }
    }
    return failure
  }

  /// Reads the values of elements, and keeps them; calls a function with the position and the error of those that fail.
  package func read<Element>(_ elements: [Element], to slots: [Int], onFailure: (Int, KVError) -> Void) {
    guard Element.self is AnyClass else {
      for (index, slot) in slots.enumerated() {
        if let error = read(value: elements[index], to: slot) { onFailure(index, error) }
      }
      return
    }
    for column in columns {
      var index = 0
      elements.allObjects { object in
        defer { index += 1 }
        do throws(KVError) {
          if let error = column.set(try column.reader.scalar(of: object), at: slots[index]) { onFailure(index, error) }
        } catch {
          column.setFailed(slots[index])
          onFailure(index, error)
        }
        return true
      }
    }
  }

  /// Forgets the values of a slot.
  package func clear(_ slot: Int) { for column in columns { column.clear(slot) } }

  /// Returns whether the values of all slots are to be read again, since those that refused others are gone (SRT.9).
  package func isStale(_ slots: [Int32]) -> Bool { columns.contains { $0.isStale(slots) } }

  /// Returns the order of the elements of two slots.
  package func compare(_ left: Int, _ right: Int) -> KVOrdering {
    if columns.isEmpty { return .same }
    comparisons &+= 1
    for column in columns {
      do throws(KVError) {
        let ordering = try column.compare(left, right)
        if ordering != .same { return ordering }
      } catch {
        failure = failure ?? error
      }
    }
    return .same
  }

  /// Returns the index of the first of some slots, which are in order, that does not precede a slot.
  ///
  /// - Parameter precedes: Whether a slot that no descriptor tells apart precedes that slot.
  @inline(__always)
  package func lowerBound(of slot: Int, in slots: [Int32], _ precedes: (Int) -> Bool) -> Int {
    // One column is compared without an access for each comparison.
    let column = columns.count == 1 ? columns[0].simpleValues : nil
    let isAscending = columns.first?.isAscending ?? true
    var (low, high, count) = (0, slots.count, 0)
    while low < high {
      let middle = (low + high) / 2
      let other = Int(slots[middle])
      let ordering: KVOrdering
      if let known = column?.compare(other, slot) {
        ordering = isAscending ? known : known.reversed
        count += 1
      } else {
        ordering = compare(other, slot)
      }
      if ordering == .less || ordering == .same && precedes(other) { low = middle + 1 } else { high = middle }
    }
    comparisons &+= count
    return low
  }

  /// Returns whether the first descriptor does not tell the elements of two slots apart.
  package func areAlike(_ left: Int, _ right: Int) -> Bool { (try? columns.first?.compare(left, right)) == .same }

  /// Returns the value of the first descriptor, and what is compared of it.
  package func firstValue(of slot: Int) -> (value: Any?, compared: Any?) {
    (columns.first?.value(slot), columns.first?.comparedValue(slot))
  }

  /// Returns slots in the order of their elements; those that no descriptor tells apart keep their order.
  ///
  /// - Complexity: O(*n* log *n*) comparisons.
  package func sorted(_ slots: [Int]) -> [Int] {
    if columns.isEmpty || slots.count < 2 { return slots }
    let sortColumns = columns.compactMap { $0.sortColumn(slots) }
    if sortColumns.count == columns.count, let order = try? SortKeys(sortColumns, count: slots.count).order() {
      return order.map { slots[$0] }
    }
    let positions = slots.indices.sorted { left, right in
      let ordering = compare(slots[left], slots[right])
      return ordering == .same ? left < right : ordering == .less
    }
    return positions.map { slots[$0] }
  }
}

import KVBinding
import KVTestSupport

extension KVFixtures {
  /// A shelf whose collections are edited by accessors of its table, each of which records its calls.
  ///
  /// The collections are changed by key and through views only, which notify of the changes.
  class Shelf: KVObject {
    /// An array with functions that insert, remove and replace an element at an index.
    private(set) var books: [String]
    /// A set with functions that add and remove members.
    private(set) var labels: Set<String>
    private var calls: [String] = []

    /// Creates a shelf.
    ///
    /// - Parameters:
    ///   - books: The array.
    ///   - labels: The set.
    init(books: [String] = ["a", "b"], labels: Set<String> = ["new"]) {
      self.books = books
      self.labels = labels
    }

    /// Returns the recorded calls of accessors, and clears them.
    ///
    /// - Returns: One line per call: `insert b at 1`, `remove at 0`, `replace at 0 by c`, `set [a]`; for the set
    ///   `add [x]`, `remove [x]` and `set [x]`.
    func takeCalls() -> [String] {
      defer { calls = [] }
      return calls
    }

    /// The keys of a shelf.
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Shelf.self) { key in
        key("books", { $0.books }, set: { $0.setBooks($1) })
          .indexed(
            insert: { $0.insert($1, at: $2) }, remove: { $0.removeBook(at: $1) }, replace: { $0.replace($1, by: $2) })
        key("labels", { $0.labels }, set: { $0.setLabels($1) })
          .unordered(add: { $0.add($1) }, remove: { $0.remove($1) })
      }
    }

    private func setBooks(_ books: [String]) {
      calls.append("set [\(books.joined(separator: ", "))]")
      self.books = books
    }

    private func insert(_ book: String, at index: Int) {
      calls.append("insert \(book) at \(index)")
      books.insert(book, at: index)
    }

    private func removeBook(at index: Int) {
      calls.append("remove at \(index)")
      books.remove(at: index)
    }

    private func replace(_ index: Int, by book: String) {
      calls.append("replace at \(index) by \(book)")
      books[index] = book
    }

    private func setLabels(_ labels: Set<String>) {
      calls.append("set \(Self.list(labels))")
      self.labels = labels
    }

    private func add(_ labels: Set<String>) {
      calls.append("add \(Self.list(labels))")
      self.labels.formUnion(labels)
    }

    private func remove(_ labels: Set<String>) {
      calls.append("remove \(Self.list(labels))")
      self.labels.subtract(labels)
    }

    private static func list(_ labels: Set<String>) -> String { "[\(labels.sorted().joined(separator: ", "))]" }
  }
}

/// A collection of another package without random access, which counts how often an element is passed.
struct Chain<Element>: Collection, RangeReplaceableCollection {
  final class Steps {
    var count = 0
  }

  private var elements: [Element] = []
  let steps = Steps()

  init() {}

  init(_ elements: [Element]) { self.elements = elements }

  var startIndex: Int { 0 }
  var endIndex: Int { elements.count }
  subscript(position: Int) -> Element { elements[position] }

  func index(after index: Int) -> Int {
    steps.count += 1
    return index + 1
  }

  mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Element>) {
    elements.replaceSubrange(range, with: new)
  }
}

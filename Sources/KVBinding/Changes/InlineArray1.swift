/// Elements, of which there is one in most cases: it needs no array, whose memory would be allocated for each change.
struct InlineArray1<Element> {
  private var first: Element?
  private var others: ContiguousArray<Element> = []

  mutating func append(_ element: Element) {
    if first == nil { first = element } else { others.append(element) }
  }

  func forEach(_ body: (Element) -> Void) {
    guard let first else { return }
    body(first)
    if others.isEmpty { return }
    for element in others { body(element) }
  }
}

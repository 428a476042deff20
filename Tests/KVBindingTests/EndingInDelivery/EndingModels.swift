import KVBinding
import KVControllers
import KVCore

/// A node with a key of every kind that an observation can lead through.
final class EndingNode: KVObject {
  struct Place: KeyValueCoding {
    var city = "Ulm"
    static var keyTable: KVTable { KVTable(Place.self) { key in key("city", \.city) } }
  }

  @KVProperty var name = "a"
  @KVProperty var number = 1
  @KVProperty var place = Place()
  @KVProperty var next: EndingNode?
  @KVProperty var items: [EndingNode] = []
  @KVProperty var tags: Set<Int> = []
  var plain = 0
  var label: String { name + place.city }
  var total: Int { items.reduce(next?.number ?? 0) { $0 + $1.number } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: EndingNode.self) { key in
      key("name", \.name)
      key("number", \.number)
      key("place", \.place)
      key("next", \.next)
      key("items", \.items)
      key("tags", \.tags)
      key("plain", \.plain)
      key("label", \.label).affected(by: "name", "place.city")
      key("total", \.total).affected(by: "items", "next.number")
    }
  }

  static func make() -> EndingNode {
    let node = EndingNode()
    node.next = EndingNode()
    node.next?.next = EndingNode()
    node.items = (0..<3).map { _ in EndingNode() }
    return node
  }
}

/// An owner, target and delegate; nothing but the test keeps it.
final class EndingOwner: KVObserver {
  var notify: (EndingPhase) -> Void = { _ in }

  static var note: KVAction<EndingOwner> { KVAction("note") { owner, change in owner.notify(EndingPhase(change)) } }
}

extension EndingOwner: KVListSectionDelegate {
  typealias Row = String
  func section(_ section: any KVListSection<String>, did change: KVListRowChange) { notify(.change) }
}

/// When a handler is called.
enum EndingPhase: CaseIterable {
  case initial, prior, change

  init(_ change: KVChange) { self = change.isInitial ? .initial : change.isPrior ? .prior : .change }
}

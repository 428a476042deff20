import Foundation
import KVTestSupport

enum ParcelSize: CaseIterable { case small, large }

enum ParcelGrade: Int { case low = 1, high = 2 }

struct ParcelFlags: OptionSet {
  let rawValue: Int
  static let fragile = ParcelFlags(rawValue: 1)
}

/// A value that is not `Equatable`: it is compared key by key.
struct ParcelLabel: KeyValueCoding {
  var text = "to"
  var lines = ["a"]

  static var keyTable: KVTable {
    KVTable(ParcelLabel.self) { key in
      key("text", \.text)
      key("lines", \.lines)
    }
  }
}

final class Sender: KVObject {
  @KVProperty var name = "Ada"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Sender.self) { key in key("name", \.name) }
  }
}

/// A model with a property of every kind, all of them as they should be.
class Parcel: KVObject {
  @KVProperty var number = 1
  @KVProperty var small: UInt8 = 255
  @KVProperty var weight = 2.5
  @KVProperty var price: Decimal = 3
  @KVProperty var isPaid = false
  @KVProperty var title = "tea"
  @KVProperty var note: String?
  @KVProperty var size = ParcelSize.small
  @KVProperty var grade = ParcelGrade.low
  @KVProperty var flags: ParcelFlags = []
  @KVProperty var sent = Date(timeIntervalSinceReferenceDate: 0)
  @KVProperty var link = URL(string: "https://example.org")
  @KVProperty var data = Data([1])
  @KVProperty var rows = ["a", "b"]
  @KVProperty var tags: Set<String> = ["a"]
  @KVProperty var scores = ["a": 1]
  @KVProperty var label = ParcelLabel()
  @KVProperty var sender: Sender? = Sender()
  @KVProperty var next: Parcel?
  @KVProperty var parts: [Parcel] = []
  @KVProperty var anything: Any?
  @KVProperty var done: (() -> Void)?
  @KVProperty private(set) var count = 0
  let id = UUID()
  /// Not in the table, and no observable property: nobody expects anything of it.
  var cache = 0
  private var stored = 0
  private var list = ["a", "b"]

  /// Depends on a key, on the end of a path, and on a collection.
  var summary: String { "\(title) \(sender?.name ?? "-") \(rows.count)" }
  /// Depends on another dependent key.
  var shout: String { summary.uppercased() }
  /// Can be set, and sets two others.
  var pair: [String] {
    get { [title, note ?? ""] }
    set { (title, note) = (newValue.first ?? "", newValue.last) }
  }
  /// Tells by hand.
  var level: Int {
    get { stored }
    set { withChange(forKey: "level") { stored = newValue } }
  }
  /// Reads differently each time.
  var moment: Int {
    moments += 1
    return moments
  }
  private var moments = 0
  /// Takes no nil, as its validator says too.
  private var nick: String? = "Al"
  /// Tells by hand, in methods of the model.
  private(set) var phase = 0
  /// Holds another value than the storage behind it.
  var code: String { _code.uppercased() }
  private let _code = "a"
  /// Stays as it is.
  private(set) var fixed: Int {
    get { 1 }
    set {}
  }
  /// Tells its members by hand.
  private var marks: Set<Int> = [1]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Parcel.self) { key in
      key("number", \.number).alias("no")
      key("small", \.small).validated { $0 > 255 ? .replaced(with: 255) : .valid }
      key("weight", \.weight).lenient()
      key("price", \.price)
      key("isPaid", \.isPaid)
      key("title", { $0.title }, set: { $0.title = $1.trimmingCharacters(in: .whitespaces) })
      key("note", \.note)
      key("size", \.size)
      key("grade", \.grade)
      key("flags", \.flags)
      key("sent", \.sent)
      key("link", \.link)
      key("data", \.data)
      key("rows", \.rows)
      key("tags", \.tags)
      key("scores", \.scores)
      key("label", \.label)
      key("sender", \.sender)
      key("next", \.next)
      key("parts", \.parts)
      key("anything", \.anything)
      key("done", \.done)
      key("count", \.count).readOnly()
      key("id", \.id)
      key("summary", \.summary).affected(by: "title", "sender.name", "rows.@count")
      key("shout", \.shout).affected(by: "summary")
      key("pair", \.pair).affected(by: "title", "note")
      key("level", \.level).notifiesManually()
      key("moment", \.moment)
      key("nick", { $0.nick }, set: { if let nick = $1 { $0.nick = nick } }).validated { nick in
        if nick == nil { throw KVError(.invalidValue, "a nick name is needed.") } else { .valid }
      }
      key("code", \.code)
      key("fixed", \.fixed).readOnly()
      key("phase", \.phase).notifiesManually().readOnly()
      key("lines") { $0.rows }.affected(by: "rows").indexed(
        insert: { $0.rows.insert($1, at: $2) }, remove: { $0.rows.remove(at: $1) })
      key("marks") { $0.marks }.notifiesManually().unordered(
        add: { parcel, added in
          parcel.withChange(.insertion, members: added, forKey: "marks") { parcel.marks.formUnion(added) }
        },
        remove: { parcel, removed in
          parcel.withChange(.removal, members: removed, forKey: "marks") { parcel.marks.subtract(removed) }
        })
      key("list") { $0.list }.indexed(insert: { $0.list.insert($1, at: $2) }, remove: { $0.list.remove(at: $1) })
    }
  }
}

/// A subclass, which depends on a key of its superclass, and replaces the line of another one that depends on keys.
final class AirParcel: Parcel {
  @KVProperty private var labels: Set<String> = ["a"]
  var isHeavy: Bool { weight > 3 }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: AirParcel.self) { key in
      key("labels", \.labels).unordered(add: { $0.labels.formUnion($1) }, remove: { $0.labels.subtract($1) })
      key("isHeavy", \.isHeavy).affected(by: "weight")
      key("pair", \.pair)
    }
  }
}

/// A value that shows its mirror something else than what it holds.
struct DisguisedParcel: KeyValueCoding, CustomReflectable {
  var title = "tea"
  var customMirror: Mirror { Mirror(self, children: ["title": "something"]) }

  static var keyTable: KVTable { KVTable(DisguisedParcel.self) { key in key("title", \.title) } }
}

/// A wrapper that keeps its value elsewhere, and can be set by reflection.
@propertyWrapper
struct Boxed<Value>: KVReferenceProperty {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box: Box

  init(wrappedValue: Value) { box = Box(wrappedValue) }

  var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}

/// A property that no table lists, and that reflection sets.
final class BoxedParcel: KVObject {
  @Boxed var title = "tea"
}

/// A model of the main actor.
@MainActor
final class ShownParcel: KVObject {
  @KVProperty var title = "tea"
  var isNamed: Bool { !title.isEmpty }

  override nonisolated init() {}

  override nonisolated class var keyTable: KVTable {
    super.keyTable.extended(for: ShownParcel.self) { @MainActor key in
      key("title", \.title)
      key("isNamed", \.isNamed).affected(by: "title")
    }
  }
}

/// A class that cannot be observed: it is asked for coding alone.
final class PlainParcel: KeyValueCoding {
  var title = "tea"
  var weight = 1.0
  var doubled: Double { weight * 2 }

  static var keyTable: KVTable {
    KVTable(PlainParcel.self) { key in
      key("title", \.title)
      key("weight", \.weight)
      key("doubled", \.doubled)
    }
  }
}

import KVBinding

struct Line: Equatable {
  var title = ""
  var price = 0.0
}

@KVModel final class Order: KVObject {
  var number = 1
  var lines: [Line] = []
  var notes: [String: Int] = [:]
  weak var clerk: Order?
  var comment: String?
  @KVKey(.lenient, .alias("rebate"), .metadata("unit", "percent")) var discount = 0.0
  @KVKey(.validated(by: checkCode)) var code = "none"
  @KVKey("gross", .readOnly) var total: Double { lines.reduce(0) { $0 + $1.price } * (1 - discount) }
  @KVIgnored var cache: [String: Int] = [:]
  private var secret = 1
  var revealed: Int { hidden * 2 }
  private var hidden: Int { secret + 1 }
  let id = 7
  private(set) var state = "new"

  func checkCode(_ code: String) throws -> KVValidation {
    if code == "?" { throw CodeError() }
    return code.isEmpty ? .replaced(with: "none \(number)") : .valid
  }

  func finish() {
    state = "done"
    secret += 1
  }

  struct CodeError: Error {}
}

/// Observers in Swift, which see what they see in plain Swift.
@KVModel final class Gauge: KVObject {
  @KVIgnored var log: [String] = []
  var level = 0 {
    willSet { log.append("will \(level) \(newValue)") }
    didSet {
      log.append("did \(oldValue) \(level)")
      if level > 10 { level = 10 }
    }
  }
  weak var peer: Gauge? { didSet { log.append("peer \(peer === oldValue)") } }
  var limit: Int {
    get { level * 2 }
    set { level = newValue / 2 }
  }
}

@KVModel class Animal: KVObject {
  var name = "animal"
  var label: String { "<\(name)>" }
}

@KVModel final class Dog: Animal {
  var breed = ""
  var full: String { "\(breed) \(self.name)" }
}

/// A subclass without the attribute: its own properties are plain.
final class Cat: Animal {
  var lives = 9
}

@KVModel final class Box<Content>: KVObject {
  var content: Content
  var count = 0
  var doubled: Int { count * 2 }

  init(_ content: Content) { self.content = content }
}

@KVModel class Crate<Item>: KVObject {
  var content: [Item] = []
}

/// A generic subclass of a generic model, whose keys are others.
@KVModel final class LabeledCrate<Item>: Crate<Item> {
  var label = ""
  var title: String { "\(label) \(content.count)" }
}

@KVModel(.root) final class Root: KVObservable {
  var value = 1
  var next: Root?
}

@KVModel(.root) class OpenRoot {
  var value = 1
}

@KVModel @MainActor final class Panel: KVObject {
  var title = ""
  var isOpen = false
  var caption: String { isOpen ? title : "closed" }

  nonisolated override init() { super.init() }
}

@KVModel struct Address: Equatable {
  var city = "London"
  var zip: String?
  var isForeign: Bool { city != "London" }
  private var secret = 1
}

enum Namespace {
  /// A public model within another type.
  @KVModel public final class Nested: KVObject {
    /// A property whose name is a word of the language.
    public var `default` = 1
    @KVKey private var inner = 2
    var sum: Int { `default` + inner }
    func setInner(_ value: Int) { inner = value }
  }
}

@KVModel final class Shelf: KVObject {
  @KVKey(.indexed(insert: insert(_:at:), remove: remove(at:))) var books: [String] = []
  @KVKey(.unordered(add: add(tags:), remove: remove(tags:))) var tags: Set<String> = []
  @KVIgnored var calls: [String] = []

  func insert(_ book: String, at index: Int) {
    calls.append("insert")
    books.insert(book, at: index)
  }
  func remove(at index: Int) {
    calls.append("remove")
    books.remove(at: index)
  }
  func add(tags: Set<String>) {
    calls.append("add")
    self.tags.formUnion(tags)
  }
  func remove(tags: Set<String>) {
    calls.append("take")
    self.tags.subtract(tags)
  }
}

/// Lines by hand beside the generated ones.
@KVModel final class Mixed: KVObject {
  var first = "a"
  var last = "b"

  static func furtherKeys(_ key: KVObjectKeys<Mixed>) {
    key("full") { $0.first + $0.last }.affected(by: "first", "last")
  }
}

/// A table by hand, and properties that notify.
@KVModel final class Handmade: KVObject {
  var first = "a"
  var last = "b"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Handmade.self) { key in key("first", \.first) }
  }
}

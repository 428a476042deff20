import KVControllers
import KVCore
import TestModels
import Testing

/// Paths of elements with keys that do not exist: what is refused, and what is reported (CTR.12, CTR.24, CTR.37).
@Suite struct ElementPathTests {
  /// A value without other keys than the listed ones.
  struct Coin: KeyValueCoding, Equatable {
    var value = 1
    static var keyTable: KVTable { KVTable(Coin.self, listedKeysOnly: true) { key in key("value", \.value) } }
  }

  /// An object whose subclasses can have other keys.
  class Seal: KVObject {
    @KVProperty var value = 1
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Seal.self, listedKeysOnly: true) { $0("value", \.value) }
    }
  }

  /// A superclass, and a subclass with a key more.
  class Shape: KVObject {
    @KVProperty var color = "red"
    var hidden = 1
    override class var keyTable: KVTable { super.keyTable.extended(for: Shape.self) { $0("color", \.color) } }
  }

  final class Circle: Shape {
    @KVProperty var radius = 1
    override class var keyTable: KVTable { super.keyTable.extended(for: Circle.self) { $0("radius", \.radius) } }
  }

  /// An object that has every key.
  final class Ghost: KVObject {
    override func value(forUndefinedKey key: String) throws(KVError) -> Any? { key }
  }

  private static let arrays = ["arrangedObjects", "selectedObjects", "content", "contentArray"]

  private func undefined(_ suggestion: String?, _ body: () throws -> Void) {
    let error = #expect(throws: KVError.self) { try body() }
    #expect(error?.code == .undefinedKey && error?.suggestion == suggestion, "\(String(describing: error))")
  }

  @Test("CTR.12: a key that an element does not have is refused, as that of any object", arguments: arrays)
  func refused(array: String) throws {
    let list = KVArrayController<Tune>()
    list.content = [Tune("a"), Tune("b")]
    undefined("title") { _ = try list.observe("\(array).titel") { _ in } }
    let shelf = Shelf()
    undefined("title") { try shelf.bind("names", to: "\(array).titel", of: list) }
    #expect(KVDiagnostics.observations(of: list).isEmpty && KVDiagnostics.bindings(of: shelf).isEmpty)
    _ = try list.observe("\(array).title") { _ in }
    _ = try list.observe("\(array).self") { _ in }
  }

  @Test("CTR.12: a key of elements that are collections themselves is not looked for when an observer is added")
  func nested() throws {
    let list = KVArrayController<[Book]>()
    list.content = [[Book("A")]]
    #expect(throws: Never.self) { try list.observe("arrangedObjects.titel") { _ in }.cancel() }
  }

  @Test("CTR.12: keys of longer paths, of subclasses, of properties without a line, and of records")
  func accepted() throws {
    let books = KVArrayController<Book>()
    let book = Book("x", by: Writer("Ada"))
    books.content = [book]
    undefined("name") { _ = try books.observe("arrangedObjects.writer.nmae") { _ in } }
    undefined("writer") { _ = try books.observe("arrangedObjects.wirter.name") { _ in } }
    _ = try books.observe("arrangedObjects.writer.name") { _ in }
    let shapes = KVArrayController<Shape>()
    shapes.content = [Circle(), Circle()]
    for path in ["radius", "hidden", "color"] { _ = try shapes.observe("arrangedObjects.\(path)") { _ in } }
    shapes.content = [Circle(), Shape()]
    undefined(nil) { _ = try shapes.observe("arrangedObjects.radius") { _ in } }
    let records = KVArrayController<KVRecord>()
    records.content = [try KVRecord(["a": 1])]
    _ = try records.observe("arrangedObjects.b") { _ in }
    let dictionaries = KVArrayController<[String: Int]>()
    dictionaries.content = [["a": 1]]
    _ = try dictionaries.observe("arrangedObjects.b") { _ in }
    let ghosts = KVArrayController<KVObject>()
    ghosts.content = [Ghost()]
    _ = try ghosts.observe("arrangedObjects.anything") { _ in }
  }

  @Test("CTR.12: without elements, a table that lists all keys refuses others; a key that may exist is accepted")
  func empty() throws {
    let coins = KVArrayController<Coin>()
    for path in ["arrangedObjects.vlaue", "content.vlaue", "selection.vlaue", "selection.@sum.vlaue"] {
      undefined("value") { _ = try coins.observe(path) { _ in } }
    }
    _ = try coins.observe("selection.value") { _ in }
    _ = try KVArrayController<Seal>().observe("selection.vlaue") { _ in }
    undefined("value") { _ = try KVObjectController<Coin>().observe("selection.vlaue") { _ in } }
    let shapes = KVArrayController<Shape>()
    _ = try shapes.observe("arrangedObjects.radius") { _ in }
    _ = try shapes.observe("selection.radius") { _ in }
    _ = try KVArrayController<Any>().observe("arrangedObjects.anything") { _ in }
    _ = try KVArrayController<KVRecord>().observe("selection.anything") { _ in }
  }

  @Test("CTR.12, CTR.37: what may be a typing mistake is a warning, once; an element without the key is an error")
  func reported() throws {
    let (shapes, records) = (KVArrayController<Shape>(), KVArrayController<KVRecord>())
    var tokens: [KVObservation] = []
    let warnings = try capturingEvents(level: .warning) {
      for path in ["arrangedObjects.colour", "selection.colour", "selection.radius"] {
        tokens.append(try shapes.observe(path) { _ in })
      }
      tokens.append(try records.observe("selection.colour") { _ in })
    }
    #expect(warnings.about(shapes).map(\.level) == [.warning] && warnings.about(records).isEmpty)
    #expect(warnings.about(shapes).first?.message.contains("Did you mean \"color\"?") == true)
    let errors = capturingEvents(level: .warning) { shapes.content = [Shape(), Shape(), Circle()] }.about(shapes)
    #expect(errors.map(\.level) == [.error, .error] && errors.first?.keyPath == "arrangedObjects.colour")
    #expect(try shapes.value(forKeyPath: "selection.radius") as? KVSelectionMarker == .notApplicable)
  }

  @Test("CTR.24: descriptors and filters of a content without elements")
  func arranging() throws {
    let coins = KVArrayController<Coin>()
    undefined("value") { try coins.setValue(["vlaue"] as [KVSortDescriptor], forKey: "sortDescriptors") }
    undefined("value") { try coins.setValue("vlaue > 1" as KVPredicate, forKey: "filterPredicate") }
    #expect(coins.sortDescriptors.isEmpty && coins.filterPredicate == nil)
    let errors = capturingEvents { coins.sortDescriptors = ["vlaue"] }.about(coins)
    #expect(errors.map(\.level) == [.error] && coins.sortDescriptors == ["vlaue"])
    let shapes = KVArrayController<Shape>()
    let warnings = capturingEvents { shapes.filterPredicate = "colour == 'red'" }.about(shapes)
    #expect(warnings.map(\.level) == [.warning])
    #expect(capturingEvents { shapes.sortDescriptors = ["radius", "color", "self"] }.about(shapes).isEmpty)
  }
}

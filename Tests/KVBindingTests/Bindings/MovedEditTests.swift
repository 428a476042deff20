import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("Edits whose path leads to another object")
struct MovedEditTests {
  final class Player: KVObject {
    @KVProperty var song: Song?
    @KVProperty var field: Field?
    @KVProperty var playlist: [Song] = []
    @KVProperty var cover = Cover()
    /// Notifies nobody.
    var quiet: Song?

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Player.self) { key in
        key("song", \.song)
        key("field", \.field)
        key("playlist", \.playlist)
        key("cover", \.cover)
        key("quiet", \.quiet)
      }
    }
  }

  struct Cover: KeyValueCoding {
    var title = "Kind"
    static var keyTable: KVTable { KVTable(Cover.self) { key in key("title", \.title) } }
  }

  struct Refusal: Error {}

  let player = Player()
  let field = Field()
  let bob = Song()
  let ada = Song()
  let options = KVBindingOptions(.twoWay, trigger: .onCommit)

  init() {
    (bob.title, ada.title) = ("Bob", "Ada")
    player.song = bob
  }

  @Test("BND.13: an edit is committed to the object for which it was made, and the target shows the new object's value")
  func belongsToItsObject() throws {
    let binding = try field.bind("title", to: "song.title", of: player, options: options)
    field.title = "typed for Bob"
    player.song = ada
    #expect(bob.title == "typed for Bob" && ada.title == "Ada")
    #expect(field.title == "Ada" && !binding.hasPendingEdit && binding.state == .active)
    try binding.commit()
    #expect(ada.title == "Ada")
    field.title = "typed for Ada"
    try binding.commit()
    #expect(ada.title == "typed for Ada" && bob.title == "typed for Bob")
  }

  @Test("BND.13, COA.8: a transaction that fails puts back the path, the objects and the edit, which can be committed")
  func rolledBack() throws {
    let binding = try field.bind("title", to: "song.title", of: player, options: options)
    field.title = "typed for Bob"
    #expect(throws: Refusal.self) {
      try KVTransaction.run {
        try player.setValue(ada, forKey: "song")
        #expect(bob.title == "typed for Bob" && field.title == "Ada")
        throw Refusal()
      }
    }
    #expect(player.song === bob && bob.title == "Bob" && field.title == "typed for Bob")
    #expect(binding.hasPendingEdit)
    try binding.commit()
    #expect(bob.title == "typed for Bob" && ada.title == "Ada")
  }

  @Test("BND.13: an edit waits while the path leads to its object, also if its object changes")
  func waits() throws {
    let binding = try field.bind("title", to: "song.title", of: player, options: options)
    field.title = "typed"
    bob.title = "changed meanwhile"
    player.song = bob
    #expect(field.title == "typed" && binding.hasPendingEdit)
  }

  @Test("BND.13: an edit that its object refuses is discarded; the error is the binding's")
  func refused() throws {
    let refusing = KVTransformer(
      forward: { (text: String) in text },
      reverse: { (text: String) throws -> String in
        if text == "bad" { throw Refusal() }
        return text
      })
    let binding = try field.bind(
      "title", to: "song.title", of: player, options: .init(.twoWay, transformer: refusing, trigger: .onCommit))
    field.title = "bad"
    player.song = ada
    #expect(bob.title == "Bob" && ada.title == "Ada" && field.title == "Ada")
    #expect(binding.state == .failed && binding.lastError?.underlying is Refusal && !binding.hasPendingEdit)
    ada.title = "Ada L."
    #expect(field.title == "Ada L." && binding.state == .active && binding.lastError == nil)
  }

  @Test("BND.13: where nothing notifies of the other object, commit finds it")
  func commitFindsIt() throws {
    player.quiet = bob
    let binding = try field.bind("title", to: "quiet.title", of: player, options: options)
    field.title = "typed"
    player.quiet = ada
    try binding.commit()
    #expect(bob.title == "typed" && ada.title == "Ada" && field.title == "Ada" && !binding.hasPendingEdit)
    field.title = "again"
    player.quiet = bob
    try binding.discard()
    #expect(ada.title == "Ada" && bob.title == "typed" && field.title == "typed")
  }

  @Test("BND.13: an edit that was made for no object reaches none")
  func madeForNothing() throws {
    player.song = nil
    let binding = try field.bind("title", to: "song.title", of: player, options: options)
    field.title = "typed"
    player.song = ada
    #expect(ada.title == "Ada" && field.title == "Ada" && binding.lastError?.code == .unresolvedPath)
  }

  @Test("BND.13: an edit for an object that is gone is discarded with an error, and the path may lead nowhere")
  func gone() throws {
    let binding = try field.bind("title", to: "song.title", of: player, options: options)
    field.title = "typed for Bob"
    player.song = nil
    #expect(bob.title == "typed for Bob" && !binding.hasPendingEdit && binding.state == .unresolved)
    player.song = Song()
    field.title = "typed"
    player.quiet = player.song
    player.song = nil
    #expect(player.quiet?.title == "typed")
  }

  @Test("BND.13: a struct in the source's path belongs to its object, also if another object takes the target's place")
  func structInPath() throws {
    field.next = Field()
    let binding = try field.bind("next.title", to: "cover.title", of: player, options: options)
    field.next?.title = "typed"
    field.next = Field()
    #expect(player.cover.title == "typed" && field.next?.title == "typed")
    #expect(binding.state == .active && !binding.hasPendingEdit)
  }

  @Test("BND.13: an element at an index is the object, too")
  func index() throws {
    player.playlist = [bob]
    try field.bind("title", to: "playlist[0].title", of: player, options: options)
    field.title = "typed"
    try player.mutableArray(forKey: "playlist").insert(ada, at: 0)
    #expect(bob.title == "typed" && ada.title == "Ada" && field.title == "Ada")
  }

  @Test("BND.13: if another object takes the target's place, the edit of the old one is committed")
  func movedTarget() throws {
    let (first, second) = (Field(), Field())
    player.field = first
    let binding = try player.bind("field.title", to: "title", of: bob, options: options)
    first.title = "typed"
    player.field = second
    #expect(bob.title == "typed" && second.title == "typed" && !binding.hasPendingEdit)
  }

  @Test("BND.13: to the source only, the new object gets the target's value at the next commit")
  func toSource() throws {
    let binding = try field.bind("title", to: "song.title", of: player, options: .init(.toSource, trigger: .onCommit))
    field.title = "typed"
    player.song = ada
    #expect(bob.title == "typed" && ada.title == "Ada" && binding.hasPendingEdit)
    try binding.commit()
    #expect(ada.title == "typed")
  }

  @Test("BND.13: an edit of a node belongs to the data object that the node had")
  func dataObject() throws {
    let node = KVNode()
    let label = EditLabel()
    node.addChild(label)
    node.dataObject = bob
    let binding = try label.bindTo("@superview.dataObject.title", "text", options: options)
    label.text = "typed"
    node.dataObject = ada
    #expect(bob.title == "typed" && ada.title == "Ada" && label.text == "Ada" && !binding.hasPendingEdit)
  }

  final class EditLabel: KVNode {
    @KVProperty var text = ""
    override class var keyTable: KVTable {
      super.keyTable.extended(for: EditLabel.self) { key in key("text", \.text) }
    }
  }

  @Test("BND.13: a dispatched binding commits on its executor, before it shows the new value")
  func dispatched() throws {
    let executor = KVManualExecutor()
    let binding = try field.bind(
      "title", to: "song.title", of: player,
      options: .init(.twoWay, trigger: .onCommit, concurrency: .dispatched(executor)))
    executor.runAll()
    field.title = "typed"
    player.song = ada
    #expect(bob.title == "Bob" && !binding.hasPendingEdit)
    executor.runAll()
    #expect(bob.title == "typed" && ada.title == "Ada" && field.title == "Ada")
  }
}

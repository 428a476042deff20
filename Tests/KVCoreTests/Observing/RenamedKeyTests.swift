import KVCore
import Testing

@Suite("KVO.14: keys that are named unlike their property")
struct RenamedKeyTests {
  @Test("KVO.14: a key notifies of direct sets under the name that the table gives it, and once by key")
  func renamed() throws {
    let page = Page()
    let recorder = NameRecorder()
    _ = page.registrarSlot.registrar { recorder }
    recorder.setObservedKeys(["title", "name", "active", "isActive", "other"].map { InternedKey($0) })
    page.name = "direct"
    #expect(recorder.take() == ["title"])
    try page.setValue("by key", forKey: "title")
    #expect(recorder.take() == ["title"])
    page.isActive = true
    #expect(recorder.take() == ["active"])
    try page.setValue(false, forKey: "active")
    #expect(recorder.take() == ["active"])
    page.other = 2
    #expect(recorder.take() == ["other"])
  }

  @Test("KVO.14: the old value may read the property in its deinit, observed or not")
  func dyingValues() {
    let owner = Nest()
    let recorder = NameRecorder()
    _ = owner.registrarSlot.registrar { recorder }
    recorder.setObservedKeys([InternedKey("other")])
    owner.child = Nestling(owner)
    owner.child = nil
    _ = recorder.take()  // keys may share a bit of the mask: registrars look at the key, and this one does not
    recorder.setObservedKeys([InternedKey("child")])
    owner.child = Nestling(owner)
    owner.child = nil
    #expect(recorder.take() == ["child", "child"])
  }
}

final class Page: KVObject {
  @KVProperty var name = ""
  @KVProperty var isActive = false
  @KVProperty var other = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Page.self) { key in
      key("title", \.name)
      key("active", \.isActive)
    }
  }
}

final class Nest: KVObject {
  @KVProperty var child: Nestling?
  @KVProperty var other = 1
}

final class Nestling {
  weak var nest: Nest?
  init(_ nest: Nest) { self.nest = nest }
  deinit { _ = nest?.child }
}

final class NameRecorder: _KVRegistrar, @unchecked Sendable {
  private var names: [String] = []

  override func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {
    names.append(change.key.name)
  }

  func take() -> [String] {
    defer { names = [] }
    return names
  }
}

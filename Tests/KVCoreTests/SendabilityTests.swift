import KVCore
import Testing

// Most of these tests have passed when they compile without a warning.

@Suite("Sendability and isolation")
struct SendabilityTests {
  private func isSendable<Value: Sendable>(_ type: Value.Type) {}

  @Test("KP.1, KVC.18, TAB.8: the values of the package are Sendable")
  func values() {
    isSendable(KVKeyPath.self)
    isSendable(KVKeyPath.Component.self)
    isSendable(KVError.self)
    isSendable(KVError.Code.self)
    isSendable(InternedKey.self)
    isSendable(KVTable.self)
    isSendable(KVKeyDescription.self)
    isSendable(AnyNumber.self)
    isSendable(KVProperty<Int>.self)
    isSendable(_KVRegistrar.self)
  }

  @Test("THR.3: a model of the main actor is read, written and observed by key") @MainActor
  func mainActorObject() throws {
    let form = MainForm()
    let log = ChangeLog.attached(to: form, keys: "title", "count")
    try form.setValue("new", forKey: "title")
    try form.setValue(2, forKeyPath: "count")
    try form.setValue("Paris", forKeyPath: "town.city")
    form.title += "!"
    #expect(form.title == "new!" && form.count == 2 && form.town.city == "Paris")
    #expect(try form.value(forKey: "summary", as: String.self) == "new!: 2")
    #expect(try form.value(forKeyPath: "town.city") as? String == "Paris")
    #expect(log.takeAll() == ["will title", "did title", "will count", "did count", "will title", "did title"])
    #expect(MainForm.keyTable.keys.map(\.name) == ["title", "count", "town", "summary"])
  }

  @Test("THR.3: a subclass of a model of the main actor extends its table") @MainActor
  func mainActorSubclass() throws {
    let form = LongForm()
    try form.setValue(9, forKey: "pages")
    try form.setValue("x", forKey: "title")
    #expect(form.pages == 9 && form.title == "x")
  }

  @Test("THR.3: a class of the main actor that is no KVObject conforms with a nonisolated table") @MainActor
  func mainActorConformance() throws {
    let panel = Panel()
    try panel.setValue(0.5, forKey: "width")
    #expect(try panel.value(forKey: "width", as: Double.self) == 0.5)
    #expect(try KVC.value(of: [panel], forKeyPath: "@sum.width") as? Double == 0.5)
  }

  @Test("THR.3: the table of a model of the main actor can be read anywhere")
  func tableElsewhere() async {
    let names = await Task.detached { MainForm.keyTable.keys.map(\.name) }.value
    #expect(names.count == 4)
  }

  @Test("THR.3: a model of the main actor that is reached elsewhere traps")
  func elsewhereTraps() async {
    await #expect(processExitsWith: .failure) {
      let form = Smuggled(form: MainForm())
      await Task.detached { _ = try? KVC.value(of: form.form, forKeyPath: "title") }.value
    }
  }

  @Test("THR.3: a value that is Sendable goes to another task with its table")
  func sendableValues() async throws {
    let city = try await Task.detached { try SendableTown().value(forKey: "city") as? String }.value
    #expect(city == "London")
  }
}

/// Takes an object of the main actor out of it, which the compiler otherwise prevents.
private struct Smuggled: @unchecked Sendable {
  let form: MainForm
}

@MainActor
private class MainForm: KVObject {
  @KVProperty var title = "t"
  var count = 1
  var town = Town()
  var summary: String { "\(title): \(count)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: MainForm.self) { @MainActor key in
      key("title", \.title)
      key("count", \.count)
      key("town", \.town)
      key("summary") { $0.summary }.affected(by: "title", "count")
    }
  }
}

@MainActor
private final class LongForm: MainForm {
  @KVProperty var pages = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LongForm.self) { @MainActor key in key("pages", { $0.pages }, set: { $0.pages = $1 }) }
  }
}

@MainActor
private final class Panel: KeyValueCoding {
  var width = 1.0

  nonisolated static var keyTable: KVTable { KVTable(Panel.self) { @MainActor key in key("width", \.width) } }
}

private struct SendableTown: KeyValueCoding, Sendable {
  var city = "London"
  static var keyTable: KVTable { KVTable(SendableTown.self) { key in key("city", \.city) } }
}

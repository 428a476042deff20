import KVControllers
import KVCore
import Testing

/// The code of Docs/Controllers.md.
@Suite("The guide Controllers")
struct ControllersGuideTests {
  private final class Address: KVObject {
    @KVProperty var city = "Rome"

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Address.self) { key in key("city", \.city) }
    }
  }

  private final class Person: KVObject {
    @KVProperty var name = "Bob"
    @KVProperty var address = Address()

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Person.self) { key in
        key("name", \.name)
        key("address", \.address)
      }
    }
  }

  private final class Account: KVObject {
    @KVProperty var owner: Person?

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Account.self) { key in key("owner", \.owner) }
    }
  }

  private final class View: KVObject {
    @KVProperty var text = ""
    @KVProperty var isEnabled = true

    override class var keyTable: KVTable {
      super.keyTable.extended(for: View.self) { key in
        key("text", \.text)
        key("isEnabled", \.isEnabled)
      }
    }
  }

  @Test("CTR.14, CTR.16, CTR.34, CTR.36, CTR.38, EDT.3: the examples do what the guide says")
  func guide() throws {
    let (account, removeButton, nameField, cityField) = (Account(), View(), View(), View())
    let form = KVObjectController { Person() }
    try form.bindContent(to: "owner", of: account)
    try nameField.bind(
      "text", to: "selection.name", of: form, options: .init(.twoWay, noSelection: "", trigger: .onCommit))
    try removeButton.bind("isEnabled", to: "canRemove", of: form)
    #expect(!removeButton.isEnabled)
    try form.add()
    #expect(account.owner?.name == "Bob" && removeButton.isEnabled && nameField.text == "Bob")
    let binding = try cityField.bind(
      "text", to: "selection.address.city", of: form,
      options: .init(.twoWay, noSelection: "", multipleValues: "several cities"))
    #expect(binding.marker == nil && binding.isEditable)
    guard case .value(let city) = form.selection["address.city"] else { return _ = Issue.record("no value") }
    #expect(city as? String == "Rome")
    #expect(try form.value(forKeyPath: "selection.@count", as: Int.self) == 1)
    try form.setValue("Paris", forKeyPath: "selection.address.city")
    #expect(cityField.text == "Paris")
    nameField.text = "Ada"
    #expect(form.isEditing)
    try form.commitEditing()
    #expect(account.owner?.name == "Ada")
    try form.remove()
    #expect(account.owner == nil && nameField.text.isEmpty)
    form.update {
      form.content = Person()
      form.isEditable = false
    }
    #expect(account.owner != nil && !removeButton.isEnabled)
  }
}

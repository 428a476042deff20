import KVBinding
import KVTestSupport
import Testing

@testable import FormInspector

@Suite("A form for any model") struct FormTests {
  let track = Track()
  let form: Form

  init() throws { form = try Form(for: track) }

  @Test("the models comply with key-value coding and observing")
  func compliance() {
    expectCompliant(values: ["title": "Giant Steps"]) { Track() }
    expectCompliant(ignoring: ["setterNotObservable": []]) { try Form(for: Track()) }
  }

  @Test("there is a field for each key, with its title, kind and text")
  func fields() {
    #expect(form.fields.map(\.title) == ["Title", "Seconds", "Rating", "Favourite", "Medium", "Players", "Length"])
    #expect(form.fields.map(\.kind) == [.text, .number, .number, .toggle, .text, .detail, .text])
    #expect(
      form.fields.map(\.text)
        == ["Blue Train", "643", "4.5", "true", "vinyl", "[\"Coltrane\", \"Morgan\"]", "10 min 43 s"])
    #expect(form.fields.filter(\.isReadOnly).map(\.key) == ["players", "length"])
  }

  @Test(
    "text becomes a value of the key's type",
    arguments: [
      ("seconds", "600"), ("rating", "3.5"), ("isFavourite", "false"), ("medium", "tape"), ("title", "Naima"),
    ])
  func edit(key: String, text: String) throws {
    form[key]?.text = text
    #expect(try track.value(forKey: key).map { "\($0)" } == text)
    #expect(form[key]?.problem == nil && form.isValid)
    expectConsistent(bindingsOf: try #require(form[key]))
  }

  @Test("an empty text is nil where the key takes nil")
  func empty() {
    form["rating"]?.text = ""
    #expect(track.rating == nil && form.isValid)
  }

  @Test(
    "what does not fit stays in the field with a sentence, and the model as it was",
    arguments: ["seconds", "medium", "isFavourite"])
  func fault(key: String) throws {
    let old = try track.value(forKey: key)
    expectChanges(of: form, [.set("isValid", from: true, to: false)]) { form[key]?.text = "10:43" }
    #expect(KVC.areEqual(try track.value(forKey: key), old))
    #expect(form[key]?.text == "10:43" && form[key]?.problem != nil)
  }

  @Test("what the model's validator refuses is a problem of the field, until it is mended")
  func validator() {
    form["title"]?.text = ""
    #expect(form["title"]?.problem?.contains("a track has a title") == true && track.title == "Blue Train")
    expectChanges(of: form, [.set("isValid", to: true)]) { form["title"]?.text = "Naima" }
    #expect(form["title"]?.problem == nil && track.title == "Naima")
  }

  @Test("fields follow the model, computed keys as well")
  func follows() {
    track.seconds = 61
    #expect(form["seconds"]?.text == "61" && form["length"]?.text == "1 min 1 s")
  }

  @Test("the form keeps no model, and its fields end with it")
  func lifetime() throws {
    var track: Track? = Track()
    let form = try Form(for: try #require(track))
    expectReleased(&track)
    #expect(form["title"]?.text == "Blue Train")
  }
}

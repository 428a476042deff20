import KVBinding
import KVCore
import TestModels
import Testing

@Suite("CTL.1: controls")
struct ControlTests {
  let song = Song()
  let slider = SliderControl()

  @Test("CTL.1: the target of a binding may be a control; its events go to the source", arguments: [false, true])
  func twoWay(sendsForPrograms: Bool) throws {
    let slider = SliderControl(in: 0...10, sendsForPrograms: sendsForPrograms)
    let binding = try slider.bind("value", to: "length", of: song, options: .twoWay)
    #expect(slider.value == 2.5)
    slider.drag(to: 4)
    #expect(song.length == 4)
    song.length = 3
    #expect(slider.value == 3 && binding.state == .active)
    #expect(binding.description.hasPrefix("Song.length ⇄ SliderControl.value [active]"))
  }

  @Test(
    "CTL.1: no notification of its own changes, whether or not the control sends events for them",
    arguments: [false, true])
  func noSelfNotification(sendsForPrograms: Bool) throws {
    let slider = SliderControl(in: 0...10, sendsForPrograms: sendsForPrograms)
    var changes = 0
    let token = try song.observe("length") { _ in changes += 1 }
    try slider.bind("value", to: "length", of: song, options: .init(.twoWay, skipsEqual: false))
    #expect(slider.sets == 1 && changes == 0)
    song.length = 4
    #expect(slider.sets == 2 && changes == 1)
    slider.drag(to: 5)
    #expect(changes == 2 && song.length == 5)
    token.cancel()
  }

  @Test("CTL.1: events go through the reverse transform, as other changes do")
  func reverseTransform() throws {
    song.rating = 2
    try slider.bind(
      "value", to: "rating", of: song, transform: { (stars: Int) in Double(stars) / 5 },
      reverse: { (part: Double) in Int((part * 5).rounded()) })
    #expect(slider.value == 0.4)
    slider.drag(to: 0.79)
    // The source took what it was given, so the slider stays under the finger (BND.3).
    #expect(song.rating == 4 && slider.value == 0.79)
  }

  @Test("CTL.1: the source's validator is called by option, and its failures are the state of the binding")
  func validation() throws {
    let terminal = Terminal()
    let binding = try terminal.bind("line", to: "title", of: song, options: .init(.twoWay, validates: true))
    #expect(terminal.shown == "Blue")
    terminal.enter("")
    #expect(song.title == "untitled" && terminal.shown == "untitled")
    let number = try terminal.bind("line", to: "rating", of: song, options: .init(.toSource, initialSync: .none))
    let events = capturingEvents { terminal.enter("many") }
    #expect(number.state == .failed && song.rating == 3 && song.title == "many")
    #expect(!events.about("rating").isEmpty)
    number.cancel()
    #expect(binding.isActive)
  }

  @Test("CTL.1: from source to target only, events are ignored")
  func oneWay() throws {
    try slider.bind("value", to: "length", of: song)
    #expect(slider.handlers.isEmpty)
    song.length = 0.25
    slider.drag(to: 0.75)
    #expect(song.length == 0.25)
  }

  @Test("CTL.1: to the source only, the source takes the control's value")
  func toSource() throws {
    try slider.bind("value", to: "length", of: song, options: .toSource)
    #expect(song.length == 0.5)
    slider.drag(to: 1)
    #expect(song.length == 1)
    song.length = 0
    #expect(slider.value == 1)
  }

  @Test("CTL.1: a commit event commits what the control has changed")
  func commit() throws {
    let binding = try slider.bind("value", to: "length", of: song, options: .init(.twoWay, trigger: .onCommit))
    slider.drag(to: 0.25, isDone: false)
    #expect(song.length == 2.5 && binding.hasPendingEdit)
    slider.drag(to: 0.75)
    #expect(song.length == 0.75 && !binding.hasPendingEdit)
    slider.handlers.send(.committed)
    #expect(song.length == 0.75)
    slider.drag(to: 0.5, isDone: false)
    try slider.discardEditing()
    #expect(slider.value == 0.75)
  }

  @Test(
    "CTL.1: a control that only sends an event when it is committed has changed then",
    arguments: KVUpdateTrigger.allCases)
  func commitOnly(trigger: KVUpdateTrigger) throws {
    let terminal = Terminal()
    try terminal.bind("line", to: "title", of: song, options: .init(.twoWay, trigger: trigger))
    terminal.enter("typed")
    #expect(song.title == (trigger == .explicit ? "Blue" : "typed"))
  }

  @Test("CTL.1: a control that clamps is not set twice, and the source keeps its value until the user acts")
  func clamping() throws {
    song.length = 7
    try slider.bind("value", to: "length", of: song, options: .twoWay)
    #expect(slider.value == 1 && song.length == 7)
    slider.drag(to: 0.5)
    #expect(song.length == 0.5)
  }

  @Test("CTL.1: several bindings of one control are all notified of its event")
  func several() throws {
    let other = Song()
    try slider.bind("value", to: "length", of: song, options: .twoWay)
    try slider.bind("value", to: "length", of: other, options: .twoWay)
    slider.drag(to: 0.3)
    #expect(song.length == 0.3 && other.length == 0.3)
    #expect(slider.bindings.count == 2)
    #expect(try slider.unbind("value", from: "length", of: song) == 1)
    slider.drag(to: 0.4)
    #expect(song.length == 0.3 && other.length == 0.4)
  }
}

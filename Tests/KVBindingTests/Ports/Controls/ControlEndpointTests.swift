import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("CTL.1: how bindings of controls begin and end")
struct ControlEndpointTests {
  @Test("CTL.1: a control that is deallocated first ends its binding, and leaves nothing registered")
  func controlDeallocates() throws {
    let song = Song()
    var slider: SliderControl? = SliderControl()
    weak let control = slider
    let binding = try #require(slider).bind("value", to: "length", of: song, options: .twoWay)
    slider = nil
    #expect(control == nil)
    song.length = 1
    #expect(binding.state == .ended && KVDiagnostics.observations(of: song).isEmpty)
  }

  @Test("CTL.1: a source that is deallocated first ends it, and the control calls nothing any more")
  func sourceDeallocates() throws {
    let slider = SliderControl()
    var song: Song? = Song()
    let binding = try slider.bind("value", to: "length", of: try #require(song), options: .twoWay)
    #expect(!slider.handlers.isEmpty)
    expectReleased(&song)
    #expect(binding.state == .ended && slider.handlers.isEmpty)
    slider.drag(to: 0.1)
  }

  @Test("CTL.1: to the source only, the control finds out at its next event")
  func sourceDeallocatesUnobserved() throws {
    let slider = SliderControl()
    var song: Song? = Song()
    let binding = try slider.bind("value", to: "length", of: try #require(song), options: .toSource)
    song = nil
    slider.drag(to: 0.1)
    #expect(binding.state == .ended && slider.handlers.isEmpty)
  }

  @Test("CTL.1: dropping and ending a binding removes what was added to the control")
  func dropped() throws {
    let slider = SliderControl()
    let song = Song()
    var binding: KVPathBinding? = try KVPathBinding(from: song, "length", to: slider, "value", options: .twoWay)
    slider.drag(to: 0.25)
    #expect(song.length == 0.25 && binding?.isActive == true)
    binding = nil
    #expect(slider.handlers.isEmpty)
    let other = try slider.bind("value", to: "length", of: song, options: .init(.twoWay, trigger: .onCommit))
    other.cancel()
    other.cancel()
    #expect(slider.handlers.isEmpty)
    slider.drag(to: 0.75)
    #expect(song.length == 0.25)
  }

  @Test("CTL.1: what the closures of a binding capture is released with it")
  func closuresGo() throws {
    final class Captured {}
    var captured: Captured? = Captured()
    let slider = SliderControl()
    let song = Song()
    do {
      let capture = captured
      let binding = try slider.bind(
        "value", to: "length", of: song,
        transform: { (length: Double) in
          withExtendedLifetime(capture) {}
          return length
        }, reverse: { (value: Double) in value })
      binding.cancel()
    }
    expectReleased(&captured)
  }

  @Test("CTL.1: a binding may be ended by what its event sets off")
  func endedInEvent() throws {
    let slider = SliderControl()
    let song = Song()
    let binding = try slider.bind("value", to: "length", of: song, options: .twoWay)
    let token = try song.observe("length") { _ in binding.cancel() }
    slider.drag(to: 0.25)
    #expect(song.length == 0.25 && slider.handlers.isEmpty)
    slider.drag(to: 0.75)
    #expect(song.length == 0.25)
    token.cancel()
  }

  @Test("CTL.1: what cannot be observed is refused, and nothing is left behind")
  func refusals() throws {
    let song = Song()
    let lamp = Lamp()
    let silent = #expect(throws: KVError.self) {
      try lamp.bind("brightness", to: "length", of: song, options: .twoWay)
    }
    #expect(silent?.code == .notObservable)
    #expect(
      silent?.message
        == """
        Lamp sends no events, so no binding can follow its "brightness". Let addControlHandler(for:_:) return a token for one \
        of them, or bind one-way.
        """)
    try lamp.bind("brightness", to: "length", of: song)
    #expect(lamp.brightness == 2.5)

    let slider = SliderControl()
    let unknown = #expect(throws: KVError.self) {
      try slider.bind("valeu", to: "length", of: song, options: .init(.twoWay, initialSync: .none))
    }
    #expect(unknown?.code == .undefinedKey && slider.handlers.isEmpty)
  }

  @Test("CTL.1: a control within a longer path is observed as long as it is there")
  func longerPaths() throws {
    let song = Song()
    let panel = Panel()
    let binding = try panel.bind("slider.value", to: "length", of: song, options: .twoWay)
    #expect(binding.state == .unresolved)
    let first = SliderControl(in: 0...10)
    panel.slider = first
    #expect(first.value == 2.5 && binding.state == .active)
    first.drag(to: 4)
    #expect(song.length == 4)
    let second = SliderControl(in: 0...10)
    panel.slider = second
    #expect(second.value == 4 && song.length == 4 && first.handlers.isEmpty)
    first.drag(to: 5)
    #expect(song.length == 4)
    second.drag(to: 6)
    #expect(song.length == 6)
    panel.slider = nil
    #expect(second.handlers.isEmpty && binding.state == .unresolved)
    panel.slider = first
    #expect(first.value == 6)
    binding.cancel()
    #expect(first.handlers.isEmpty)
  }

  @Test("CTL.1: to the source only, a control within a longer path is observed too; one-way it is not")
  func longerPathsOtherWays() throws {
    let song = Song()
    let panel = Panel()
    let back = try panel.bind("slider.value", to: "length", of: song, options: .toSource)
    #expect(song.length == 2.5)
    let slider = SliderControl(0.25)
    panel.slider = slider
    #expect(song.length == 0.25)
    slider.drag(to: 0.75)
    #expect(song.length == 0.75)
    back.cancel()
    try panel.bind("slider.value", to: "length", of: song)
    #expect(slider.handlers.isEmpty)
    song.length = 1
    #expect(slider.value == 1)
  }

  @Test("CTL.1: the path to a control may be a constant one, from a root that cannot be observed")
  func constantPaths() throws {
    let song = Song()
    let desk = Desk()
    let binding = try desk.bind("slider.value", to: "length", of: song, options: .twoWay)
    desk.slider.drag(to: 0.75)
    #expect(song.length == 0.75 && binding.state == .active)
    #expect(throws: KVError.self) { try desk.bind("lamp.brightness", to: "length", of: song, options: .twoWay) }
    #expect(throws: KVError.self) { try desk.bind("slider.range.x", to: "length", of: song, options: .twoWay) }

    let rack = Rack()
    let fixed = try rack.bind("slider.value", to: "length", of: song, options: .twoWay)
    #expect(fixed.state == .active && rack.slider.value == 0.75)
    rack.slider.drag(to: 0.5)
    #expect(song.length == 0.5)
    let oneWay = try rack.bind("slider.value", to: "length", of: song)
    song.length = 0.25
    #expect(oneWay.state == .active && rack.slider.value == 0.25)
  }

  @Test("CTL.1: handlers that are removed during an event are not called, added ones from the next event on")
  func handlerList() {
    let handlers = KVControlHandlers()
    var calls: [String] = []
    var second: Any?
    let first = handlers.add(for: .valueChanged) {
      calls.append("first")
      if let token = second { handlers.remove(token) }
      _ = handlers.add(for: .valueChanged) { calls.append("third") }
    }
    second = handlers.add(for: .valueChanged) { calls.append("second") }
    handlers.send(.committed)
    handlers.send(.valueChanged)
    #expect(calls == ["first"])
    handlers.remove(first)
    handlers.remove(first)
    handlers.send(.valueChanged)
    #expect(calls == ["first", "third"])
    handlers.remove("no token")
  }
}

import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

/// Holds a control whose value is no key of it.
private final class Console: KVObject {
  @KVProperty var terminal: Terminal?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Console.self) { key in key("terminal", \.terminal) }
  }
}

/// Runs something while a handler is added to it.
private final class BusySlider: SliderControl {
  var onAddHandler: (() -> Void)?

  override func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    let run = onAddHandler
    onAddHandler = nil
    run?()
    return super.addControlHandler(for: event, handler)
  }
}

@Suite("CTL.1: controls in longer paths")
struct NestedControlTests {
  private let song = Song()
  private let panel = Panel()

  @Test("CTL.1: a source path through a control is refused, since nothing would notify of its value")
  func refusedSource() throws {
    let slider = SliderControl(0.25)
    panel.slider = slider
    let error = #expect(throws: KVError.self) { try song.bind("length", to: "slider.value", of: panel) }
    #expect(
      error?.message == """
        SliderControl at "slider" is a control, which notifies by events, so no binding can follow "slider.value" from \
        Panel. Bind the control to the model instead: control.bind("value", to: "…", of: model, options: .toSource).
        """)
    #expect(error?.code == .notObservable && song.length == 2.5 && song.bindings.isEmpty)
    // The cure.
    try slider.bind("value", to: "length", of: song, options: .toSource)
    #expect(song.length == 0.25)
    slider.drag(to: 0.75)
    #expect(song.length == 0.75)
    // What only reads once, or only sets the control, needs no events.
    let other = Song()
    try other.bind("length", to: "slider.value", of: panel, options: .once)
    #expect(other.length == 0.75)
  }

  @Test("CTL.1, KP.5: a long source path is searched for controls in linear time, and reads each key once a step")
  func longPaths() throws {
    final class Node: KVObject {
      var reads = 0
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Node.self) { key in
          key("next") { node -> Node in
            node.reads += 1
            return node
          }.notifiesManually()
          key("name") { _ in "n" }.notifiesManually()
        }
      }
    }
    func reads(_ count: Int) throws -> Int {
      let node = Node()
      let path = Array(repeating: "next", count: count).joined(separator: ".") + ".name"
      withExtendedLifetime(try song.bind("title", to: path, of: node)) {}
      return node.reads
    }
    let (some, many) = (try reads(20), try reads(40))
    #expect(some > 0 && many <= 2 * some + 20)
  }

  @Test("CTL.1: a control that appears in a source path later is an error of the binding")
  func refusedLater() throws {
    let binding = try song.bind("length", to: "slider.value", of: panel)
    #expect(binding.state == .unresolved)
    _ = capturingEvents { panel.slider = SliderControl(0.25) }
    #expect(binding.state == .failed && binding.lastError?.code == .notObservable)
  }

  @Test("CTL.1: a control in a longer path is read and set by its own functions")
  func ownFunctions() throws {
    let console = Console()
    let terminal = Terminal()
    console.terminal = terminal
    let binding = try console.bind(
      "terminal.shownText", to: "title", of: song, options: .init(.twoWay, validates: true))
    #expect(terminal.shown == "Blue" && binding.state == .active)
    song.title = "Green"
    #expect(terminal.shown == "Green")
    terminal.enter("typed")
    #expect(song.title == "typed")
    terminal.enter("")
    #expect(song.title == "untitled" && terminal.shown == "untitled")
    let next = Terminal()
    console.terminal = next
    #expect(next.shown == "untitled")
    next.enter("second")
    terminal.enter("unheard")
    #expect(song.title == "second")
    binding.cancel()
    next.enter("unheard")
    #expect(song.title == "second")
  }

  @Test("CTL.1: one-way, too, and whether or not the control is there at first")
  func oneWay() throws {
    let console = Console()
    let binding = try console.bind("terminal.shownText", to: "title", of: song)
    #expect(binding.state == .unresolved)
    let terminal = Terminal()
    console.terminal = terminal
    #expect(terminal.shown == "Blue" && binding.state == .active)
    song.title = "Green"
    #expect(terminal.shown == "Green")
  }

  @Test(
    "CTL.1: a control that replaces another one while a handler is added to that is the one that is observed",
    arguments: [0, 1])
  func replacedWhileAddingHandler(isThere: Int) throws {
    let first = BusySlider(in: 0...10)
    let second = SliderControl(in: 0...10)
    first.onAddHandler = { [panel] in panel.slider = second }
    if isThere == 1 { panel.slider = first }
    let binding = try panel.bind("slider.value", to: "length", of: song, options: .twoWay)
    if isThere == 0 { panel.slider = first }
    #expect(panel.slider === second && first.handlers.isEmpty && !second.handlers.isEmpty)
    second.drag(to: 4)
    #expect(song.length == 4)
    first.drag(to: 5)
    #expect(song.length == 4)
    binding.cancel()
    #expect(first.handlers.isEmpty && second.handlers.isEmpty)
  }

  @Test(
    "CTL.1: a binding that is cancelled while a handler is added to a control leaves nothing in it",
    arguments: KVUpdateTrigger.allCases)
  func cancelledWhileAddingHandler(trigger: KVUpdateTrigger) throws {
    let slider = BusySlider()
    let binding = try panel.bind("slider.value", to: "length", of: song, options: .init(.twoWay, trigger: trigger))
    slider.onAddHandler = { binding.cancel() }
    panel.slider = slider
    #expect(binding.state == .ended && slider.handlers.isEmpty)
    #expect(KVDiagnostics.observations(of: panel).isEmpty && KVDiagnostics.observations(of: song).isEmpty)
  }

  @Test("THR.1: a binding that is cancelled on two threads at once leaves nothing in its control")
  func endedTwice() throws {
    for _ in 0..<200 {
      let slider = SliderControl()
      let reference = KVUncheckedSendable(slider)
      let model = Song()
      let binding = try slider.bind("value", to: "length", of: model, options: .init(.twoWay, initialSync: .none))
      WorkerThread.run([{ binding.cancel() }, { binding.cancel() }])
      #expect(reference.value.handlers.isEmpty && model.bindings.isEmpty)
    }
  }
}

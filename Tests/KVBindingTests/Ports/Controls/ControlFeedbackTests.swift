import KVBinding
import KVCore
import TestModels
import Testing

/// A control whose toolkit tells twice of what a program sets: once as it was asked for, and once as it was clamped.
final class ClampingControl: KVControl {
  private var stored = 0.0
  var value: Double {
    get { stored }
    set {
      stored = newValue
      handlers.send(.valueChanged)
      if stored > 1 {
        stored = 1
        handlers.send(.valueChanged)
      }
    }
  }
  let handlers = KVControlHandlers()
  static var keyTable: KVTable { KVTable(ClampingControl.self) { key in key("value", \.value) } }
  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    handlers.add(for: event, handler)
  }
  func removeControlHandler(_ token: Any) { handlers.remove(token) }
}

@Suite("CTL.1: controls that send events for what a binding sets")
struct ControlFeedbackTests {
  let model = KeyBox()

  @Test("CTL.1: a control that clamps, and sends an event for it, does not change the model")
  func clamping() throws {
    let control = ClampingControl()
    try control.bind("value", to: "price", of: model, options: .twoWay)
    model.price = 5
    #expect(control.value == 1 && model.price == 5)
  }

  @Test("CTL.1: on commit it does even less")
  func clampingOnCommit() throws {
    let control = ClampingControl()
    try control.bind("value", to: "price", of: model, options: .init(.twoWay, trigger: .onCommit))
    model.price = 5
    #expect(control.value == 1 && model.price == 5)
  }

  @Test("CTL.1, BND.13: a pending edit survives a change of the source that is not its own value")
  func pendingEdit() throws {
    let control = SliderControl()
    try control.bind("value", to: "size.width", of: model, options: .init(.twoWay, trigger: .onCommit))
    control.drag(to: 0.25, isDone: false)
    model.size.height = 3
    control.handlers.send(.committed)
    #expect(model.size.width == 0.25)
  }
}

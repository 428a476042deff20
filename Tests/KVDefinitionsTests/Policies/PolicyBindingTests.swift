import Foundation
import KVBinding
import KVCore
import KVDefinitions
import KVDocuments
import TestModels
import Testing

@Suite("Binding by a policy")
struct PolicyBindingTests {
  let policy: KVPolicy
  let patient = Patient.withDoctorAndChildren()
  let view = Patient()

  init() throws { policy = try Patient.policy() }

  @Test("SEC.4: a binding reads and writes what the policy permits")
  func permitted() throws {
    try view.bind("label", to: policy.keyPath("doctor.name"), of: patient)
    (patient.doctor as? Patient)?.name = "Bea"
    #expect(view.label == "Bea")
    view.unbindAll()
    try view.bind(policy.keyPath("label"), to: "label", of: patient, options: .twoWay)
    view.label = "1"
    #expect(patient.label == "1")
    view.unbindAll()
    try view.bind("name", to: policy.keyPath("label"), of: patient, options: .twoWay)
    view.name = "2"
    #expect(patient.label == "2")
  }

  @Test("SEC.4: a source that is denied is not bound", arguments: Patient.denied)
  func sources(text: String) throws {
    for options in [KVBindingOptions.once, .oneWay, .twoWay] {
      #expect(throws: KVError.self) {
        try view.bind("label", to: try policy.keyPath(text), of: patient, options: options)
      }
    }
    #expect(view.label == "" && KVDiagnostics.bindings(of: view).isEmpty)
  }

  @Test("SEC.4: a target or a source that may be read only is not written")
  func readOnly() throws {
    for text in ["name", "diagnosis", "pin", "room.floor", "doctor", "doctor.name", "visits"] {
      let path = try policy.keyPath(text)
      for options in [KVBindingOptions.once, .oneWay, .twoWay] {
        let error = #expect(throws: KVError.self, "\(text)") {
          try patient.bind(path, to: "label", of: view, options: options)
        }
        #expect(error?.code == .notPermitted, "\(text): \(String(describing: error))")
      }
      #expect(throws: KVError.self, "\(text)") { try view.bind("label", to: path, of: patient, options: .twoWay) }
      #expect(throws: KVError.self, "\(text)") { try view.bind("visits", to: path, of: patient, options: .twoWay) }
    }
    #expect(patient.name == "Ann" && patient.visits == [1, 2])
    // What the source is set to at the beginning is written, too.
    #expect(throws: KVError.self) {
      try view.bind("label", to: policy.keyPath("name"), of: patient, options: .init(.oneWay, initialSync: .fromTarget))
    }
    #expect(patient.name == "Ann")
  }

  @Test("BND.2, SEC.4: a binding that may write a member, and not the key that contains it, is refused by the call")
  func containers() throws {
    var policy = KVPolicy("members")
    try policy.allow(Patient.self, keys: .all, writing: ["label"])
    try policy.allow(Room.self, keys: .all, writing: .all)
    patient.children = [Patient()]
    patient.children[0].visits = [1]
    for (text, sentence) in [
      ("room.floor", #""room" of Patient may not be written. The policy "members" permits writing label of it."#),
      ("visits[0]", #""visits" of Patient may not be written. The policy "members" permits writing label of it."#),
      (
        "children[0].room.floor",
        #""room" of Patient may not be written. The policy "members" permits writing label of it."#
      ),
      (
        "doctor.visits[0]",
        #""visits" of Patient may not be written. The policy "members" permits writing label of it."#
      ),
    ] {
      let path = try policy.keyPath(text)
      for options in [KVBindingOptions.twoWay, .toSource] {
        let error = #expect(throws: KVError.self, "\(text)") {
          try Bed().bind("number", to: path, of: patient, options: options)
        }
        #expect(error?.code == .notPermitted && error?.message == sentence, "\(text): \(String(describing: error))")
      }
      #expect(throws: KVError.self) { try patient.bind(path, to: "number", of: Bed()) }
    }
    try Bed().bind("number", to: policy.keyPath("room.floor"), of: patient)
    try policy.allow(Patient.self, keys: [], writing: ["room"])
    let bed = Bed()
    try bed.bind("number", to: policy.keyPath("room.floor"), of: patient, options: .twoWay)
    bed.number = 5
    #expect(patient.room.floor == 5)
  }

  private final class Bed: KVObject {
    @KVProperty var number = 0
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Bed.self) { key in key("number", \.number) }
    }
  }

  @Test("SEC.2: an object that appears later is neither read nor written by a binding")
  func later() throws {
    let reading = try view.bind("label", to: policy.keyPath("doctor.name"), of: patient)
    let writing = try patient.bind(policy.keyPath("doctor.label"), to: "label", of: view)
    let safe = Safe()
    _ = capturingEvents {
      patient.doctor = safe
      view.label = "x"
      safe.name = "silver"
    }
    #expect(view.label == "x" && safe.label == "gold")
    #expect(reading.lastError?.code == .notPermitted && writing.lastError?.code == .notPermitted)
  }

  @Test("SEC.7: definitions obey the policy of their options")
  func definitions() throws {
    func bind(_ definition: KVBindingDefinition) throws(KVBindingFaults) -> KVBindingSet {
      try KVBindingSet([definition], owner: patient, options: .init(allowsReflection: true, policy: policy))
    }
    let set = try bind(KVBindingDefinition("doctor.name", to: "label"))
    #expect(patient.label == "Ann")
    set.cancel()
    patient.label = ""
    for text in Patient.denied {
      for direction in [KVBindingDirection.once, .oneWay, .twoWay] {
        let faults = #expect(throws: KVBindingFaults.self, "\(text)") {
          try bind(KVBindingDefinition(try KVKeyPath(text), to: "label", direction: direction))
        }
        #expect(
          (faults?.faults.first?.underlying as? KVError)?.code == .notPermitted,
          "\(text): \(String(describing: faults))")
      }
      #expect(throws: KVBindingFaults.self, "\(text)") {
        try bind(KVBindingDefinition("name", to: try KVKeyPath(text)))
      }
    }
    #expect(throws: KVBindingFaults.self) { try bind(KVBindingDefinition("label", to: "name")) }
    #expect(throws: KVBindingFaults.self) { try bind(KVBindingDefinition("name", to: "label", direction: .twoWay)) }
    #expect(throws: KVBindingFaults.self) {
      try bind(KVBindingDefinition("code", ofSource: "room", to: "label", ofTarget: "doctor"))
    }
    patient.doctor = Safe()
    #expect(throws: KVBindingFaults.self) { try bind(KVBindingDefinition("name", ofSource: "doctor", to: "label")) }
    #expect(throws: KVBindingFaults.self) { try bind(KVBindingDefinition("name", to: "label", ofTarget: "doctor")) }
    #expect(patient.name == "Ann" && patient.label == "")
    let text = #"{"version": 1, "bindings": [{"sourceKeyPath": "diagnosis", "targetKeyPath": "label"}]}"#
    #expect(throws: (any Error).self) {
      let definitions = try KVBindingDefinitions(data: Data(text.utf8))
      _ = try KVBindingSet(definitions.definitions, owner: patient, options: .init(policy: policy))
    }
  }

  @Test("SEC.7: the option policy limits both paths of a binding, and refuses a path with another policy")
  func options() throws {
    let options = KVBindingOptions(.twoWay, policy: policy)
    try view.bind("label", to: "label", of: patient, options: options)
    view.label = "1"
    #expect(patient.label == "1")
    for (path, source) in [("name", "label"), ("label", "name"), ("label", "diagnosis"), ("diagnosis", "label")] {
      let error = #expect(throws: KVError.self, "\(path) \(source)") {
        try view.bind(path, to: source, of: patient, options: options)
      }
      #expect(error?.code == .notPermitted)
    }
    let other = KVPolicy("other")
    let error = #expect(throws: KVError.self) {
      try view.bind("label", to: try other.keyPath("label"), of: patient, options: options)
    }
    #expect(error?.message.contains("has the policy \"other\" and cannot get that of \"wards\"") == true)
  }

  @Test("BND.2: a function beside the option transformer is refused")
  func functionAndTransformer() throws {
    let error = #expect(throws: KVError.self) {
      try view.bind("label", to: "name", of: patient, options: .init(transformer: .isNil)) { (name: String) in name }
    }
    #expect(error?.code == .unsupported && KVDiagnostics.bindings(of: view).isEmpty)
    #expect(
      error?.message == """
        the binding of "label" was given a function and the option transformer: leave one out, or join them with \
        then(_:).
        """)
  }

  @Test("DEF.3: an option that each definition says itself is a fault")
  func optionsOfDefinitions() throws {
    let definition = KVBindingDefinition("name", to: "label")
    let faults = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet([definition, definition], owner: patient, options: .init(.twoWay, nullPlaceholder: "-"))
    }
    #expect(
      faults?.faults.map(\.message) == [
        """
        each definition says its direction, nullPlaceholder itself: leave that out of the options, which give \
        definitions their concurrency, isTraced, allowsReflection and policy.
        """
      ])
    #expect(patient.label == "")
  }

  final class Sign: KVNode {
    @KVProperty var text = ""
    @KVProperty var color = "red"
    @KVProperty var neighbour: KVNode?
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Sign.self) { key in
        key("text", \.text)
        key("color", \.color)
        key("neighbour", \.neighbour)
      }
    }
  }

  @Test("SEC.7: declarations of a tree obey the policy of their options")
  func trees() throws {
    let (root, sign) = (KVNode(), Sign())
    root.addChild(sign)
    root.dataObject = patient
    sign.neighbour = root
    var policy = policy
    try policy.allow(Sign.self, keys: [], writing: ["text"])
    let options = KVBindingOptions(allowsReflection: true, policy: policy)
    try sign.bindTo("@superview.dataObject.name", "text", options: options)
    #expect(sign.text == "Ann")
    sign.text = ""
    for (declaration, path) in [
      ("@superview.dataObject.diagnosis", "text"), ("@superview.pin", "text"), ("@rootview.room.code", "text"),
      ("@superview.dataObject.name", "color"), ("neighbour.dataObject.name", "text"),
      ("@superviewWithTag[1].dataObject.name", "text"), ("@superview.dataObject.children.@unionOfObjects.name", "text"),
    ] {
      let error = #expect(throws: KVError.self, "\(declaration)") {
        try sign.bindTo(declaration, path, options: options)
      }
      #expect(error?.code == .notPermitted, "\(declaration): \(String(describing: error))")
      #expect(throws: KVError.self) { try sign.bindTo(attributes: [declaration: path], options: options) }
    }
    #expect(sign.text == "" && sign.color == "red")
  }

  fileprivate final class Slider: KVControl {
    var value = "a"
    var hidden = "b"
    private let handlers = KVControlHandlers()
    static var keyTable: KVTable {
      KVTable(Slider.self) { key in
        key("value", \.value)
        key("hidden", \.hidden)
      }
    }
    func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
      handlers.add(for: event, handler)
    }
    func removeControlHandler(_ token: Any) { handlers.remove(token) }
    func controlValue(forKey key: String) throws(KVError) -> Any? { key == "value" ? value : hidden }
    func setControlValue(_ new: Any?, forKey key: String) throws(KVError) {
      if key == "value" { value = new as? String ?? "" } else { hidden = new as? String ?? "" }
    }
  }

  @Test("SEC.4: a control is not reached by keys that are denied")
  func controls() throws {
    let slider = Slider()
    var policy = policy
    try policy.allow(Slider.self, keys: [], writing: ["value"])
    try slider.bind(policy.keyPath("value"), to: "label", of: patient, options: .twoWay)
    #expect(slider.value == "")
    _ = capturingEvents {
      for options in [KVBindingOptions.once, .oneWay, .twoWay] {
        _ = try? slider.bind(policy.keyPath("hidden"), to: "name", of: patient, options: options)
        _ = try? slider.bind(policy.keyPath("nothing"), to: "name", of: patient, options: options)
      }
    }
    #expect(slider.hidden == "b" && patient.name == "Ann")
  }

  @Test("SEC.4: a transaction writes nothing that is denied")
  func transactions() throws {
    #expect(throws: KVError.self) {
      try KVTransaction.run {
        try patient.setValue("1", forKeyPath: policy.keyPath("label"))
        try patient.setValue("2", forKeyPath: policy.keyPath("name"))
      }
    }
    #expect(patient.name == "Ann" && patient.label == "")
    try KVTransaction.run { try patient.setValue("1", forKeyPath: policy.keyPath("label")) }
    #expect(patient.label == "1")
  }

  @Test("SEC.8: an excerpt of a document does not read by a path with a policy")
  func excerpts() throws {
    var policy = KVPolicy("documents")
    try policy.allow([String: Any].self, keys: ["a"])
    let data = Data(#"{"a": 1, "b": 2}"#.utf8)
    for key in ["a", "b"] {
      let error = #expect(throws: KVError.self) {
        try KVDocumentExcerpt(of: policy.keyPath(key)) { data }
      }
      #expect(error?.code == .unsupported)
    }
    let document = try KVDocument(data: data).root
    #expect(try KVC.value(of: document as Any, forKeyPath: policy.keyPath("a")) as? Int == 1)
    #expect(throws: KVError.self) { try KVC.value(of: document as Any, forKeyPath: policy.keyPath("b")) }
  }
}

import Dispatch
import KVBinding
import KVControllers
import KVCore
import TestModels
import Testing

@Suite("Observing by a policy")
struct PolicyObservingTests {
  let policy: KVPolicy
  let patient = Patient.withDoctorAndChildren()

  init() throws { policy = try Patient.policy() }

  @Test("SEC.4: what may be read is observed as without a policy")
  func permitted() throws {
    var heard: [String] = []
    var tokens: [KVObservation] = []
    for text in ["name", "doctor.name", "children.@count", "children.@max.name", "room.floor", "report", "visits"] {
      tokens.append(
        try patient.observe(policy.keyPath(text), options: [.old, .new]) {
          heard.append("\(text) \($0.old ?? "-") \($0.new ?? "-")")
        })
    }
    patient.name = "Bea"
    (patient.doctor as? Patient)?.name = "Cid"
    patient.children.append(Patient())
    patient.children[0].name = "Dan"
    patient.room.floor = 2
    #expect(heard.contains("name Ann Bea") && heard.contains("doctor.name Ann Cid") && heard.contains("room.floor 1 2"))
    #expect(heard.contains("children.@count 2 3") && heard.contains("children.@max.name Ann Dan"))
    // A key that depends on a denied one tells what the author of the model lets it.
    #expect(heard.contains("report Ann: secret Bea: secret"))
    for token in tokens { token.cancel() }
    let typed = try patient.observe(policy.keyPath("name"), as: String.self) { heard.append("typed \($0.new ?? "")") }
    patient.name = "Eve"
    #expect(heard.last == "typed Eve")
    typed.cancel()
  }

  @Test("SEC.4: nothing else is observed", arguments: Patient.denied)
  func denied(text: String) throws {
    let plain = try? patient.observe(text, options: [.old, .new]) { _ in }
    for _ in 0..<2 {
      for options: KVObservingOptions in [[], [.old, .new], [.initial, .new], [.prior, .old], [.membershipOnly]] {
        #expect(throws: KVError.self) {
          try patient.observe(try policy.keyPath(text), options: options) { _ in Issue.record("heard \(text)") }
        }
      }
    }
    patient.diagnosis = "other"
    (patient.doctor as? Patient)?.diagnosis = "other"
    plain?.cancel()
  }

  @Test("SEC.2: a denied entry `self` of a record is not observed: `self` is the record")
  func itself() throws {
    let store = Store()
    store.record["self"] = "secret"
    var heard: [Int?] = []
    let token = try store.observe(Store.policy().keyPath("record.self.open"), options: [.new]) {
      heard.append($0.new as? Int)
    }
    store.record["self"] = "other"
    store.record["open"] = 2
    #expect(heard == [2])
    token.cancel()
  }

  @Test("SEC.2: an object that appears later on an observed path is protected")
  func later() throws {
    var heard: [Any?] = []
    let others = try patient.observe("doctor.name", options: [.old, .new]) { _ in }
    let token = try patient.observe(policy.keyPath("doctor.name"), options: [.old, .new]) { heard.append($0.new) }
    let (safe, known) = (Safe(), Patient())
    let events = capturingEvents {
      patient.doctor = safe
      safe.name = "silver"
      patient.doctor = known
      known.name = "Bea"
    }
    #expect(heard.map { $0 as? String } == [nil, "Ann", "Bea"])
    #expect(events.contains { $0.message.contains("may not be read") })
    token.cancel()
    others.cancel()
  }

  @Test("SEC.1: paths with policies are used on several threads at once")
  func threads() throws {
    for _ in 0..<50 {
      // Nothing has been looked up yet for these paths, nor for the policy.
      let policy = try Patient.policy()
      let (name, label) = (try policy.keyPath("name"), try policy.keyPath("label"))
      let diagnosis = try policy.keyPath("diagnosis")
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        let patient = Patient()
        #expect((try? patient.value(forKeyPath: name) as? String) == "Ann")
        #expect(throws: KVError.self) { try patient.setValue("x", forKeyPath: name) }
        #expect(throws: KVError.self) { try patient.value(forKeyPath: diagnosis) }
        #expect(throws: Never.self) { try patient.setValue("\(index)", forKeyPath: label) }
        #expect(patient.name == "Ann" && patient.label == "\(index)")
      }
    }
  }

  @Test("SEC.4: elements are observed by paths of the policy")
  func elements() throws {
    let children = try policy.keyPath("children")
    var heard = 0
    let token = try patient.observeElements(of: children, try policy.keyPath("name")) { _ in heard += 1 }
    patient.children[0].name = "Bea"
    #expect(heard == 1)
    token.cancel()
    for text in ["diagnosis", "pin", "room.code"] {
      #expect(throws: KVError.self, "\(text)") {
        try patient.observeElements(of: children, try policy.keyPath(text)) { _ in }
      }
    }
  }

  @Test("SEC.4: a selection obeys the rules for what is selected, and mapped arrays are not observed")
  func selections() throws {
    let list = KVArrayController<Patient>()
    list.content = [Patient(), Patient()]
    list.selectionIndex = 0
    var policy = policy
    try policy.allow(KVArrayController<Patient>.self, keys: ["selection", "arrangedObjects"])
    #expect(try list.value(forKeyPath: policy.keyPath("selection.name")) as? String == "Ann")
    var heard: [String] = []
    let token = try list.observe(policy.keyPath("selection.name"), options: .new) { heard.append("\($0.new ?? "-")") }
    list.content[0].name = "Bea"
    #expect(heard == ["Bea"])
    token.cancel()
    for text in ["selection.diagnosis", "selection.pin", "selection.@max.diagnosis", "arrangedObjects.diagnosis"] {
      let path = try policy.keyPath(text)
      #expect(throws: KVError.self, "\(text)") { try list.value(forKeyPath: path) }
      #expect(throws: KVError.self, "\(text)") { try list.observe(path) { _ in } }
      #expect(throws: KVError.self, "\(text)") { try list.setValue("x", forKeyPath: path) }
    }
    #expect(throws: KVError.self) { try list.observe(try policy.keyPath("arrangedObjects.name")) { _ in } }
    #expect(throws: KVError.self) { try list.setValue("x", forKeyPath: policy.keyPath("selection.name")) }
    try list.setValue("x", forKeyPath: policy.keyPath("selection.label"))
    #expect(list.content[0].label == "x" && list.content[0].diagnosis == "secret")
  }

  @Test("SEC.2, KVO.19: what is refused through a selection has one error, and no name that is kept")
  func refusedSelections() throws {
    let list = KVArrayController<Cabinet>()
    list.content = [Cabinet()]
    list.selectionIndex = 0
    var policy = policy
    try policy.allow(Cabinet.self, keys: ["floor"])
    try policy.allow(KVArrayController<Cabinet>.self, keys: ["selection"])
    for key in ["code", "cod"] {
      let error = #expect(throws: KVError.self) { try list.observe(policy.keyPath("selection.\(key)")) { _ in } }
      #expect(error?.code == .notPermitted && error?.knownKeys == ["floor"])
    }
    let patients = KVArrayController<Patient>()
    patients.content = [Patient()]
    patients.selectionIndex = 0
    try policy.allow(KVArrayController<Patient>.self, keys: ["selection"])
    #expect(throws: KVError.self) { try patients.observe(policy.keyPath("selection.unkept pin")) { _ in } }
    #expect(InternedKey.existing("unkept pin") == nil)
  }

  /// A list of which the policy permits the names of patients, and nothing of safes.
  private func observed(
    _ options: KVObservingOptions = [.old, .new], _ body: @escaping (KVChange) -> Void
  ) throws -> (KVArrayController<KVObject>, KVObservation) {
    var policy = policy
    try policy.allow(KVArrayController<KVObject>.self, keys: ["selection"])
    let list = KVArrayController<KVObject>()
    return (list, try list.observe(try policy.keyPath("selection.name"), options: options, handler: body))
  }

  @Test(
    "SEC.2: an observer through a selection does not learn that a refused value changes",
    arguments: [[.old, .new], [], .prior] as [KVObservingOptions])
  func refusedChanges(options: KVObservingOptions) throws {
    var calls = 0
    let (list, token) = try observed(options) { _ in calls += 1 }
    // Another observer reads the same values without the policy.
    let free = try list.observe("selection.name", options: [.old, .new]) { _ in }
    let safe = Safe()
    let reports = capturingEvents { list.content = [safe] }.about(list).count { $0.message.contains("may not be read") }
    calls = 0
    safe.name = "silver"
    try safe.setValue("bronze", forKey: "name")
    try list.setValue("tin", forKeyPath: "selection.name")
    safe.withChange(forKey: "name") {}
    #expect(calls == 0 && reports == 1)
    token.cancel()
    free.cancel()
  }

  @Test("SEC.2: a permitted value that a refused one replaces is withdrawn, and the error is reported once")
  func withdrawn() throws {
    var heard: [String] = []
    let (list, token) = try observed { heard.append("\($0.old ?? "nil") → \($0.new ?? "nil")") }
    list.content = [Safe()]
    #expect(heard == [])
    list.content = [Patient()]
    let events = capturingEvents { list.content = [Safe()] }.about(list)
    list.content = [Safe(), Patient()]
    list.content = [Patient()]
    #expect(heard.filter { !$0.contains("Marker") } == ["nil → Ann", "Ann → nil", "nil → Ann"])
    #expect(events.count { $0.message.contains("may not be read") } == 1)
    token.cancel()
  }

  @Test("SEC.2: a change that a handler makes within a wave withdraws the permitted value, too")
  func withdrawnInWave() throws {
    let (root, middle, other, source, permitted, safe) = (Patient(), Patient(), Patient(), Patient(), Patient(), Safe())
    (root.doctor, middle.doctor, other.doctor, source.doctor) = (middle, permitted, safe, permitted)
    var kept: Any? = "Ann"
    let token = try root.observe(policy.keyPath("doctor.doctor.name"), options: [.old, .new]) { kept = $0.new }
    let bindings = [
      try middle.bind("doctor", to: "doctor", of: source),
      try root.bind("doctor", to: "doctor", of: source) { (new: KVObject?) -> KVObject? in new === safe ? other : middle
      },
    ]
    let again = try middle.observe("doctor") { _ in root.doctor = middle }
    _ = capturingEvents { source.doctor = safe }
    #expect(kept == nil)
    again.cancel()
    token.cancel()
    bindings.forEach { $0.cancel() }
  }

  @Test("SEC.2, BND.11: a marker of several values is withdrawn, and a binding fails from any marker")
  func markers() throws {
    var heard: [String] = []
    let (list, token) = try observed([.new]) { heard.append("\($0.new ?? "nil")") }
    var policy = policy
    try policy.allow(KVArrayController<KVObject>.self, keys: ["selection"])
    let label: KVRecord = ["text": ""]
    let options = KVBindingOptions(noSelection: "none", multipleValues: "several")
    let binding = try label.bind("text", to: policy.keyPath("selection.name"), of: list, options: options)
    _ = capturingEvents { list.content = [Safe()] }
    #expect(heard == [] && binding.state == .failed && binding.lastError?.code == .notPermitted)
    let patients = [Patient(), Patient()]
    patients[1].name = "Bo"
    list.content = patients
    list.selectionIndexes = [0, 1]
    #expect(label["text"] as? String == "several" && binding.state == .active)
    _ = capturingEvents { list.content = [Safe()] }
    #expect(heard.last == "nil" && binding.state == .failed)
    binding.cancel()
    token.cancel()
  }

  @Test("SEC.2: neither a marker for all selections nor another error of another object hides what the policy refuses")
  func hidden() throws {
    var policy = policy
    try policy.allow(KVArrayController<KVObject>.self, keys: ["selection"])
    let (list, safe) = (KVArrayController<KVObject>(), Safe())
    list.content = [Patient(), safe]
    list.selectionIndexes = [0, 1]
    for path in ["selection.name", "selection.name[0]"] {
      list.alwaysUsesMultipleValuesMarker = path == "selection.name"
      let error = #expect(throws: KVError.self) { try list.value(forKeyPath: policy.keyPath(path)) }
      #expect(error?.code == .notPermitted, "\(path)")
      #expect(throws: KVError.self) { try list.observe(policy.keyPath(path)) { _ in } }
    }
  }

  @Test("SEC.2: an observer of a selection itself learns nothing by a single key either")
  func selectionAsRoot() throws {
    let list = KVArrayController<Patient>()
    list.content = [Patient()]
    let text = policy
    var heard: [String] = []
    let token = try list.selection.observe(text.keyPath("name"), options: [.new]) { heard.append("\($0.new ?? "nil")") }
    let denied = #expect(throws: KVError.self) { try list.selection.observe(text.keyPath("pin")) { _ in } }
    list.content[0].name = "Bea"
    #expect(heard == ["Bea"] && denied?.code == .notPermitted)
    token.cancel()
  }

  @Test("SEC.9: live lists and filters of controllers read and observe by the paths of the policy")
  func filters() throws {
    let named = try KVPredicate(format: "name == 'Ann'").limited(by: policy)
    let children = [Patient(), Patient()]
    patient.children = children
    let arrangement = try KVArrangement<Patient>(of: "children", in: patient, where: named)
    let list = KVArrayController<Patient>()
    list.automaticallyRearrangesObjects = true
    list.filterPredicate = named
    list.content = children
    children[0].name = "Bea"
    for elements in [arrangement.elements, list.arrangedObjects] {
      #expect(elements.count == 1 && elements.first === children[1])
    }
    let secret = try KVPredicate(format: "diagnosis == 'secret'").limited(by: policy)
    let error = #expect(throws: KVError.self) {
      try KVArrangement<Patient>(of: "children", in: patient, where: secret)
    }
    #expect(error?.code == .notPermitted)
    let reports = capturingEvents { list.filterPredicate = secret }.about(list)
    #expect(reports.first?.level == .error && reports.first?.message.contains("may not be read") == true)
  }
}

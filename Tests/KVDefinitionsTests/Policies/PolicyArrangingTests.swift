import KVBinding
import KVControllers
import KVCore
import TestModels
import Testing

@Suite("Live lists whose descriptors and filters get another policy")
struct PolicyArrangingTests {
  let policy: KVPolicy
  let ward = Patient()

  init() throws {
    policy = try Patient.policy()
    ward.children = ["Ann", "Bea", "Cid"].map { name in
      let (patient, doctor) = (Patient(), Patient())
      (patient.name, patient.doctor) = (name, doctor)
      return patient
    }
  }

  private func names(_ list: KVArrangement<Patient>) -> [String] { list.elements.map(\.name) }

  private func setDiagnosis(_ text: String, ofDoctorAt index: Int) {
    (ward.children[index].doctor as? Patient)?.diagnosis = text
  }

  @Test("SEC.1: a descriptor that equals the former one, but for its policy, obeys the policy")
  func equalDescriptors() throws {
    let list = try KVArrangement<Patient>(of: "children", in: ward, sortedBy: ["diagnosis"])
    let limited = KVSortDescriptor(try policy.keyPath("diagnosis"))
    let error = #expect(throws: KVError.self) { try list.arrange(by: [limited]) }
    #expect(error?.code == .notPermitted)
    #expect(capturingEvents { list.descriptors = [limited] }.contains { $0.message.contains("may not be read") })
    #expect(list.arrangementError?.code == .notPermitted)
    try list.arrange(by: ["diagnosis"])
    #expect(list.arrangementError == nil)
  }

  @Test("SEC.9: a predicate that equals the former one, but for its policy, throws as another one does")
  func equalPredicates() throws {
    let secret = try KVPredicate(format: "diagnosis == 'secret'")
    let list = try KVArrangement<Patient>(of: "children", in: ward, where: secret)
    let error = #expect(throws: KVError.self) {
      try list.arrange(by: [.descending("name")], where: secret.limited(by: policy))
    }
    #expect(error?.code == .notPermitted && names(list) == ["Ann", "Bea", "Cid"])
  }

  /// Has what a controller is bound to.
  private final class Search: KVObject {
    @KVProperty var filter: KVPredicate?
    @KVProperty var order: [KVSortDescriptor] = []
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Search.self) { key in
        key("filter", \.filter)
        key("order", \.order)
      }
    }
  }

  @Test("SEC.1, UND.1: a binding, .distinct and undo do not take what differs in its policy only for the same")
  func bound() throws {
    let (list, search, undo) = (KVArrayController<Patient>(), Search(), KVUndoManager())
    let filter = try KVPredicate(format: "name == 'Ann'")
    (search.filter, search.order) = (filter, ["name"])
    try list.bind("filterPredicate", to: "filter", of: search)
    try list.bind("sortDescriptors", to: "order", of: search)
    try undo.record(search, keys: ["filter"])
    var calls = 0
    let token = try search.observe("filter", options: [.new, .distinct]) { _ in calls += 1 }
    let (limited, order) = try (filter.limited(by: policy), [KVSortDescriptor(policy.keyPath("name"))])
    (search.filter, search.order) = (limited, order)
    #expect(list.filterPredicate == limited && list.filterPredicate != filter)
    #expect(list.sortDescriptors == order && list.sortDescriptors != ["name"])
    #expect(calls == 1 && undo.canUndo)
    token.cancel()
  }

  @Test("SEC.2: a filter that is refused does not tell which keys there are, while there are no elements either")
  func noElements() throws {
    let list = KVArrayController<Cabinet>()
    for key in ["code", "cod"] {
      let filter = try KVPredicate(format: "\(key) == ''").limited(by: policy)
      #expect(capturingEvents { list.filterPredicate = filter }.about(list).isEmpty)
      #expect(throws: Never.self) { try list.setValue(filter, forKey: "filterPredicate") }
    }
    list.content = [Cabinet()]
    #expect(list.arrangementError?.code == .notPermitted)
  }

  @Test("SEC.9, SRT.10: what a predicate with a policy could not observe is observed for an equal one without it")
  func observedAnew() throws {
    let secret = try KVPredicate(format: "doctor.diagnosis == 'secret'")
    let list = try KVArrangement<Patient>(of: "children", in: ward)
    _ = try capturingEvents { list.predicate = try secret.limited(by: policy) }
    #expect(names(list) == [])
    list.predicate = secret
    setDiagnosis("none", ofDoctorAt: 0)
    #expect(names(list) == ["Bea", "Cid"])
    let controller = KVArrayController<Patient>()
    controller.automaticallyRearrangesObjects = true
    controller.content = ward.children
    _ = try capturingEvents { controller.filterPredicate = try secret.limited(by: policy) }
    controller.filterPredicate = secret
    setDiagnosis("none", ofDoctorAt: 1)
    #expect(controller.arrangedObjects.map(\.name) == ["Cid"])
  }

  @Test("SEC.1: a filter with a policy does not limit what is observed for the order")
  func order() throws {
    let filter = try KVPredicate(format: "label == '' OR doctor.diagnosis == ''").limited(by: policy)
    let list = try KVArrangement<Patient>(of: "children", in: ward, sortedBy: ["doctor.diagnosis"], where: filter)
    setDiagnosis("zzz", ofDoctorAt: 0)
    #expect(names(list) == ["Bea", "Cid", "Ann"])
    let both = try filter || KVPredicate(format: "doctor.diagnosis == 'none'")
    #expect(both.keyPaths == ["label", "doctor.diagnosis"])
    list.descriptors = []
    list.predicate =
      try KVPredicate(format: "label == 'x' AND doctor.diagnosis == ''").limited(by: policy)
      || KVPredicate(format: "doctor.diagnosis == 'secret'")
    #expect(names(list) == ["Bea", "Cid"])
    setDiagnosis("none", ofDoctorAt: 1)
    #expect(names(list) == ["Cid"])
  }

  @Test("SEC.9: keys of elements behind a collection are observed by paths with the policy")
  func elements() throws {
    let child = Patient()
    ward.children[0].children = [child]
    for (format, count) in [("name", 1), ("diagnosis", 0)] {
      let filter = try KVPredicate(format: "label == '' OR ANY children.\(format) == ''")
      let list = try KVArrangement<Patient>(of: "children", in: ward, where: filter.limited(by: policy))
      #expect(KVDiagnostics.observations(of: child).count == count, "\(format)")
      #expect(names(list).count == 3)
    }
  }

  @Test("SEC.2: the elements that a path without a policy reads are not those of an equal path with one")
  func sharedElements() throws {
    var heard: [String] = []
    let path = "doctor.children.@max.name"
    let others = try ["doctor.children.@count", path].map { try ward.observe($0) { _ in } }
    let doctor = Patient()
    doctor.children = [Patient()]
    ward.doctor = doctor
    let token = try ward.observe(policy.keyPath(path), options: .new) { heard.append("\($0.new ?? "nil")") }
    let (vault, child) = (Vault(), Patient())
    vault.children = [child]
    _ = capturingEvents {
      ward.doctor = vault
      child.name = "Zoe"
    }
    #expect(heard == ["nil"])
    token.cancel()
    others.forEach { $0.cancel() }
  }
}

/// An object that the policy has no rule for.
private final class Vault: KVObject {
  @KVProperty var children: [Patient] = []
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Vault.self) { key in key("children", \.children) }
  }
}

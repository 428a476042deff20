import KVBinding
import KVCore

// The models of the tests of policies, with keys that a text from outside may reach and others.

struct Room: KeyValueCoding {
  var floor = 1
  var code = "4711"
  static var keyTable: KVTable {
    KVTable(Room.self) { key in
      key("floor", \.floor)
      key("code", \.code)
    }
  }
}

/// A value that has no keys but those of its table.
struct Cabinet: KeyValueCoding {
  var floor = 1
  var code = "4711"
  static var keyTable: KVTable {
    KVTable(Cabinet.self, listedKeysOnly: true) { key in
      key("floor", \.floor)
      key("code", \.code)
    }
  }
}

final class Patient: KVObject {
  @KVProperty var name = "Ann"
  @KVProperty var label = ""
  @KVProperty var diagnosis = "secret"
  @KVProperty var doctor: KVObject?
  @KVProperty var children: [Patient] = []
  @KVProperty var visits = [1, 2]
  @KVProperty var room = Room()
  private var pin = "1234"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Patient.self) { key in
      key("name", \.name)
      key("label", \.label)
      key("diagnosis", \.diagnosis)
      key("doctor", \.doctor)
      key("children", \.children)
      key("visits", \.visits)
      key("room", \.room)
      key("report") { "\($0.name): \($0.diagnosis)" }.affected(by: "name", "diagnosis")
    }
  }

  /// A patient whose doctor has a doctor, with two children.
  static func withDoctorAndChildren() -> Patient {
    let (patient, doctor) = (Patient(), Patient())
    doctor.doctor = Patient()
    patient.doctor = doctor
    patient.children = [Patient(), Patient()]
    return patient
  }

  /// Under the policy names and labels are read, and labels written; doctors are patients, or out of reach.
  static func policy() throws -> KVPolicy {
    var policy = KVPolicy("wards", operators: ["count", "max", "superview", "rootview"])
    try policy.allow(
      Patient.self, keys: ["name", "doctor", "children", "visits", "room", "report"], writing: ["label"])
    try policy.allow(Room.self, keys: ["floor"])
    return policy
  }

  /// Paths that a policy denies, and whose keys can be observed without it.
  static let denied = [
    "diagnosis", "pin", "nothing", "doctor.diagnosis", "doctor.doctor.pin", "children.@max.diagnosis", "room.code",
    "doctor.room.code", "[\"diagnosis\"]", "self.diagnosis", "visits.@sum.self", "children.@unionOfObjects.name",
    "children.@max.room.code", "doctor[\"pin\"]",
  ]
}

/// An object that the policy has no rule for.
final class Safe: KVObject {
  @KVProperty var name = "gold"
  @KVProperty var label = "gold"
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Safe.self) { key in
      key("name", \.name)
      key("label", \.label)
    }
  }
}

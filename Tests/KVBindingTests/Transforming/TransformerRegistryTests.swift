import KVBinding
import KVCore
import Testing

@Suite("TRN.2: the registry of transformers")
struct TransformerRegistryTests {
  private let twice = KVTransformer(forward: { (number: Int) in number * 2 })

  @Test("TRN.2: what is registered is found under its name")
  func registering() throws {
    try KVTransformer.register(twice, named: "registry.twice")
    defer { KVTransformer.unregister("registry.twice") }
    #expect(try KVTransformer.named("registry.twice").transform(4) as? Int == 8)
    #expect(try KVTransformer.named("registry.twice").name == "registry.twice")
    #expect(KVTransformer.registeredNames.contains("registry.twice"))
  }

  @Test("TRN.4: a name that is taken is refused, unless the program says that it replaces")
  func taken() throws {
    try KVTransformer.register(twice, named: "registry.taken")
    defer { KVTransformer.unregister("registry.taken") }
    let error = #expect(throws: KVError.self) { try KVTransformer.register(.isNil, named: "registry.taken") }
    #expect(error?.code == .unsupported && error?.component == "registry.taken")
    #expect(
      error?.message == """
        the name "registry.taken" is that of a transformer that is registered already: choose another name, or pass \
        replacing: true.
        """)
    #expect(try KVTransformer.named("registry.taken").transform(4) as? Int == 8)
    try KVTransformer.register(.isNil, named: "registry.taken", replacing: true)
    #expect(try KVTransformer.named("registry.taken").transform(4) as? Bool == false)
    // "archive" is that of KVDefinitions, which need not be linked.
    for name in ["isNil", "NSIsNil", "format:%d", "archive", "unarchive", "NSUnarchiveFromData"] {
      let builtIn = #expect(throws: KVError.self) { try KVTransformer.register(twice, named: name) }
      #expect(builtIn?.message.contains("built in") == true)
    }
    #expect(try KVTransformer.named("format:%d").transform(4) as? String == "4")
  }

  @Test("TRN.4: a built-in name can get another meaning on purpose, and gets its own one back")
  func builtInNames() throws {
    try KVTransformer.register(twice, named: "IsNil", replacing: true)
    #expect(try KVTransformer.named("IsNil").transform(4) as? Int == 8)
    KVTransformer.unregister("IsNil")
    #expect(try KVTransformer.named("IsNil").transform(4) as? Bool == false)
  }

  @Test("TRN.2: names are listed once, in order")
  func names() {
    let names = KVTransformer.registeredNames
    #expect(names == Set(names).sorted())
    #expect(names.contains("negateBoolean") && names.contains("NSNegateBoolean") && names.contains("url"))
  }

  @Test("TRN.2: an unknown name is an error with the nearest name and all names")
  func unknown() {
    let error = #expect(throws: KVError.self) { try KVTransformer.named("negateBoolaen") }
    #expect(error?.code == .unknownTransformer && error?.component == "negateBoolaen")
    #expect(error?.suggestion == "negateBoolean")
    let known = error?.knownKeys ?? []
    let listed = known.prefix(20).joined(separator: ", ") + " and \(known.count - 20) more"
    #expect(
      error?.message
        == "unknown transformer \"negateBoolaen\". Did you mean \"negateBoolean\"? Known transformers: \(listed).")
    let other = #expect(throws: KVError.self) { try KVTransformer.named("zzzzzzzz") }
    #expect(other?.suggestion == nil && other?.message.hasPrefix("unknown transformer \"zzzzzzzz\". Known") == true)
  }

  @Test("TRN.2: registering and finding from many threads at once")
  func threads() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<200 {
            let name = "registry.thread.\(task).\(round % 5)"
            let constant = KVTransformer(forward: { (_: Int) in task })
            try? KVTransformer.register(constant, named: name, replacing: round >= 5)
            guard let found = try? KVTransformer.named(name), let result = try? found.transform(0) else { return false }
            guard result as? Int == task, KVTransformer.registeredNames.contains(name) else { return false }
            if round >= 195 { KVTransformer.unregister(name) }
          }
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(!KVTransformer.registeredNames.contains { $0.hasPrefix("registry.thread") })
  }
}

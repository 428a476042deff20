import KVBinding
import KVCore
import Testing

@Suite("TRN.2 the registry of transformers")
struct TransformerRegistryTests {
  private let twice = KVTransformer(forward: { (number: Int) in number * 2 })

  @Test("TRN.2 what is registered is found under its name, and anew under a new meaning")
  func registering() throws {
    KVTransformer.register(twice, named: "registry.twice")
    defer { KVTransformer.unregister("registry.twice") }
    #expect(try KVTransformer.named("registry.twice").transform(4) as? Int == 8)
    #expect(try KVTransformer.named("registry.twice").name == "registry.twice")
    #expect(KVTransformer.registeredNames.contains("registry.twice"))
    KVTransformer.register(.isNil, named: "registry.twice")
    #expect(try KVTransformer.named("registry.twice").transform(4) as? Bool == false)
  }

  @Test("TRN.2 a built-in name can get another meaning, and gets its own one back")
  func builtInNames() throws {
    KVTransformer.register(twice, named: "IsNil")
    #expect(try KVTransformer.named("IsNil").transform(4) as? Int == 8)
    KVTransformer.unregister("IsNil")
    #expect(try KVTransformer.named("IsNil").transform(4) as? Bool == false)
  }

  @Test("TRN.2 names are listed once, in order")
  func names() {
    let names = KVTransformer.registeredNames
    #expect(names == Set(names).sorted())
    #expect(names.contains("negateBoolean") && names.contains("NSNegateBoolean") && names.contains("url"))
  }

  @Test("TRN.2 an unknown name is an error with the nearest name and all names")
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

  @Test("TRN.2 registering and finding from many threads at once")
  func threads() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<200 {
            let name = "registry.thread.\(task).\(round % 5)"
            KVTransformer.register(KVTransformer(forward: { (_: Int) in task }), named: name)
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

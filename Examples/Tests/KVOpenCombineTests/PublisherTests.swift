#if !canImport(Combine)
  import Foundation
  import KVBinding
  import KVOpenCombine
  import OpenCombine
  import Testing

  /// Values of key paths as publishers, with OpenCombine's own subscribers and operators.
  @Suite struct PublisherTests {
    @KVModel final class Person: KVObject {
      var name = "Ada"
      var age = 36
      var boss: Person?
      var initial: String { String(name.prefix(1)) }
    }

    final class Label {
      var text: String? = ""
    }

    /// Asks for values when the test says so.
    final class Reader: Subscriber {
      var subscription: (any Subscription)?
      var seen: [String?] = []
      var isCompleted = false
      /// The demand after each value.
      var more = Subscribers.Demand.none

      func receive(subscription: any Subscription) { self.subscription = subscription }

      func receive(_ input: String?) -> Subscribers.Demand {
        seen.append(input)
        return more
      }

      func receive(completion: Subscribers.Completion<Never>) { isCompleted = true }
    }

    @Test("OBV.3: sink and assign receive the current value and each change")
    func subscribers() throws {
      let person = Person()
      let label = Label()
      var seen: [String?] = []
      let sink = try person.publisher(forKeyPath: "name", as: String.self).sink { seen.append($0) }
      let assign = try person.publisher(forKeyPath: "initial", as: String.self).assign(to: \.text, on: label)
      #expect(label.text == "A")
      person.name = "Bea"
      try person.setValue("Bea", forKey: "name")
      #expect(seen == ["Ada", "Bea", "Bea"] && label.text == "B")
      sink.cancel()
      assign.cancel()
      person.name = "Cid"
      #expect(seen.count == 3 && label.text == "B")
      #expect(KVDiagnostics.observations(of: person).isEmpty)
    }

    /// Asks for one value after each, and changes the model in the first ones.
    final class Worker: Subscriber {
      let work: (String?) -> Void
      var more = Subscribers.Demand.max(1)
      private var subscription: (any Subscription)?
      var seen: [String?] = []

      init(_ work: @escaping (String?) -> Void) { self.work = work }

      func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.max(1))
      }

      func receive(_ input: String?) -> Subscribers.Demand {
        work(input)
        seen.append(input)
        return more
      }

      func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test("OBV.3: a value that comes while another is received is delivered next, and none twice or late")
    func nestedValues() throws {
      for more in [Subscribers.Demand.max(1), .unlimited] {
        let person = Person()
        let worker = Worker { if $0 == "Ada" { person.name = "Bea" } else if $0 == "Bea" { person.name = "Cid" } }
        worker.more = more
        try person.publisher(forKeyPath: "name", as: String.self).subscribe(worker)
        #expect(worker.seen == ["Ada", "Bea", "Cid"])
        person.name = "Dora"
        #expect(worker.seen == ["Ada", "Bea", "Cid", "Dora"])
      }
    }

    @Test("OBV.3: options: no current value, distinct values; nil values are nil")
    func options() throws {
      let person = Person()
      var seen: [String?] = []
      let later = try person.publisher(forKeyPath: "name", as: String.self, options: []).sink { seen.append($0) }
      #expect(seen.isEmpty)
      let distinct = try person.publisher(forKeyPath: "age", as: Int.self, options: [.initial, .distinct]).sink {
        seen.append($0.map { "\($0)" })
      }
      person.age = 36
      person.age = 37
      let boss = try person.publisher(forKeyPath: "boss.name", as: String.self).sink { seen.append($0) }
      person.boss = Person()
      #expect(seen == ["36", "37", nil, "Ada"])
      withExtendedLifetime((later, distinct, boss)) {}
    }

    @Test("OBV.3: demand is respected; without demand the latest value is kept")
    func demand() throws {
      let person = Person()
      let reader = Reader()
      try person.publisher(forKeyPath: "name", as: String.self).subscribe(reader)
      #expect(reader.seen.isEmpty)
      person.name = "Bea"
      reader.subscription?.request(.max(1))
      #expect(reader.seen == ["Bea"])
      person.name = "Cid"
      person.name = "Dee"
      reader.subscription?.request(.max(2))
      person.name = "Eve"
      person.name = "Fay"
      #expect(reader.seen == ["Bea", "Dee", "Eve"])
      reader.more = .max(1)
      reader.subscription?.request(.max(1))
      person.name = "Gil"
      person.name = "Hal"
      #expect(reader.seen.suffix(3) == ["Fay", "Gil", "Hal"])
      reader.subscription?.cancel()
      person.name = "Ida"
      #expect(reader.seen.last == "Hal" && !reader.isCompleted)
    }

    @Test("OBV.3: a subscription is completed with its object, and does not retain it")
    func completion() throws {
      var person: Person? = Person()
      weak let dying = person
      let reader = Reader()
      try person?.publisher(forKeyPath: "name", as: String.self).subscribe(reader)
      reader.subscription?.request(.unlimited)
      person = nil
      #expect(dying == nil && reader.isCompleted && reader.seen == ["Ada"])
    }

    @Test("OBV.3: operators of Combine work on the values")
    func operators() throws {
      let person = Person()
      var seen: [String] = []
      let token = try person.publisher(forKeyPath: "name", as: String.self)
        .compactMap { $0 }.removeDuplicates().map { "<\($0)>" }.prefix(2)
        .sink(receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append($0) })
      person.name = "Ada"
      person.name = "Bea"
      person.name = "Cid"
      #expect(seen == ["<Ada>", "<Bea>", "end"])
      #expect(KVDiagnostics.observations(of: person).isEmpty)
      token.cancel()
    }

    @Test("OBV.3: a path that cannot be observed throws at once")
    func errors() {
      #expect(throws: KVError.self) { try Person().publisher(forKeyPath: "nmae", as: String.self) }
      #expect(throws: KVError.self) { try Person().publisher(forKeyPath: "name", as: Int.self) }
    }

    @Test("OBV.3: it is the code of KVBinding")
    func source() throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      func code(_ path: String) throws -> [Substring] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
          .split(separator: "\n").filter { !$0.hasPrefix("#if") && !$0.hasPrefix("//") && !$0.hasPrefix("  import") }
      }
      #expect(
        try code("Sources/KVBinding/Ports/Combine/KVPublisher.swift")
          == code("Examples/Sources/KVOpenCombine/KVPublisher.swift"))
    }
  }
#endif

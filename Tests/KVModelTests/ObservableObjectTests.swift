import KVBinding
import KVTestSupport
import Observation
import Synchronization
import Testing

/// `@Observable` objects that are read, written and observed by key path (OBV.2).
@Suite struct ObservableObjectTests {
  @Observable final class Store: KeyValueCoding {
    var count = 1
    var next: Store?
    var lines: [Line] = []
    var double: Int { count * 2 }
    let name = "store"

    static var keyTable: KVTable {
      KVTable(Store.self) { key in
        key("count", \.count).alias("number")
        key("next", \.next)
        key("lines", \.lines)
        key("double", \.double)
      }
    }
  }

  final class Owner {}

  private let executor = KVManualExecutor()

  @Test("OBV.2: an @Observable object is read and written by key, and Observation reports it")
  func keys() throws {
    let store = Store()
    let isReported = Atomic(false)
    withObservationTracking {
      _ = store.count
    } onChange: {
      isReported.store(true, ordering: .relaxed)
    }
    try store.setValue(3, forKey: "number")
    let wasReported = isReported.load(ordering: .relaxed)
    #expect(wasReported)
    #expect(try store.value(forKeyPath: "double", as: Int.self) == 6)
  }

  @Test("OBV.2: a record without the option .old has no old value to go back to")
  func values() throws {
    let store = Store()
    var seen: [KVChange] = []
    let token = try store.observe("count", options: [.new], on: executor) { seen.append($0) }
    store.count = 2
    executor.runAll()
    let error = #expect(throws: KVError.self) { try seen.first?.revert() }
    #expect(error?.message.contains("it lacks a value") == true && store.count == 2)
    token.cancel()
  }

  @Test("OBV.2: an observation delivers after the change, on its executor, each time")
  func delivery() throws {
    let store = Store()
    var seen: [String] = []
    let token = try store.observe("double", options: [.old, .new, .initial], on: executor) { seen.append("\($0)") }
    store.count = 2
    #expect(seen == ["double: setting (initial) nil → 2"])
    executor.runAll()
    store.count = 3
    executor.runAll()
    token.cancel()
    store.count = 4
    executor.runAll()
    #expect(seen.dropFirst() == ["double: setting 2 → 4", "double: setting 4 → 6"])
    #expect(!token.isActive)
  }

  @Test("OBV.2: several changes before a delivery are one, from the value of the last delivery")
  func merging() throws {
    let store = Store()
    var seen: [String] = []
    let token = try store.observe("count", on: executor) { seen.append("\($0)") }
    store.count = 2
    store.count = 3
    executor.runAll()
    store.count = 4
    store.count = 3
    executor.runAll()
    token.cancel()
    #expect(seen == ["count: setting 1 → 3", "count: setting 3 → 3"])
  }

  @Test("OBV.2: a path is followed through objects that are replaced, and its options hold")
  func paths() throws {
    let store = Store()
    var seen: [String] = []
    let token = try store.observe("next.double", options: [.old, .new, .distinct], on: executor) {
      seen.append("\($0.old ?? "nil") \($0.new ?? "nil")")
    }
    let (first, second) = (Store(), Store())
    for change in [{ store.next = first }, { first.count = 2 }, { store.next = second }, { first.count = 9 }] {
      change()
      executor.runAll()
    }
    second.count = 1
    executor.runAll()
    token.pause()
    second.count = 5
    executor.runAll()
    token.resume()
    second.count = 6
    executor.runAll()
    #expect(seen == ["nil 2", "2 4", "4 2", "10 12"])
    let sum = try store.observe("lines.@sum.price", on: executor) { seen.append("\($0.new ?? "nil")") }
    store.lines.append(Line(title: "a", price: 3))
    executor.runAll()
    #expect(seen.last == "3.0")
    withExtendedLifetime((token, sum)) {}
  }

  @Test("OBV.2: a handler may change the object, and cancel")
  func handlers() throws {
    let store = Store()
    var seen: [Int] = []
    var token: KVObservation?
    token = try store.observe("count", on: executor) { change in
      seen.append(change.new as? Int ?? 0)
      if store.count < 4 { store.count += 1 } else { token?.cancel() }
    }
    store.count = 2
    executor.runAll()
    store.count = 9
    executor.runAll()
    #expect(seen == [2, 3, 4])
  }

  @Test("OBV.2: an observation ends with its token, with its owner and with the object, and retains none of them")
  func ends() throws {
    var store: Store? = Store()
    weak let dying = store
    var seen: [String] = []
    weak var captured: Owner?
    do {
      let capture = Owner()
      captured = capture
      var token: KVObservation? = try store?.observe("count", on: executor) { _ in seen.append("token \(capture)") }
      withExtendedLifetime(token) {}
      token = nil
    }
    #expect(captured == nil)
    store?.count = 2
    var owner: Owner? = Owner()
    let owned = try store?.observe("count", on: executor, owner: try #require(owner)) { _, change in
      seen.append("owner \(change.new ?? 0)")
    }
    store?.count = 3
    executor.runAll()
    owner = nil
    #expect(owned?.isActive == false)
    store?.count = 4
    executor.runAll()
    let last = try store?.observe("count", on: executor) { _ in seen.append("late") }
    store?.count = 5
    store = nil
    #expect(dying == nil && last?.isActive == false)
    executor.runAll()
    #expect(seen == ["owner 3"])
  }

  @Test("OBV.2: what cannot be observed is refused")
  func errors() throws {
    let store = Store()
    func code(_ path: String, _ options: KVObservingOptions = .new) -> KVError.Code? {
      do throws(KVError) { _ = try store.observe(path, options: options, on: executor) { _ in } } catch {
        return error.code
      }
      return nil
    }
    #expect(code("count", .prior) == .unsupported)
    #expect(code("count", [.new, .coalesced]) == .unsupported)
    #expect(code("count", .membershipOnly) == .unsupported)
    #expect(code("name") == .notObservable)
    #expect(code("cuont") == .undefinedKey)
    #expect(code("next..count") == .invalidKeyPath)
    #expect(code("number") == nil && code("next.nothing.at.all") == nil)
  }

  @Test("OBV.2: a path that cannot be read after a change reads as nil, and the error is reported")
  func faults() throws {
    let store = Store()
    var seen: [String] = []
    let token = try store.observe("next.cuont", on: executor) { seen.append("\($0.new ?? "nil")") }
    store.next = Store()
    executor.runAll()
    #expect(seen == ["nil"])
    token.cancel()
  }

  @Test("OBV.2: on an actor, deliveries follow on that actor") @MainActor
  func mainActor() async throws {
    let store = Store()
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    let token = try store.observe("count", on: MainActor.shared) { change in
      MainActor.assertIsolated()
      continuation.yield(change.new as? Int ?? 0)
    }
    let owner = Owner()
    try store.observe("double", on: MainActor.shared, owner: owner) { _, change in
      continuation.yield(change.new as? Int ?? 0)
    }
    store.count = 2
    store.count = 3
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      if seen.count == 2 { break }
    }
    #expect(seen.sorted() == [3, 6])
    withExtendedLifetime((token, owner)) {}
  }

  actor Shop {
    let store = Store()
    private var token: KVObservation?

    func changes(setting count: Int) throws -> AsyncStream<Int> {
      let (values, continuation) = AsyncStream.makeStream(of: Int.self)
      token = try store.observe("count", on: self) { change in continuation.yield(change.new as? Int ?? 0) }
      store.count = count
      return values
    }
  }

  @Test("OBV.2: an actor observes the objects that it owns")
  func anyActor() async throws {
    let shop = Shop()
    for await value in try await shop.changes(setting: 7) {
      #expect(value == 7)
      break
    }
  }

  @Test("OBV.2: a model that takes part in Observation is observed in both ways")
  func models() throws {
    let basket = ObservationTests.Basket()
    var seen: [String] = []
    let tracked = try basket.observe("limit", on: executor) { seen.append("tracked \($0.new ?? "")") }
    let token = try basket.observe("limit") { seen.append("key \($0.new ?? "")") }
    basket.limit = 8
    executor.runAll()
    #expect(seen == ["key 8", "tracked 8"])
    withExtendedLifetime((tracked, token)) {}
  }

  /// An actor that keeps the token of its own observation.
  private actor Keeper {
    let store = Store()
    private var token: KVObservation?
    private(set) var counts: [Int] = []

    func begin(isOwner: Bool) throws {
      if isOwner {
        try store.observe("count", on: self, owner: self) { keeper, _ in
          keeper.assumeIsolated { $0.counts.append(1) }
        }
      } else {
        token = try store.observe("count", on: self) { _ in }
      }
    }
  }

  @Test("OBV.2: an actor that keeps its token, or owns the observation, is deallocated", arguments: [false, true])
  func actors(isOwner: Bool) async throws {
    weak var weakKeeper: Keeper?
    do {
      let keeper = Keeper()
      weakKeeper = keeper
      try await keeper.begin(isOwner: isOwner)
    }
    for _ in 0..<100 where weakKeeper != nil { await Task.yield() }
    #expect(weakKeeper == nil)
  }
}

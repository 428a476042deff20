import KVCore
import Synchronization
import Testing

@Suite("Tables: first use")
struct FirstUseTests {
  @Test("TAB.9: many threads may use a type first at once; all get the right answer")
  func manyThreads() async {
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          let object = Contested()
          do throws(KVError) {
            try object.setValue(index, forKey: "number")
            let reflected = try KVC.value(of: ContestedValue(a: index), forKeyPath: "a") as? Int
            let generic = try KVC.value(of: ContestedBox(content: index), forKeyPath: "content") as? Int
            return try object.value(forKeyPath: "num", as: Int.self) == index && reflected == index && generic == index
          } catch {
            return false
          }
        }
      }
      var right = 0
      for await isRight in group where isRight { right += 1 }
      #expect(right == 64)
    }
    let requests = Contested.requests.load(ordering: .relaxed)
    #expect(requests >= 1 && requests <= 64, "threads that come at once may each ask; nobody asks later")
    _ = try? Contested().value(forKey: "number")
    #expect(Contested.requests.load(ordering: .relaxed) == requests)
  }

  @Test("TAB.9: a type's table is read once")
  func once() throws {
    for _ in 0..<10 {
      _ = try Counted().value(forKey: "number")
      _ = try Counted().value(forKeyPath: "other")
      _ = try KVC.keys(of: Counted())
      #expect(failure { () throws(KVError) in try Counted().value(forKey: "zork") }?.code == .undefinedKey)
    }
    #expect(Counted.requests.load(ordering: .relaxed) == 1)
  }

  @Test("KP.1: many threads may parse and share paths at once")
  func paths() async {
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<32 {
        group.addTask {
          (0..<200).allSatisfy { number in
            let text = "a.key\(number).b[\((index + number) % 7)]"
            return (try? text.keyPath())?.description == text
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}

private final class Contested: KVObject {
  static let requests = Atomic(0)
  var number = 0
  override class var keyTable: KVTable {
    requests.add(1, ordering: .relaxed)
    return super.keyTable.extended(for: Contested.self) { key in key("number", \.number).alias("num") }
  }
}

private struct ContestedValue { var a = 1 }
private struct ContestedBox<Content> { var content: Content }

private struct Counted: KeyValueCoding {
  static let requests = Atomic(0)
  var number = 1
  var other = 2
  static var keyTable: KVTable {
    requests.add(1, ordering: .relaxed)
    return KVTable(Counted.self) { key in key("number", \.number) }
  }
}

import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("COA.8: the notifications of transactions")
struct TransactionScopeTests {
  private let item = ScopeItem()
  private let target = ScopeTarget()
  private let log = LifeLog()

  private func fail() throws(ScopeFailure) { throw ScopeFailure() }

  @Test("COA.8: immediate observers are notified of the undoing, last key first; deferred ones are not")
  func undoing() throws {
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "count"])
    try item.addTarget(target, ScopeTarget.again, forKeyPaths: ["name", "count"], options: .coalesced)
    try? KVTransaction.run {
      try item.setValue("b", forKey: "name")
      try item.setValue(1, forKey: "count")
      try item.setValue("c", forKey: "name")
      try fail()
    }
    #expect(
      target.lines == [
        "name setting a → b", "count setting 0 → 1", "name setting b → c", "count setting 1 → 0", "name setting c → a",
      ])
  }

  @Test("COA.8: in a scope, what came before the transaction is still delivered, and what comes after")
  func inScope() throws {
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "count", "note"], options: .coalesced)
    KVCoalescing.coalesce {
      item.name = "b"
      try? KVTransaction.run {
        try item.setValue("x", forKey: "name")
        try item.setValue(5, forKey: "count")
        try fail()
      }
      #expect(target.lines.isEmpty)
      item.note = "after"
      item.name = "c"
    }
    #expect(target.lines == ["name setting a → c", "note setting nil → after"])
    #expect(item.count == 0)
  }

  @Test("COA.8: in a scope, what a failing transaction drops includes what came after an inner one")
  func afterInner() throws {
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "count"], options: .coalesced)
    KVCoalescing.coalesce {
      try? KVTransaction.run {
        try KVTransaction.run { try item.setValue("b", forKey: "name") }
        try item.setValue(1, forKey: "count")
        try fail()
      }
    }
    #expect(target.lines.isEmpty && item.name == "a" && item.count == 0)
  }

  @Test("COA.8: an inner transaction that fails puts back its own values only")
  func innerFails() throws {
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "count"], options: .coalesced)
    try KVTransaction.run {
      try item.setValue("b", forKey: "name")
      #expect(throws: ScopeFailure.self) {
        try KVTransaction.run {
          try item.setValue("c", forKey: "name")
          try item.setValue(1, forKey: "count")
          try fail()
        }
      }
      #expect(item.name == "b" && item.count == 0)
    }
    #expect(item.name == "b")
    #expect(target.lines == ["name setting a → b"])
  }

  @Test("COA.8: an outer transaction that fails puts back what inner ones have kept")
  func outerFails() throws {
    #expect(throws: ScopeFailure.self) {
      try KVTransaction.run {
        try item.setValue("b", forKey: "name")
        try KVTransaction.run {
          try item.setValue("c", forKey: "name")
          try item.setValue(1, forKey: "count")
        }
        try item.setValue(2, forKey: "count")
        try fail()
      }
    }
    #expect(item.name == "a" && item.count == 0)
  }

  @Test("COA.8: what handlers write by key is put back with the rest")
  func handlers() throws {
    let token = try item.observe("count") { [item] change in
      try? item.setValue("count \(change.new ?? "nil")", forKey: "note")
    }
    #expect(throws: ScopeFailure.self) {
      try KVTransaction.run {
        try item.setValue(1, forKey: "count")
        #expect(item.note == "count 1")
        try fail()
      }
    }
    #expect(item.count == 0 && item.note == nil)
    withExtendedLifetime(token) {}
  }

  @Test("COA.8: what another thread writes meanwhile is not put back")
  func otherThread() throws {
    let other = ScopeItem()
    #expect(throws: ScopeFailure.self) {
      try KVTransaction.run {
        try item.setValue("b", forKey: "name")
        let reference = KVUncheckedSendable(other)
        WorkerThread { try? reference.value.setValue("kept", forKey: "name") }.runToEnd()
        try fail()
      }
    }
    #expect(item.name == "a" && other.name == "kept")
  }

  @Test("COA.8: after a transaction, writes are recorded no more")
  func after() throws {
    try? KVTransaction.run { try fail() }
    weak var witness: ScopeItem?
    do {
      let temporary = ScopeItem()
      witness = temporary
      try temporary.setValue("b", forKey: "name")
    }
    #expect(witness == nil && !KVCoalescing.isCoalescing)
    #expect(throws: ScopeFailure.self) { try KVTransaction.run { try fail() } }
  }

  @Test("COA.8, TOM.1: a deferred observer of an array is not notified of edits that are undone")
  func arrays() throws {
    item.list = [1, 2]
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["list"], options: .coalesced)
    try KVCoalescing.coalesce {
      try item.mutableArray(forKey: "list").append(3)
      try? KVTransaction.run {
        try item.mutableArray(forKey: "list").append(4)
        try item.mutableArray(forKey: "list").remove(at: 0)
        try fail()
      }
    }
    #expect(target.lines == ["list insertion nil → [3]"])
    #expect(item.list == [1, 2, 3])
  }
}

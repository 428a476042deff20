import Foundation
import KVBinding
import KVControllers
import KVCore
import KVDocuments
import TestModels
import Testing

@Suite("Every call that takes a key path, by a path of a policy")
struct PolicyMatrixTests {
  static let calls = PolicyCall.core + PolicyCall.binding

  /// Calls that take a key path and reach no value by it, with the reason.
  static let inert = [
    "KVKeyPath.hasPrefix(_:)": "compares components", "KVKeyPath.<(_:_:)": "compares texts",
    "KVKeyPath.==(_:_:)": "compares components",
    "KVPredicate.limited(toKeyPaths:functions:allowsMatching:allowsSubqueries:)": "compares paths",
    "KVChange.init(object:keyPath:kind:old:new:indexes:isPrior:isInitial:)": "makes a record of given values",
    "KVSortDescriptor.==(_:_:)": "compares paths and policies",
  ]

  /// The public calls whose parameters have key paths or sort descriptors, as often as there are overloads.
  static func published() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/API").standardized
    return try ["KVCore", "KVQuery", "KVBinding", "KVControllers", "KVDocuments", "KVDefinitions"].flatMap { module in
      try String(contentsOf: root.appending(path: "\(module).txt"), encoding: .utf8)
        .split(separator: "\n").compactMap { line -> String? in
          let parts = line.split(separator: "|", maxSplits: 1)
          guard parts.count == 2 else { return nil }
          let name = parts[0].trimmingCharacters(in: .whitespaces)
          let parameters = /(:|some|any|\[) ?(KVKeyPathConvertible|KVKeyPath|KVSortDescriptor)\b/
          let isCall = parts[1].contains(/\b(func|init|subscript)\b/) || name.hasSuffix("Descriptors")
          // The forms with an actor are those with an executor, which the actor is.
          if parts[1].contains("isolated any Actor") { return nil }
          return isCall && parts[1].contains(parameters) && !parts[1].contains("var ") ? name : nil
        }
    }
  }

  @Test("SEC.2: every public call that takes a key path has a row")
  func coverage() throws {
    var missing: [String: Int] = [:]
    for name in try Self.published() where Self.inert[name] == nil { missing[name, default: 0] += 1 }
    for call in Self.calls { missing[call.name, default: 0] -= 1 }
    let unknown = missing.filter { $0.value > 0 }.keys.sorted()
    #expect(unknown == [], "these take key paths, and no row tries them with paths of a policy")
  }

  /// What came of an attempt, in words without the key.
  private func outcome(of call: PolicyCall, _ text: String, _ key: String, _ policy: KVPolicy) throws -> String {
    let attempt = try PolicyAttempt(text, policy)
    var words: [String] = []
    let events = capturingEvents {
      do { try call.body(attempt) } catch {
        words.append("\(error) \((error as? KVError)?.knownKeys ?? [])")
      }
    }
    words += attempt.outputs + events.filter { $0.keyPath == attempt.path }.map(\.message)
    let text = words.joined(separator: "\n")
    #expect(attempt.store.probe.count == 0, "\(call.name) \(text): something denied was read, written or asked")
    #expect(!text.contains("\(Probe.canary)"), "\(call.name): \(text)")
    for other in ["secret", "hidden", "absent"] where !key.hasPrefix(other) {
      #expect(!text.contains(other), "\(call.name): \(text)")
    }
    return text.replacing(key, with: "KEY").replacing(#/ Did you mean "[^"]*"\?/#, with: "")
  }

  @Test(
    "SEC.2: a denied, a private and a missing key are answered alike, and nothing of them comes out, wherever they are",
    arguments: Store.ways)
  func denied(way: String) throws {
    let policy = try Store.policy()
    for call in Self.calls {
      for form in call.forms {
        var outcomes: Set<String> = []
        for name in ["secret", "hidden", "absent"] {
          let key = name + form
          outcomes.insert(try outcome(of: call, "\(way).\(key)", key, policy))
        }
        #expect(outcomes.count == 1, "\(call.name) \(way) \(form): \(outcomes)")
      }
    }
  }

  @Test("SEC.2: a path that goes on behind such a key is answered alike, too", arguments: Store.ways)
  func deniedInTheMiddle(way: String) throws {
    let policy = try Store.policy()
    let all = ["open", "@count", "@max.self"]
    for (index, call) in Self.calls.enumerated() {
      for rest in Extent.isFull ? all : [all[(index + way.utf8.count) % 3]] {
        var outcomes: Set<String> = []
        for key in ["secret", "hidden", "absent"] {
          outcomes.insert(try outcome(of: call, "\(way).\(key).\(rest)", key, policy))
        }
        #expect(outcomes.count == 1, "\(call.name) \(way) \(rest): \(outcomes)")
      }
    }
  }

  @Test("SEC.2: a permitted key is not denied, wherever it is", arguments: Store.ways)
  func permitted(way: String) throws {
    let policy = try Store.policy()
    for call in Self.calls {
      for form in call.forms {
        let key = "open" + form
        let attempt = try PolicyAttempt("\(way).\(key)", policy)
        _ = capturingEvents {
          do { try call.body(attempt) } catch {
            let code = (error as? KVError)?.code
            #expect(code != .notPermitted && code != .unlistedKey, "\(call.name) \(way).\(key): \(error)")
          }
        }
      }
    }
  }

  /// Calls that no permitted key of the matrix satisfies, with the reason.
  private static let unsatisfied = [
    "KVObjectController.bindContent(to:of:file:line:)": "needs a key that is an object",
    "KVTreeController.bindContent(to:of:file:line:)": "needs elements that are objects",
    "KVObservable.observeElements(of:_:options:owner:file:line:handler:)": "needs elements that are objects",
    "KVDocumentExcerpt.init(of:from:)": "refuses all paths with a policy",
    "KVSortDescriptor.natural(_:)": "needs texts",
  ]

  @Test("SEC.2: each row does its call with some permitted key, so that what comes later is tried as well")
  func rows() throws {
    let policy = try Store.policy()
    for call in Self.calls where Self.unsatisfied[call.name] == nil {
      let works = call.forms.contains { form in
        Store.ways.contains { way in
          var isDone = false
          _ = capturingEvents {
            isDone = (try? call.body(PolicyAttempt("\(way).open\(form)", policy))) != nil
          }
          return isDone
        }
      }
      #expect(works, "\(call.name)")
    }
  }

  @Test("SEC.2: what has no row is a published call")
  func inertCalls() throws {
    let published = Set(try Self.published())
    #expect(Self.inert.keys.filter { !published.contains($0) }.sorted() == [])
  }
}

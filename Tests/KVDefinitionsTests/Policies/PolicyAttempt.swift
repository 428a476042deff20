import KVBinding
import KVCore

/// One call with one path of a policy: the objects around it, and the text of all that came out.
final class PolicyAttempt {
  let store = Store()
  let depot: StoreDepot
  let tag = Tag()
  let policy: KVPolicy
  let path: KVKeyPath
  private(set) var outputs: [String] = []

  init(_ path: String, _ policy: KVPolicy) throws(KVError) {
    depot = StoreDepot(store)
    self.policy = policy
    self.path = try policy.keyPath(path)
    tag.dataObject = store
  }

  var options: KVBindingOptions { KVBindingOptions(policy: policy) }
  /// The text of the path, for calls that get the policy with their options.
  var text: KVKeyPath { get throws { try KVKeyPath(path.description) } }
  /// A value of the type of the path.
  var newValue: Any? {
    let name = path.description
    return name.hasSuffix("List") ? [2] as Any : name.hasSuffix("Set") ? Set([2]) as Any : 2
  }

  /// Takes what a call returns, or passes to a handler.
  func out(_ value: Any?) { outputs.append("\(value ?? "nil")") }

  /// Takes what a call returns or passes to a handler, now and when something changes.
  func observed(_ token: KVObservation) {
    touch()
    token.cancel()
  }

  /// Takes what a binding sets, in both directions.
  func bound(_ binding: KVPathBinding) {
    out(tag.anything)
    touch()
    tag.anything = newValue
    out(tag.anything)
    out(binding.lastError?.message ?? "no error")
    binding.cancel()
  }

  /// Changes whatever leads to a key, and tells of changes of denied keys.
  func touch() {
    let drawers = [store.drawer] + store.drawers + Array(store.drawerSet) + store.list.arrangedObjects
    for drawer in drawers {
      drawer.open += 1
      drawer.openList.append(2)
      drawer.openSet.insert(2)
      for key in ["secret", "secretList", "secretSet", "hidden", "hiddenList", "absent", "absentList"] {
        drawer.withChange(forKey: key) {}
      }
    }
    store.dial.send()
    store.entries["open"] = 3
    store.record["open"] = 3
    store.record["secret"] = Probe.canary
    store.box.open = 3
    store.boxes.append(Box(store.probe))
    store.drawers.append(Drawer(store.probe))
    store.drawerSet.insert(Drawer(store.probe))
    store.drawer = Drawer(store.probe)
    store.list.selectionIndexes = [1]
    store.list.content.append(Drawer(store.probe))
  }
}

/// A public call that takes a key path, or something that has one.
struct PolicyCall: Sendable {
  /// The name of the call in Docs/API.
  let name: String
  /// The ends of the names of the keys that it is tried with: those of collections, if it needs one.
  let forms: [String]
  let body: @Sendable (PolicyAttempt) throws -> Void

  /// - Parameter forms: By default those of collections for names that tell of collections.
  init(_ name: String, forms: [String]? = nil, _ body: @escaping @Sendable (PolicyAttempt) throws -> Void) {
    let words = ["mutable", "Relationship", "Elements", "Arrangement", "Groups", "Section", "bindContent", "changes"]
    self.name = name
    self.forms = forms ?? (words.contains { name.contains($0) } ? ["List", "Set"] : [""])
    self.body = body
  }
}

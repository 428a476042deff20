import Foundation
import KVCore
import TestModels

/// A registrar that writes down what it is told, one line a notice: `will name setting Ada → Grace`.
final class ShopRecorder: _KVRegistrar, LineLog, @unchecked Sendable {  // guard: used by one test on one thread
  /// What was told of the observed keys, before and after.
  var lines: [String] = []
  /// Every key that was told of, observed or not.
  private(set) var notifiedKeys: [String] = []
  /// The values of the last notice after a change, as they came.
  private(set) var lastOld: Any?
  private(set) var lastNew: Any?
  private(set) var lastType: Any.Type?
  private(set) weak var lastObject: AnyObject?
  /// Called after each `did` notice.
  var afterwards: ((String) -> Void)?
  /// Called before each change.
  var before: ((String) -> Void)?
  private var observed: Set<String> = []

  /// Installs a recorder in an object, for some keys.
  static func watch(_ object: some KVObservable, _ keys: String...) -> ShopRecorder {
    let registrar = object.registrarSlot.registrar { ShopRecorder() }
    guard let recorder = registrar as? ShopRecorder else { preconditionFailure("another registrar is installed") }
    recorder.observe(keys)
    return recorder
  }

  func observe(_ keys: [String]) {
    observed = Set(keys)
    setObservedKeys(keys.map { InternedKey($0) })
  }

  /// The lines of the notices after changes.
  var didLines: [String] { lines.filter { $0.hasPrefix("did ") } }

  /// Lets go of the values of the last notice.
  func forget() { (lastOld, lastNew) = (nil, nil) }

  override func willChange(_ change: borrowing _KVChangeNotice) -> AnyObject? {
    note("will", change)
    if observed.contains(change.key.name) { before?(change.key.name) }
    return nil
  }

  override func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {
    note("did", change)
    lastOld = change.oldValue
    lastNew = change.newValue
    lastType = change.valueType
    lastObject = change.object
    if observed.contains(change.key.name) { afterwards?(change.key.name) }
  }

  private func note(_ moment: String, _ change: borrowing _KVChangeNotice) {
    notifiedKeys.append(change.key.name)
    guard observed.contains(change.key.name) else { return }
    let old = change.hasOldValue ? Self.text(change.oldValue) : "-"
    let new = change.hasNewValue ? Self.text(change.newValue) : "-"
    let atIndexes = change.indexes.map { " at \($0)" } ?? ""
    lines.append("\(moment) \(change.key) \(change.kind)\(atIndexes) \(old) → \(new)")
  }

  private static func text(_ value: Any?) -> String {
    guard let value else { return "nil" }
    if let array = value as? [Any] { return "[" + array.map { text($0) }.joined(separator: ", ") + "]" }
    if let set = value as? Set<AnyHashable> { return "{" + set.map { "\($0)" }.sorted().joined(separator: ", ") + "}" }
    if let item = value as? ShopItem { return item.name }
    return "\(value)"
  }
}

/// Returns both lines of one change: before and after.
func notifiedOnce(_ text: String) -> [String] { ["will \(text)", "did \(text)"] }

/// The notifications of a change in place: before it the new value does not exist yet (COL.6).
func toldOnceInPlace(_ text: String) -> [String] {
  let start = text.range(of: "→").map { text[..<$0.lowerBound] } ?? ""
  return ["will \(start)→ -", "did \(text)"]
}

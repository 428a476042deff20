import KVCore

/// Expects the changes of a path to be coalesced: one delivery, from the first old value to the last new one (COA.3).
///
/// ```swift
/// expectCoalesced(order, "total", from: 22.5, to: 30) { order.reprice() }
/// ```
///
/// The body is to open the scope itself; what is tested is that it does.
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - old: The value before the first change.
///   - new: The value after the last one.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  _ object: some KVObservable, _ path: KVKeyPath, from old: Any?, to new: Any?, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, during body: () throws -> Result
) rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try body()
  coalescing.check(from: old, to: new)
  return result
}

/// Expects the changes of a path to be coalesced, from the value that it holds to the one that it holds afterwards (COA.3).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  _ object: some KVObservable, _ path: KVKeyPath, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () throws -> Result
) rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try body()
  coalescing.check()
  return result
}

/// Expects the changes of a path to be coalesced while an asynchronous body runs (COA.3).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - old: The value before the first change.
///   - new: The value after the last one.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Waits for what makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  _ object: some KVObservable, _ path: KVKeyPath, from old: Any?, to new: Any?,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () async throws -> Result
) async rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try await body()
  coalescing.check(from: old, to: new)
  return result
}

/// Expects the changes of a path to be coalesced while an asynchronous body runs, from the value that it holds to the one
/// that it holds afterwards (COA.3).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Waits for what makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  _ object: some KVObservable, _ path: KVKeyPath, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () async throws -> Result
) async rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try await body()
  coalescing.check()
  return result
}

/// Hears of a path twice: of each change at once, and of what is left of them at the end of a scope.
private final class CoalescedChange<Object: KVObservable> {
  let object: Object
  let path: KVKeyPath
  let location: KVTestLocation
  let before: Any?
  let each: KVChangeRecorder?
  let merged: KVChangeRecorder?
  /// Whether a change was made where no scope is open.
  private let isOutside = Locked(false)
  private var witness: KVObservation?

  init(_ object: Object, _ path: KVKeyPath, _ location: KVTestLocation) {
    self.object = object
    self.path = path
    self.location = location
    merged = recorder(of: object, [.old, .new, .coalesced], location) { [path] }
    each = merged == nil ? nil : recorder(of: object, [.old, .new], location) { [path] }
    before = Self.value(object, path)
    witness = try? object.observe(path, options: []) { [weak self] _ in
      if !KVCoalescing.isCoalescing { self?.isOutside.withLock { $0 = true } }
    }
  }

  /// Compares with what the path held before and holds now.
  func check() { check(from: before, to: Self.value(object, path)) }

  func check(from old: Any?, to new: Any?) {
    guard let each = each?.take(), let merged = merged?.take() else { return }
    let name = "\(type(of: object)).\(path)"
    let head: String
    switch (each.count, merged.count) {
    case (0, _): head = "\(name) did not change, so nothing was coalesced."
    case (_, 0): head = "The changes of \(name) were not delivered: their scope has not ended, or was rolled back."
    case (1, 1) where isOutside.withLock { $0 }:
      head = "The change of \(name) was told at once: it was made outside of any scope, so nothing was coalesced."
    case (_, 1):
      if goes(merged[0], from: old, to: new) { return }
      let told = "\(merged[0].deed) \(merged[0].values)"
      head = "\(name) was to go from \(shown(old)) to \(shown(new)), but was told as \(told)."
    default:
      head =
        "The changes of \(name) were delivered \(merged.count) times instead of once: they were not made in one scope."
    }
    fail(each.isEmpty ? head : "\(head) The changes, as they were made:\n\(each.table(last: 10))", at: location)
  }

  /// Whether a record leads from one value to another; one of elements does not tell the values, but the path does.
  private func goes(_ change: KVChange, from old: Any?, to new: Any?) -> Bool {
    let isSetting = change.kind == .setting
    return KVC.areEqual(isSetting ? change.old : before, old)
      && KVC.areEqual(isSetting ? change.new : Self.value(object, path), new)
  }

  private static func value(_ object: Object, _ path: KVKeyPath) -> Any? {
    (try? KVC.value(of: object, forKeyPath: path)) ?? nil
  }
}

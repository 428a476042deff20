import KVCore

/// Expects that the object which a body returns is gone once the body has returned (TST.2).
///
/// ```swift
/// expectReleased {
///   let order = Order()
///   order.whenPaid = { print(order.number) }     // keeps itself alive: the expectation fails
///   return order
/// }
/// ```
///
/// The failure says who observes or binds the object. None of that retains it, but a closure in it may.
///
/// - Parameters:
///   - body: Makes the object and does with it what might keep it alive.
///   - fileID: The caller's file.
///   - filePath: The path of the caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
/// - Throws: What the body throws; nothing is expected then.
public func expectReleased(
  _ body: () throws -> AnyObject, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) rethrows {
  weak var left: AnyObject?
  left = try body()
  if let left { failReleased(left, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)) }
}

/// Expects that the object which an asynchronous body returns is gone once the body has returned (TST.2).
///
/// - Parameters:
///   - isolation: Where the body runs: where the caller does.
///   - body: Makes the object and does with it what might keep it alive. Tasks that it starts may do so too: it waits for
///     them.
///   - fileID: The caller's file.
///   - filePath: The path of the caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
/// - Throws: What the body throws; nothing is expected then.
public func expectReleased(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> AnyObject,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async rethrows {
  weak var left: AnyObject?
  left = try await body()
  if let left { failReleased(left, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)) }
}

/// Sets a variable to nil, and expects that its object is gone (TST.2).
///
/// ```swift
/// var order: Order? = Order()
/// try label.bind("text", to: "number", of: order!)
/// expectReleased(&order)
/// ```
///
/// - Parameters:
///   - object: The variable, of a class or of a protocol of classes, a stored one without a wrapper: others hold the object until the call is over. One that is
///     nil already is a failure, since nothing is known then.
///   - fileID: The caller's file.
///   - filePath: The path of the caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectReleased<Object>(
  _ object: inout Object?, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let place = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  weak var left: AnyObject?
  switch object {
  case nil: return fail("The variable holds no \(Object.self): it is nil already.", at: place)
  case let value? where type(of: value as Any) is AnyClass: left = value as AnyObject
  case let value?:
    return fail("The variable holds no object: \(shown(value)) is a value, which nobody releases.", at: place)
  }
  object = nil
  if let left { failReleased(left, place) }
}

private func failReleased(_ object: AnyObject, _ place: KVTestLocation) {
  let lines = ["\(type(of: object)) is still alive."] + Ties(of: object).lines
  fail(lines.joined(separator: "\n"), at: place)
}

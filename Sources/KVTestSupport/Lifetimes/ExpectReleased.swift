import KVCore

/// Expects the object that a body returns to be deallocated once the body has returned (TST.2).
///
/// ```swift
/// expectReleased {
///   let order = Order()
///   order.whenPaid = { print(order.number) }     // retains the order itself: the expectation fails
///   return order
/// }
/// ```
///
/// The failure lists the observations and bindings of the object. These do not retain it, but closures in them may.
///
/// - Parameters:
///   - body: A closure that creates the object, uses it in ways that might keep it alive, and returns it.
///   - fileID: The file of the caller.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
/// - Throws: The error of the body; nothing is expected then.
public func expectReleased(
  _ body: () throws -> AnyObject, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) rethrows {
  weak var left: AnyObject?
  left = try body()
  if let left { failReleased(left, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)) }
}

/// Expects the object that an asynchronous body returns to be deallocated once the body has returned (TST.2).
///
/// - Parameters:
///   - isolation: The isolation of the body: that of the caller.
///   - body: A closure that creates the object, uses it in ways that might keep it alive, and returns it. Tasks that it
///     starts may use the object, too, if the body waits for them.
///   - fileID: The file of the caller.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
/// - Throws: The error of the body; nothing is expected then.
public func expectReleased(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> AnyObject,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async rethrows {
  weak var left: AnyObject?
  left = try await body()
  if let left { failReleased(left, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)) }
}

/// Sets a variable to nil, and expects its object to be deallocated (TST.2).
///
/// ```swift
/// var order: Order? = Order()
/// try label.bind("text", to: "number", of: order!)
/// expectReleased(&order)
/// ```
///
/// - Parameters:
///   - object: The variable, whose type is an optional class or class-bound protocol. It must be a stored variable
///     without a wrapper, since others retain the object until the call is over. A variable that is nil already is a
///     failure, since nothing can be checked.
///   - fileID: The file of the caller.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectReleased<Object>(
  _ object: inout Object?, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  weak var left: AnyObject?
  switch object {
  case nil: return fail("The variable holds no \(Object.self): it is nil already.", at: location)
  case let value? where type(of: value as Any) is AnyClass: left = value as AnyObject
  case let value?:
    return fail("The variable holds no object: \(shown(value)) is a value, which nobody releases.", at: location)
  }
  object = nil
  if let left { failReleased(left, location) }
}

private func failReleased(_ object: AnyObject, _ location: KVTestLocation) {
  let lines = ["\(type(of: object)) is still alive."] + ObserverLinks(of: object).lines
  fail(lines.joined(separator: "\n"), at: location)
}

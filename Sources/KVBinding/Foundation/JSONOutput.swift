import Foundation

/// A value of any type, as `JSONEncoder` writes it; or the error that says at which path it holds what JSON cannot.
struct JSONOutput: Encodable {
  private let value: Any?
  private let state: State

  init(_ value: Any?, _ options: KVJSON.Options) { self.init(value, State(options)) }

  private init(_ value: Any?, _ state: State) {
    self.value = value
    self.state = state
  }

  /// What all values of a document share while it is written.
  private final class State {
    let options: KVJSON.Options
    var depth = 0
    /// The records that are being written: one that comes again contains itself.
    var open: Set<ObjectIdentifier> = []

    init(_ options: KVJSON.Options) { self.options = options }
  }

  /// Returns the document.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if state.options.contains(.pretty) { encoder.outputFormatting.insert(.prettyPrinted) }
    return try encoder.encode(self)
  }

  func encode(to encoder: any Encoder) throws {
    let value = value ?? KVJSON.Null()
    switch DocumentValue(value) {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let truth): try truth.encode(to: encoder)
    case .number(let number): try encode(number, to: encoder)
    case .string(let text): try text.encode(to: encoder)
    case .date(let date) where state.options.contains(.datesAsText):
      try date.formatted(.iso8601).encode(to: encoder)
    case .date: throw DocumentFault("it has no dates; make it a string or a number, or pass .datesAsText")
    case .data(let data) where state.options.contains(.dataAsText): try data.base64EncodedString().encode(to: encoder)
    case .data: throw DocumentFault("it has no data; make it a string, or pass .dataAsText")
    case .array(let elements): try encode(elements, to: encoder)
    case .set(let elements): try encode(try sorted(elements), to: encoder)
    case .dictionary(let dictionary): try encode(dictionary.keys, to: encoder) { dictionary[$0] }
    case .record(let record):
      guard state.open.insert(ObjectIdentifier(record)).inserted else { throw DocumentFault.containsItself() }
      defer { state.open.remove(ObjectIdentifier(record)) }
      try encode(record.keys, to: encoder) { record[$0] }
    case .other: throw DocumentFault.foreign(value)
    }
  }

  private func encode(_ names: some Sequence<String>, to encoder: any Encoder, _ value: (String) -> Any?) throws {
    try enter()
    defer { state.depth -= 1 }
    var container = encoder.container(keyedBy: JSONKey.self)
    for name in names {
      do { try container.encode(JSONOutput(value(name), state), forKey: JSONKey(name)) } catch {
        throw Self.under(.naming(name), error)
      }
    }
  }

  private func encode(_ elements: [Any], to encoder: any Encoder) throws {
    try enter()
    defer { state.depth -= 1 }
    var container = encoder.unkeyedContainer()
    for (index, element) in elements.enumerated() {
      do { try container.encode(JSONOutput(element, state)) } catch { throw Self.under(.index(index), error) }
    }
  }

  private func encode(_ number: KVNumber, to encoder: any Encoder) throws {
    switch number {
    case .integer(let value):
      if let small = Int(exactly: value) { try small.encode(to: encoder) } else { try value.encode(to: encoder) }
    case .floating(let value):
      guard value.isFinite else { throw DocumentFault("it has no number \(value); leave the value out") }
      try value.encode(to: encoder)
    case .exact(let value):
      guard value.double.isFinite else { throw DocumentFault("it has no number \(value); leave the value out") }
      guard let decimal = Decimal(number: number) else { return try value.double.encode(to: encoder) }
      var container = encoder.singleValueContainer()
      try container.encode(decimal)
    }
  }

  /// The elements of a set in the order of their JSON.
  private func sorted(_ elements: Set<AnyHashable>) throws -> [Any] {
    try elements.map { (text: try JSONOutput($0.base, state).data(), element: $0.base) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
      .map(\.element)
  }

  private func enter() throws {
    guard state.depth < KVJSON.maximumDepth else { throw DocumentFault.tooDeep() }
    state.depth += 1
  }

  private static func under(_ component: KVKeyPath.Component, _ error: any Error) -> any Error {
    (error as? DocumentFault)?.under(component) ?? error
  }
}

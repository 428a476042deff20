import KVCore

extension JSONReader {
  /// Checks a value, and builds nothing of it.
  mutating func skip(_ depth: Int) throws(DocumentFault) {
    switch next {
    case UInt8(ascii: "{"):
      try readMembers(depth) { (reader, _, _) throws(DocumentFault) in try reader.skip(depth + 1) }
    case UInt8(ascii: "["):
      try readElements(depth) { (reader, _) throws(DocumentFault) in try reader.skip(depth + 1) }
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "-"): try skipNumber()
    case _ where isDigit: try skipNumber()
    default: _ = try value(depth)
    }
  }

  /// Follows a path from its component at an index, and skips all beside it.
  ///
  /// - Parameters:
  ///   - path: The path; its ``JSONExcerptPath/reached`` becomes the index of the first component that was not followed.
  ///   - index: The index of a component.
  ///   - depth: How many containers the value is in.
  /// - Returns: The value where it ends, with what the rest of the path reads of it.
  mutating func follow(_ path: inout JSONExcerptPath, from index: Int, _ depth: Int) throws(DocumentFault) -> Any? {
    path.reached = index
    switch (path.step(index), next) {
    case (.name(let key), UInt8(ascii: "{")):
      var found: Any??
      try readMembers(depth) { (reader, name, _) throws(DocumentFault) in
        if name == key {
          path.find(index)
          found = .some(try reader.follow(&path, from: index + 1, depth + 1))
        } else {
          path.note(name, beside: index)
          try reader.skip(depth + 1)
        }
      }
      return found ?? [String: Any]()
    case (.index(let wanted), UInt8(ascii: "[")):
      var found: Any??
      var count = 0
      try readElements(depth) { (reader, position) throws(DocumentFault) in
        count = position + 1
        if position == wanted {
          found = .some(try reader.follow(&path, from: index + 1, depth + 1))
        } else {
          try reader.skip(depth + 1)
        }
      }
      // The error needs the number of elements.
      return found ?? [Bool](repeating: false, count: count)
    default:
      return try project(&path, from: index, depth)
    }
  }

  /// Reads a value, with what a path reads of it from its component at an index.
  private mutating func project(
    _ path: inout JSONExcerptPath, from index: Int, _ depth: Int
  ) throws(DocumentFault) -> Any? {
    switch (path.step(index), next) {
    case (.name(let key), UInt8(ascii: "{")):
      var members: [String: Any] = [:]
      try readMembers(depth) { (reader, name, _) throws(DocumentFault) in
        if name == key {
          path.find(index)
          members[name] = .some(try reader.project(&path, from: index + 1, depth + 1) ?? (Any?.none as Any))
        } else {
          path.note(name, beside: index)
          try reader.skip(depth + 1)
        }
      }
      return members
    case (.name, UInt8(ascii: "[")):
      var elements: [Any] = []
      var hasNull = false
      try readElements(depth) { (reader, _) throws(DocumentFault) in
        let element = try reader.project(&path, from: index, depth + 1)
        hasNull = hasNull || element == nil
        elements.append(element ?? (Any?.none as Any))
      }
      return Self.array(elements, hasNull: hasNull)
    case (.count, UInt8(ascii: "[")):
      var count = 0
      try readElements(depth) { (reader, position) throws(DocumentFault) in
        count = position + 1
        try reader.skip(depth + 1)
      }
      return [Bool](repeating: false, count: count)
    case (.elements, _): return try project(&path, from: index + 1, depth)
    default: return try value(depth)
    }
  }
}

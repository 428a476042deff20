import KVCore

/// Combines the values of several sources into one value.
///
/// ```swift
/// try label.bind("text", toAll: [.init(user, "first"), .init(user, "last")], by: .format("%{value1}@ %{value2}@"))
/// ```
public struct KVCombiner: LinkedWithBinding {
  private let function: ([Any?]) throws -> Any?

  /// Creates a combiner from a function.
  ///
  /// - Parameter function: A function that receives the values in the order of the sources, and returns the value for
  ///   the target.
  public init(_ function: @escaping ([Any?]) throws -> Any?) { self.function = function }

  /// Whether all values are true; a nil is false (Cocoa's `enabled`, `enabled2` …).
  public static var and: KVCombiner { KVCombiner { values in try values.allSatisfy(isTrue) } }

  /// Whether any value is true; a nil is false (Cocoa's `hidden`, `hidden2` …).
  public static var or: KVCombiner { KVCombiner { values in try values.contains(where: isTrue) } }

  /// The first value that is not nil.
  public static var firstNonNil: KVCombiner { KVCombiner { values in values.compactMap { $0 }.first } }

  /// A text that contains the values (Cocoa's `displayPatternValue`).
  ///
  /// - Parameter pattern: The text; `%{value1}@` stands for the first value, `%{value2}@` for the second and so on; a
  ///   nil is empty.
  /// - Returns: The combiner. It fails if the pattern names no value, or one for which there is no source.
  public static func format(_ pattern: String) -> KVCombiner {
    let parsed = Result { try parts(of: pattern) }
    return KVCombiner { values in
      try parsed.get().reduce(into: "") { text, part in
        text += part.text
        guard let number = part.number else { return }
        guard number >= 1, number <= values.count else {
          throw KVError(
            .unsupported, "\"\(pattern)\" names value \(number) of \(values.count): there is no such source.")
        }
        if let value = values[number - 1] { text += exactCast(value, String.self) ?? describedSafely(value) }
      }
    }
  }

  /// The texts of the values, joined by a separator; values that are nil or empty are left out.
  ///
  /// - Parameter separator: The text between two values.
  /// - Returns: The combiner.
  public static func joined(separator: String) -> KVCombiner {
    KVCombiner { values in
      values.compactMap { $0 }.map { "\($0)" }.filter { !$0.isEmpty }.joined(separator: separator)
    }
  }

  func combine(_ values: [Any?]) throws(KVError) -> Any? {
    do { return try function(values) } catch let error as KVError { throw error } catch {
      throw KVError(.custom, "combining the values of several sources failed: \(error)", underlying: error)
    }
  }

  private static func isTrue(_ value: Any?) throws(KVError) -> Bool {
    guard let value else { return false }
    do throws(CoercionFailure) { return try Coercion().convert(value, to: Bool.self) } catch {
      throw KVError(
        .typeMismatch, "only values that are true or false can be combined by and/or, and one is \(describe(value)).")
    }
  }

  /// Returns the texts of a pattern, each with the number of the value behind it.
  private static func parts(of pattern: String) throws(KVError) -> [(text: Substring, number: Int?)] {
    var parts: [(text: Substring, number: Int?)] = []
    var remaining = Substring(pattern)
    while let start = remaining.firstRange(of: "%{value") {
      let text = remaining[..<start.lowerBound]
      remaining = remaining[start.upperBound...]
      guard let end = remaining.firstRange(of: "}@"), let number = Int(remaining[..<end.lowerBound]) else {
        throw KVError(.unsupported, "\"\(pattern)\" is not a pattern: a value stands in it as %{value1}@.")
      }
      parts.append((text, number))
      remaining = remaining[end.upperBound...]
    }
    if parts.isEmpty {
      throw KVError(
        .unsupported,
        "\"\(pattern)\" names no value: write %{value1}@ for that of the first source, %{value2}@ and so on.")
    }
    return parts + [(remaining, nil)]
  }
}

import KVCore
import KVQuery

extension Target {
  /// FLT.2, FLT.3, FLT.14: the format of predicates, and that of expressions.
  static let predicates = Target(name: "Predicates") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(KVError) { checkPredicate(try KVPredicate(format: text), text, bytes) } catch {
      checkFormat(error, text, bytes)
    }
    do throws(KVError) {
      let expression = try KVExpression(format: text)
      let again = try? KVExpression(format: expression.description)
      expect(again?.description == expression.description, "no round trip:", bytes, expression.description)
    } catch {
      checkFormat(error, text, bytes)
    }
  }

  private static func checkFormat(_ error: KVError, _ text: String, _ bytes: [UInt8]) {
    let codes: [KVError.Code] = [.invalidPredicate, .limitExceeded, .unsupported, .invalidKeyPath]
    expect(codes.contains(error.code), "an unexpected code:", bytes, error.message)
    expect(error.offset.map { (0...text.count).contains($0) } ?? false, "no offset:", bytes, error.message)
    expect(error.keyPath == text, "another text in the error of", bytes, error.keyPath ?? "nil")
  }

  private static func checkPredicate(_ predicate: KVPredicate, _ text: String, _ bytes: [UInt8]) {
    let printed = predicate.description
    let again = try? KVPredicate(format: printed)
    expect(again == predicate && again?.description == printed, "no round trip:", bytes, printed)
    expect(again?.keyPaths == predicate.keyPaths, "printed, it reads other paths:", bytes, printed)
    expect(!(!predicate) == predicate, "negated twice it is another one:", bytes, printed)
    expect(predicate.with([:]) == predicate, "without variables it is another one:", bytes, printed)
    for (other, expected) in [
      ("(\(text))", predicate), (" \(text)\n", predicate), ("(\(text)) AND (\(text))", predicate && predicate),
    ] {
      do throws(KVError) {
        let spelled = try KVPredicate(format: other)
        expect(spelled == expected, "in parentheses another one:", bytes, "\(spelled) for \(expected)")
      } catch {
        expect(error.code == .limitExceeded, "in parentheses refused:", bytes, error.message)
      }
    }
    // A regular expression may take any time, and the clock goes on.
    if printed.contains("MATCHES") || printed.contains("now") { return }
    for value in [person, nil] as [[String: Any]?] {
      let result = evaluate(predicate, value)
      if let again { expect(evaluate(again, value) == result, "printed, it has another result:", bytes, printed) }
      if case .success(let truth) = result {
        expect(evaluate(!predicate, value) == .success(!truth), "its negation is no negation:", bytes, printed)
      }
    }
  }

  private enum Outcome: Equatable {
    case success(Bool)
    case failure(String)
  }

  private static func evaluate(_ predicate: KVPredicate, _ value: [String: Any]?) -> Outcome {
    do throws(KVError) { return .success(try predicate.evaluate(with: value, variables: ["x": 1, "y": "y"])) } catch {
      return .failure(error.code.description)
    }
  }

  nonisolated(unsafe) private static let person: [String: Any] = [
    "a": 1, "b": "text", "c": [1, 2, 3], "d": ["x", "Y", "é"], "name": "Zoë",
    "e": ["a": 1.5, "b": true] as [String: Any], "f": [["a": 1], ["a": 2]], "year": 2020, "title": "Song 10",
  ]
}

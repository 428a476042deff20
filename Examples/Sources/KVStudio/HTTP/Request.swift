import Foundation

/// A request of HTTP/1.1.
struct Request: Sendable, Equatable {
  var method: String
  /// The path of the target, without percent-encoding.
  var path: String
  var query: [String: String] = [:]
  /// The header fields; the names are in lowercase.
  var headers: [String: String] = [:]
  var body = Data()

  /// The cookies of the request; of a name that occurs twice, the first.
  var cookies: [String: String] {
    let pairs = (headers["cookie"] ?? "").split(separator: ";").compactMap { pair -> (String, String)? in
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

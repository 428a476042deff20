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
}

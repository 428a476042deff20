import Foundation
import KVBinding
import KVDocuments

/// An answer: a document, or the stream of events of some windows.
struct Response: Sendable {
  enum Content: Sendable {
    case data(Data)
    /// The events of some windows behind a position.
    case events(windows: [String], after: Int)
  }

  var status = 200
  var type = "application/json"
  var headers: [String: String] = [:]
  var content: Content

  /// A JSON document.
  init(json value: [String: Any], status: Int = 200) throws(KVError) {
    content = .data(try KVDocument(value).data())
    self.status = status
  }

  init(_ data: Data, type: String) {
    content = .data(data)
    self.type = type
  }

  init(eventsOf windows: [String], after position: Int) {
    content = .events(windows: windows, after: position)
    type = "text/event-stream"
  }

  init(_ refusal: Refusal) {
    var members: [String: Any] = refusal.members
    members["error"] = refusal.sentence
    members["details"] = refusal.details
    content = .data((try? KVDocument(members).data()) ?? Data())
    status = refusal.status
    if refusal.status == 405 { headers["Allow"] = "GET, POST" }
    if refusal.status == 503 { headers["Retry-After"] = "1" }
  }

  /// The header fields of every answer: nothing is cached, framed or guessed, and the page loads only from here.
  static let protection = [
    "Cache-Control": "no-store",
    "Connection": "close",
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  ]

  /// The first line and the header fields.
  var head: Data {
    var fields = Self.protection.merging(headers) { _, own in own }
    fields["Content-Type"] = type.hasPrefix("image/") ? type : "\(type); charset=utf-8"
    if case .data(let data) = content { fields["Content-Length"] = "\(data.count)" }
    let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return Data("HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")\r\n\(lines)\r\n".utf8)
  }

  private static let phrases = [
    200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 422: "Unprocessable Content",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}

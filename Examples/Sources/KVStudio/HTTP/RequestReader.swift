import Foundation

/// Reads one request from the bytes of a connection, and refuses whatever is malformed or too large.
///
/// A connection serves one request. Bytes behind it are ignored, so that no request can hide in another.
struct RequestReader {
  /// The limits of a request, in bytes.
  struct Limits: Sendable {
    var head = 16 << 10
    var target = 4 << 10
    var body = 1 << 20
    var fields = 100
  }

  let limits: Limits
  private var bytes: [UInt8] = []
  /// How many bytes were searched for the end of the head.
  private(set) var searched = 0
  /// The request without its body, as soon as its head is complete.
  private(set) var head: Request?
  private var bodyLength = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Adds bytes.
  ///
  /// - Returns: The request when it is complete; nil before.
  /// - Throws: A refusal; nothing more is to be read then.
  mutating func add(_ new: some Sequence<UInt8>) throws(Refusal) -> Request? {
    bytes.append(contentsOf: new)
    if head == nil {
      guard let end = endOfHead() else {
        if bytes.count > limits.head { throw tooLongHead }
        return nil
      }
      if end > limits.head { throw tooLongHead }
      try readHead(bytes[..<end])
      bytes.removeSubrange(..<(end + 4))
    }
    guard var request = head, bytes.count >= bodyLength else { return nil }
    request.body = Data(bytes.prefix(bodyLength))
    return request
  }

  /// Returns where the head ends: before an empty line.
  ///
  /// It looks at each byte once, however the bytes are cut.
  private mutating func endOfHead() -> Int? {
    while searched < bytes.count {
      searched += 1
      if bytes[searched - 1] == 0x0A, bytes[..<searched].suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
        return searched - 4
      }
    }
    return nil
  }

  private var tooLongHead: Refusal { Refusal(431, "The head of the request is longer than \(limits.head) bytes.") }

  private mutating func readHead(_ head: ArraySlice<UInt8>) throws(Refusal) {
    guard head.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }) else {
      throw Refusal(400, "The head of the request contains a byte that is not printable ASCII.")
    }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    guard !lines.contains(where: { $0.contains("\r") || $0.contains("\n") }) else {
      throw Refusal(400, "A line of the head does not end with CR LF.")
    }
    var request = try requestLine(lines[0])
    guard lines.count - 1 <= limits.fields else {
      throw Refusal(431, "The request has more than \(limits.fields) header fields.")
    }
    for line in lines.dropFirst() { try readField(line, into: &request) }
    guard request.headers["host"] != nil else { throw Refusal(400, "The header field Host is missing.") }
    if request.headers["transfer-encoding"] != nil {
      throw Refusal(501, "A body with Transfer-Encoding is not accepted. Send its Content-Length.")
    }
    bodyLength = try length(of: request)
    self.head = request
  }

  private func requestLine(_ line: String) throws(Refusal) -> Request {
    let parts = line.components(separatedBy: " ")
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isUppercase) else {
      throw Refusal(400, "The first line of the request is not \"METHOD /path HTTP/1.1\".")
    }
    guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
      throw Refusal(505, "Only HTTP/1.1 is spoken here.")
    }
    guard parts[1].utf8.count <= limits.target else {
      throw Refusal(414, "The target of the request is longer than \(limits.target) bytes.")
    }
    guard parts[1].hasPrefix("/") else { throw Refusal(400, "The target of the request does not begin with \"/\".") }
    let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var request = Request(method: parts[0], path: try decoded(target[0]))
    for pair in target.count == 2 ? target[1].split(separator: "&") : [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (try decoded(sides[0]), sides.count == 2 ? try decoded(sides[1]) : "")
      guard request.query.updateValue(value, forKey: name) == nil else {
        throw Refusal(400, "The parameter \"\(name)\" occurs twice.")
      }
    }
    return request
  }

  private func decoded(_ text: Substring) throws(Refusal) -> String {
    guard let text = text.replacing("+", with: "%20").removingPercentEncoding, !text.utf8.contains(0) else {
      throw Refusal(400, "The target of the request contains a percent sign that begins no UTF-8 character.")
    }
    return text
  }

  private func readField(_ line: String, into request: inout Request) throws(Refusal) {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
      line[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0) })
    else { throw Refusal(400, "A line of the head is not a header field: a name, a colon and a value.") }
    let name = line[..<colon].lowercased()
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    guard request.headers.updateValue(value, forKey: name) == nil else {
      throw Refusal(400, "The header field \(name) occurs twice.")
    }
  }

  private func length(of request: Request) throws(Refusal) -> Int {
    guard let text = request.headers["content-length"] else {
      if request.method == "POST" { throw Refusal(411, "The header field Content-Length is missing.") }
      return 0
    }
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      throw Refusal(400, "The Content-Length is not a number.")
    }
    guard let length = Int(text), length <= limits.body else {
      throw Refusal(413, "The body is longer than \(limits.body) bytes.")
    }
    if request.method != "POST", length > 0 { throw Refusal(400, "A \(request.method) has no body here.") }
    return length
  }
}

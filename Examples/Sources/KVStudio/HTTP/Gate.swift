/// Lets in the requests of the page that this server has served, and no others.
///
/// - Another site that resolves its name to this machine (DNS rebinding) sends its own name as Host.
/// - A page of another site, or of another port of this machine, sends its own Origin.
/// - Another user of the machine does not know the token, which is in the printed address only.
///
/// The page keeps the token for its own origin, and sends it as a header field. A cookie would be sent to every port of
/// 127.0.0.1. Before that, the server proves that it knows the token, too: when it has ended, any program can listen on its
/// port.
struct Gate: Sendable {
  let token: String
  let port: UInt16
  /// The paths of the page's files, which a browser loads without the token: they contain nothing of the program.
  let files: Set<String>

  /// Where the server proves who it is.
  private static let proofPath = "/identity"

  /// The only Host that is accepted: that of the printed address.
  var host: String { "127.0.0.1:\(port)" }

  /// Throws a refusal if a request is not to be answered; its head suffices.
  func check(_ request: Request) throws(Refusal) {
    guard request.headers["host"] == host else {
      throw Refusal(403, "The Host of the request is not \(host). Open the address that the server has printed.")
    }
    if let origin = request.headers["origin"] {
      guard origin.lowercased() == "http://\(host)" else {
        throw Refusal(403, "The request comes from another site (\(origin.prefix(200))).")
      }
    } else if request.method == "POST" {
      throw Refusal(403, "The header field Origin is missing.")
    }
    if let site = request.headers["sec-fetch-site"], site != "same-origin" {
      guard site == "none" || request.method == "GET" && request.path == "/" else {
        throw Refusal(403, "The request comes from another site.")
      }
    }
    if request.method == "GET", files.contains(request.path) || request.path == Self.proofPath {
      guard let given = request.query["token"] else { return }
      guard !matches(given) else { return }
    } else if matches(bearer(request)) {
      return
    }
    throw .wrongToken(isGuess: request.query["token"] != nil || bearer(request) != nil)
  }

  /// Answers a request for a proof: a hash of its number, of the address and of the token.
  ///
  /// Since the address is part of it, the proof of a server on another port is none.
  func proof(_ request: Request) throws -> Response? {
    guard request.method == "GET", request.path == Self.proofPath else { return nil }
    guard let nonce = request.query["nonce"], (16...100).contains(nonce.utf8.count) else {
      throw Refusal(400, "The parameter \"nonce\" is missing: 16 to 100 characters that have not been sent before.")
    }
    let bytes = SHA256.keyed("kv studio \(host) \(nonce)".utf8, key: Array(token.utf8))
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return try Response(json: ["proof": digits.joined()])
  }

  private func bearer(_ request: Request) -> String? {
    guard let field = request.headers["authorization"], field.hasPrefix("Bearer ") else { return nil }
    return String(field.dropFirst(7))
  }

  /// Compares a text with the token, in a time that does not depend on where they differ.
  private func matches(_ text: String?) -> Bool {
    guard let text, text.utf8.count == token.utf8.count else { return false }
    return zip(text.utf8, token.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns a random token of 32 hexadecimal digits.
  static func randomToken() -> String {
    (0..<4).map { _ in
      let text = String(UInt32.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 8 - text.count) + text
    }.joined()
  }
}

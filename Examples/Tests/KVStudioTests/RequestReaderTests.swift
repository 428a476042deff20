import Foundation
import Testing

@testable import KVStudio

@Suite("Requests are read byte by byte, and refused with a sentence")
struct RequestReaderTests {
  private func read(_ text: String) throws -> Request? {
    var reader = RequestReader()
    return try reader.add(Array(text.utf8))
  }

  @Test("A request is complete with its body, however its bytes are cut")
  func whole() throws {
    let text = "POST /api/x/y?a=b%20c&d HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nX-Field: a=1; b=2\r\n\r\nbodyREST"
    var reader = RequestReader()
    var found: Request?
    for byte in text.utf8 where found == nil { found = try reader.add([byte]) }
    let request = try #require(found)
    #expect(request.method == "POST" && request.path == "/api/x/y" && request.query == ["a": "b c", "d": ""])
    #expect(request.body == Data("body".utf8) && request.headers["x-field"] == "a=1; b=2")
    #expect(try read(text) == request)
    for length in 0..<(text.utf8.count - 4) {
      var reader = RequestReader()
      #expect(try reader.add(text.utf8.prefix(length)) == nil)
    }
  }

  @Test("The end of a head is searched in each byte once, however the bytes are cut")
  func searchedOnce() throws {
    let end = "\r\n\r\n".utf8
    for cut in 0...end.count {
      var reader = RequestReader()
      for count in 1...500 {
        #expect(try reader.add([count % 7 == 0 ? 0x0A : 0x61]) == nil)
        #expect(reader.searched == count)
      }
      #expect(throws: Never.self) { try cut == 0 ? nil : reader.add(end.prefix(cut - 1)) }
      #expect(reader.searched == 500 + max(0, cut - 1))
    }
  }

  @Test(
    "What is malformed or too large is refused",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400, "Host is missing"),
      ("GET /\r\nHost: h\r\n\r\n", 400, "first line"),
      ("get / HTTP/1.1\r\nHost: h\r\n\r\n", 400, "first line"),
      (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", 400, "first line"),
      ("GET / HTTP/2\r\nHost: h\r\n\r\n", 505, "HTTP/1.1"),
      ("GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n", 400, "does not begin with"),
      ("GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", 400, "percent"),
      ("GET /%ff HTTP/1.1\r\nHost: h\r\n\r\n", 400, "percent"),
      ("GET /%00 HTTP/1.1\r\nHost: h\r\n\r\n", 400, "percent"),
      ("GET /?a=1&a=2 HTTP/1.1\r\nHost: h\r\n\r\n", 400, "occurs twice"),
      ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400, "host occurs twice"),
      ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", 400, "not a header field"),
      ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400, "not a header field"),
      ("GET / HTTP/1.1\nHost: h\r\n\r\n", 400, "CR LF"),
      ("GET / HTTP/1.1\r\nHost: \u{E9}\r\n\r\n", 400, "ASCII"),
      ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", 400, "no body"),
      ("POST / HTTP/1.1\r\nHost: h\r\n\r\n", 411, "Content-Length"),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400, "not a number"),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n", 400, "not a number"),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\n", 400, "not a number"),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1048577\r\n\r\n", 413, "1048576"),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n", 413, "1048576"),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 501, "Content-Length"),
      ("GET /\(String(repeating: "a", count: 4096)) HTTP/1.1\r\nHost: h\r\n\r\n", 414, "4096"),
      ("GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 17_000))", 431, "16384"),
      ("GET / HTTP/1.1\r\n\(String(repeating: "a", count: 17_000))\r\n\r\n", 431, "16384"),
      ("GET / HTTP/1.1\r\n\((0..<101).map { "A\($0): b\r\n" }.joined())\r\n", 431, "100"),
    ])
  func refused(_ text: String, _ status: Int, _ words: String) throws {
    let refusal = try #require(throws: Refusal.self) { try read(text) }
    #expect(refusal.status == status && refusal.sentence.contains(words) && refusal.sentence.hasSuffix("."))
  }

  @Test("Random bytes are refused with a sentence, or give a request that keeps the limits, and never trap")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let pieces = [
      "GET ", "POST ", "/", "/?a=b&c", " HTTP/1.1", "\r\n", "\r\n\r\n", "Host: h", "Content-Length: 3", "%", ":", "é",
      "\0",
    ]
    let whole = Array("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc".utf8)
    var (requests, refusals, sentences) = (0, 0, Set<String>())
    for round in 0..<4000 {
      var reader = RequestReader()
      var chunks: [[UInt8]] = []
      if round % 2 == 0 {
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
          let piece = Array(pieces.randomElement(using: &generator)!.utf8)
          chunks.append(Bool.random(using: &generator) ? piece : [UInt8.random(in: 0...255, using: &generator)])
        }
      } else {
        // A good request with a byte that is another one now and then, cut anywhere.
        var bytes = whole
        if round % 4 == 1 {
          bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        let cut = Int.random(in: bytes.indices, using: &generator)
        chunks = [Array(bytes[..<cut]), Array(bytes[cut...])]
      }
      reading: for chunk in chunks {
        do {
          guard let request = try reader.add(chunk) else { continue }
          requests += 1
          #expect(request.path.hasPrefix("/") && request.headers["host"] != nil && request.body.count <= 3)
          break reading
        } catch {
          refusals += 1
          sentences.insert(error.sentence)
          #expect((400..<600).contains(error.status) && error.sentence.hasSuffix("."))
          break reading
        }
      }
    }
    #expect(requests > 1000 && refusals > 500 && sentences.count > 5, "\(requests) \(refusals) \(sentences)")
  }
}

import FlyingSocks
import Foundation
import KVTestSupport
import Testing

@testable import KVStudio

@Suite("The token lets in whoever has it, and nobody who guesses")
struct TokenTests {
  private func lets(_ given: String, in token: String) -> Bool {
    let gate = Gate(token: token, port: 1, files: ["/"])
    let fields = ["host": gate.host, "authorization": "Bearer \(given)"]
    let isRight = (try? gate.check(Request(method: "GET", path: "/events", headers: fields))) != nil
    // The address of the page is compared with the same token.
    let page = Request(method: "GET", path: "/", query: ["token": given], headers: ["host": gate.host])
    #expect(((try? gate.check(page)) != nil) == isRight)
    return isRight
  }

  @Test(
    "Each change of one character and of its case, each other length and a thousand random tokens are refused",
    arguments: ["0123456789abcdef0123456789abcdef", "A-Token_that-was-Chosen_42"])
  func comparison(token: String) {
    #expect(lets(token, in: token))
    let (characters, all) = (Array(token), (0x21...0x7E).map { Character(Unicode.Scalar($0)) })
    for (index, character) in characters.enumerated() {
      for other in all where other != character {
        var changed = characters
        changed[index] = other
        #expect(!lets(String(changed), in: token), "\(String(changed))")
      }
    }
    for index in characters.indices {
      let flipped = characters.enumerated().map { place, character in
        place != index ? String(character) : character.isUppercase ? character.lowercased() : character.uppercased()
      }.joined()
      if flipped != token { #expect(!lets(flipped, in: token), "\(flipped)") }
      #expect(!lets(String(characters.prefix(index)), in: token))
    }
    #expect(!lets(token.uppercased(), in: token) && !lets(token + token, in: token) && !lets("", in: token))
    // Differences of several characters cancel out nowhere.
    var random = SeededGenerator(seed: 50)
    for _ in 0..<1000 {
      let guess = String(characters.map { _ in characters.randomElement(using: &random) ?? "0" })
      if guess != token { #expect(!lets(guess, in: token), "\(guess)") }
    }
  }

  @Test(
    "The answer to each wrong token waits twice as long as the one before, at most five seconds, and less with time")
  func waits() {
    var wrong = WrongTokens()
    let waits = (0..<1000).map { _ in wrong.wait(at: .seconds(1)) }
    let first: [Duration] = [50, 100, 200, 400, 800, 1600, 3200, 5000].map { .milliseconds($0) }
    #expect(Array(waits[..<8]) == first)
    #expect(waits.dropFirst(8).allSatisfy { $0 == .seconds(5) })
    // One is forgotten in ten seconds.
    #expect(wrong.wait(at: .seconds(11)) == .milliseconds(3200))
    #expect(wrong.wait(at: .seconds(11)) == .seconds(5))
    #expect(wrong.wait(at: .seconds(41)) == .milliseconds(800))
    #expect(wrong.wait(at: .seconds(10_000)) == .milliseconds(50))
  }

  @Test("The answer to a wrong token waits, and nothing else does", .timeLimit(.minutes(1)))
  @MainActor func delay() async throws {
    let clock = KVManualClock()
    try await TestServer.run(clock: clock) { server in
      let answers = (0..<3).map { _ in
        Task { try await server.post("/api/open", "{}", ["Authorization": "Bearer wrong"]).status }
      }
      try await clock.waitForSleep(3)
      // The clock stands still: neither the right token nor a missing one waits.
      #expect(try await server.post("/api/open").status == 200)
      #expect(try await server.get("/?token=\(TestServer.token)", ["Authorization": nil]).status == 200)
      #expect(try await server.post("/api/open", "{}", ["Authorization": nil]).status == 403)
      let other = ["Host": "other", "Authorization": "Bearer wrong"]
      #expect(try await server.post("/api/open", "{}", other).status == 403)
      clock.advance(by: .milliseconds(200))
      for answer in answers { #expect(try await answer.value == 403) }
    }
  }

  @Test("Wrong tokens that wait keep nobody out: the oldest one makes room at once", .timeLimit(.minutes(1)))
  @MainActor func room() async throws {
    let clock = KVManualClock()
    var limits = StudioServer.Limits()
    limits.connections = 3
    try await TestServer.run(limits: limits, clock: clock) { server in
      var sockets: [AsyncSocket] = []
      for number in 1...3 {
        let socket = try await server.connect()
        let fields = "Host: \(server.host)\r\nAuthorization: Bearer wrong\r\n"
        try await socket.write(Data("GET /events HTTP/1.1\r\n\(fields)\r\n".utf8))
        sockets.append(socket)
        try await clock.waitForSleep(number)
      }
      #expect(try await server.post("/api/open").status == 200)
      #expect(try await TestServer.answer(sockets[0]).status == 0)
      clock.advance(by: .seconds(5))
      #expect(try await TestServer.answer(sockets[2]).status == 403)
      for socket in sockets { try socket.close() }
    }
  }
}

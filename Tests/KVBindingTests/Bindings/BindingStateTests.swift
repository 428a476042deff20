import KVBinding
import KVCore
import TestModels
import Testing

private struct StateFault: Error {}

@Suite("The state of bindings, observed")
struct BindingStateTests {
  let song = Song()
  let field = Field()
  let options = KVBindingOptions(nullPlaceholder: 0)

  @Test("BND.14: state and lastError are observed by key")
  func observed() throws {
    let binding = try field.bind("number", to: "note", of: song, options: options)
    let log = ChangeLines()
    let state = try binding.observe("state") { change in
      log.lines.append("\(change.old ?? "nil") → \(change.new ?? "nil"), \(binding.lastError == nil)")
    }
    let errors = try binding.observe("lastError", as: KVError.self) { change in
      log.lines.append("\(change.old?.code.description ?? "nil") → \(change.new?.code.description ?? "nil")")
    }
    song.note = "many"
    #expect(log.lines == ["nil → typeMismatch", "active → failed, false"])
    song.note = "more"
    #expect(log.lines.dropFirst(2) == ["typeMismatch → typeMismatch"])
    state.pause()
    errors.pause()
    song.note = nil
    state.resume()
    errors.resume()
    binding.cancel()
    #expect(log.lines.last == "active → ended, true")
  }

  @Test("BND.14: the token alone keeps an observation of a binding that its objects keep")
  func keptByItsObjects() throws {
    let log = ChangeLines()
    let token = try field.bind("number", to: "note", of: song, options: options).observe("state") { change in
      log.lines.append("\(change.new ?? "nil")")
    }
    song.note = "many"
    field.unbindAll()
    #expect(log.lines == ["failed", "ended"])
    token.cancel()
    let binding = try field.bind("number", to: "rating", of: song)
    #expect(try field.bindings(to: "number") == [binding] && KVDiagnostics.bindings(of: song) == [binding])
  }

  @Test("BND.14: the state can be bound, and its binding ends with it")
  func bound() throws {
    let binding = try field.bind("number", to: "note", of: song, options: options)
    let label = Label()
    try label.bind("text", to: "lastError", of: binding) { (error: KVError?) in error?.component ?? "none" }
    #expect(label.text == "none")
    song.note = "many"
    #expect(label.text == "number")
  }

  @Test("BND.14, KVC.18: the message of the last error is a key path")
  func message() throws {
    var options = options
    let binding = try field.bind("number", to: "note", of: song, options: options)
    let label = Label()
    options = .oneWay
    options.fallback = "none"
    try label.bind("text", to: "lastError.message", of: binding, options: options)
    #expect(label.text == "none")
    let log = ChangeLines()
    let token = try binding.observe("lastError.code") { log.lines.append("\($0.new ?? "nil")") }
    song.note = "many"
    #expect(label.text == binding.lastError?.message)
    #expect(log.lines == ["typeMismatch"])
    token.cancel()
  }

  @Test("BND.11: an error that is thrown to the caller is not reported as well")
  func thrownErrors() throws {
    let (source, target) = (Villager("Ada"), Villager("Bob"))
    var events = capturingEvents(level: .error) {
      #expect(throws: KVError.self) { try target.bind("age", to: "name", of: source) }
    }
    source.name = nil
    let binding = try target.bind("age", to: "name", of: source, options: .init(trigger: .explicit)) {
      (name: String?) throws -> Int in
      if name != nil { throw StateFault() }
      return 1
    }
    source.name = "Ada"
    events += capturingEvents(level: .error) {
      #expect(throws: KVError.self) { try binding.updateTarget() }
    }
    #expect(events.about(source).isEmpty && binding.state == .failed)
    let other = try target.bind("age", to: "age", of: source) { (age: Int) throws -> Int in
      if age > 0 { throw StateFault() }
      return age
    }
    #expect(capturingEvents(level: .error) { source.age = 1 }.about(source).count == 1)
    other.cancel()
  }

  @Test("BND.11: an error that a later round of the same call settles is reported, since the call does not throw it")
  func settledError() throws {
    let song = Song()
    song.title = "bad"
    let (field, log) = (field, ChangeLines())
    let events = try capturingEvents(level: .error) {
      let binding = try field.bind("title", to: "title", of: song) { (title: String) throws -> String in
        log.lines.append(title)
        guard title == "bad" else { return title }
        song.title = "good"
        throw StateFault()
      }
      #expect(binding.state == .active && binding.lastError == nil)
      song.title = "bad"
    }
    #expect(field.title == "good" && log.lines == ["bad", "good", "bad", "good"])
    #expect(events.about(song).count == 2)
  }

  @Test("BND.14: onError is called for each failure, and not for the first value")
  func onError() throws {
    let log = ChangeLines()
    let binding = try field.bind("number", to: "note", of: song, options: options)
    binding.onError = { error in log.lines.append("\(error.code), \(binding.state)") }
    song.note = "many"
    song.note = "more"
    #expect(log.lines == ["typeMismatch, failed", "typeMismatch, failed"])
    binding.onError = nil
    song.note = "none"
    #expect(log.lines.count == 2 && binding.onError == nil)
    binding.cancel()
    binding.onError = { _ in }
    #expect(binding.onError == nil)
  }

  @Test("BND.14: a binding that ends releases its closures, also while the binding is kept", arguments: [true, false])
  func releases(isKept: Bool) throws {
    weak var transform: ChangeLines?
    weak var failure: ChangeLines?
    weak var option: ChangeLines?
    var kept: [KVPathBinding] = []
    do {
      let (first, second, third) = (ChangeLines(), ChangeLines(), ChangeLines())
      (transform, failure, option) = (first, second, third)
      nonisolated(unsafe) let captured = third
      let reversible = KVTransformer(
        forward: { (text: String) in
          captured.lines.append(text)
          return text
        }, reverse: { (text: String) in text })
      let bindings = [
        try field.bind("title", to: "title", of: song) { (text: String) in
          first.lines.append(text)
          return text
        },
        try field.bind("counted", to: "title", of: song, options: .init(.twoWay, transformer: reversible)),
        try field.bind(
          "text", toAll: [.init(song, "title")],
          by: KVCombiner { values in
            first.lines.append("")
            return "\(values.count)"
          }),
      ]
      bindings[0].onError = { _ in second.lines.append("") }
      if isKept { kept = bindings }
    }
    #expect(transform != nil && failure != nil && option != nil)
    let once = try field.bind("title", to: "title", of: song, options: .once)
    field.unbindAll()
    #expect(transform == nil && failure == nil && option == nil)
    #expect(once.state == .ended)
    for binding in kept {
      #expect(binding.state == .ended && !binding.isActive && binding.source.keyPath == "title")
      #expect(binding.options.transformer == nil && binding.location.contains("BindingStateTests"))
      #expect("\(binding)".hasPrefix("Song.title ") && "\(binding)".contains("[ended]"))
      #expect(throws: KVError.self) { try binding.updateTarget() }
    }
  }

  @Test("BND.14, BND.8: a binding that was made by its initialiser releases its closures, too, when it is cancelled")
  func releasesWhenCancelled() throws {
    weak var weakLog: ChangeLines?
    let binding: KVPathBinding
    do {
      let log = ChangeLines()
      weakLog = log
      nonisolated(unsafe) let captured = log
      let transformer = KVTransformer { (text: String) in
        captured.lines.append(text)
        return text
      }
      binding = try KVPathBinding(
        from: song, "title", to: field, "title", options: .init(.oneWay, transformer: transformer))
    }
    #expect(weakLog?.lines == ["Blue"])
    binding.cancel()
    #expect(weakLog == nil && binding.state == .ended)
  }

  @Test("BND.14: a transformer that ends its binding is released after it has returned")
  func releasesInsideItself() throws {
    weak var weakLog: ChangeLines?
    var binding: KVPathBinding?
    do {
      let log = ChangeLines()
      weakLog = log
      binding = try field.bind("title", to: "title", of: song) { [field] (text: String) in
        if text == "end" { field.unbindAll() }
        log.lines.append(text)
        return text
      }
    }
    song.title = "end"
    #expect(weakLog == nil && binding?.state == .ended && field.title == "Blue")
  }
}

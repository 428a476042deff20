import KVBinding
import KVTestSupport
import TestModels
import Testing

extension BindingMistakes {
  static let binding: [BindingMistake] = [
    BindingMistake(
      "A source that never notifies", #"try label.bind("number", to: "plays", of: song)"#,
      "Let the property notify, as in [A property that never notifies](#a-property-that-never-notifies), or set the target "
        + "once: `options: .once`."
    ) {
      try Label().bind("number", to: "plays", of: Song())
    } cure: {
      let (label, song) = (Label(), Song())
      song.plays = 3
      try label.bind("number", to: "plays", of: song, options: .once)
      check(label.number == 3)
    },
    BindingMistake(
      "Both ways to a key that cannot be set",
      #"try label.bind("text", to: "summary", of: song, options: .twoWay)"#,
      "A binding is one-way without the option."
    ) {
      try Label().bind("text", to: "summary", of: Song(), options: .twoWay)
    } cure: {
      let label = Label()
      try label.bind("text", to: "summary", of: Song())
      check(label.text == "So What, 1959")
    },
    BindingMistake(
      "A value of another type", #"try label.bind("text", to: "tags", of: song)"#,
      "A closure, or a transformer, makes a value that fits."
    ) {
      try Label().bind("text", to: "tags", of: Song())
    } cure: {
      let (label, song) = (Label(), Song())
      song.tags = ["a", "b"]
      try label.bind("text", to: "tags", of: song) { (tags: [String]) in tags.joined(separator: ", ") }
      check(label.text == "a, b")
    },
    BindingMistake(
      "Both ways through a transformer that has one way",
      #"try label.bind("text", to: "title", of: song, options: .init(.twoWay, transformer: upper))"#,
      "`let upper = KVTransformer { (text: String) in text.uppercased() }` has no `reverse:`."
    ) {
      let upper = KVTransformer { (text: String) in text.uppercased() }
      try Label().bind("text", to: "title", of: Song(), options: .init(.twoWay, transformer: upper))
    } cure: {
      let upper = KVTransformer { (text: String) in
        text.uppercased()
      } reverse: { (text: String) in
        text.lowercased()
      }
      let (label, song) = (Label(), Song())
      try label.bind("text", to: "title", of: song, options: .init(.twoWay, transformer: upper))
      label.text = "BLUE"
      check(song.title == "blue")
    },
    BindingMistake(
      "A text that does not convert",
      #"""
      let binding = try label.bind("text", to: "year", of: song, transform: { (year: Int) in "\(year)" }, reverse: { Int($0) })
      label.text = "last year"   // binding.lastError
      """#,
      "The year stays as it is, and the next text is tried. `onError` and the key `lastError` of the binding show the error "
        + "to the user."
    ) {
      let (label, song) = (Label(), Song())
      let binding = try label.bind("text", to: "year", of: song, transform: { (year: Int) in "\(year)" }) { Int($0) }
      _ = capturingEvents { label.text = "last year" }
      if let error = binding.lastError { throw error }
    } cure: {
      let (label, song) = (Label(), Song())
      let binding = try label.bind("text", to: "year", of: song, transform: { (year: Int) in "\(year)" }) { Int($0) }
      label.text = "1960"
      check(song.year == 1960 && binding.lastError == nil)
    },
    BindingMistake(
      "A transformer that nobody registered", #"try KVTransformer.named("negateBolean")"#,
      "`KVTransformer.register(_:named:)` adds names."
    ) {
      _ = try KVTransformer.named("negateBolean")
    } cure: {
      _ = try KVTransformer.named("negateBoolean")
    },
    BindingMistake(
      "Bindings that set each other off",
      """
      try a.bind("number", to: "number", of: b) { (number: Int) in number + 1 }
      try b.bind("number", to: "number", of: a)
      """,
      "Each value makes a new one. Let one property compute the other one, or bind `.twoWay`."
    ) {
      let (a, b) = (Label(), Label())
      try a.bind("number", to: "number", of: b) { (number: Int) in number + 1 }
      try b.bind("number", to: "number", of: a)
    } cure: {
      let (a, b) = (Label(), Label())
      try a.bind("number", to: "number", of: b, options: .twoWay)
      b.number = 1
      a.number += 1
      check(b.number == 2)
    },
    BindingMistake(
      "A change on another thread",
      #"""
      try label.bind("text", to: "title", of: song, options: .init(concurrency: .only(.main)))
      // song.title is set elsewhere: binding.lastError
      """#,
      "`.dispatched(.main)` carries values to the executor instead of refusing them."
    ) {
      let executor = KVManualExecutor()
      let (label, song) = (Label(), Song())
      let binding = try label.bind(
        "text", to: "title", of: song, options: .init(initialSync: .none, concurrency: .only(executor)))
      _ = capturingEvents { song.title = "elsewhere" }
      if let error = binding.lastError { throw error }
    } cure: {
      let executor = KVManualExecutor()
      let (label, song) = (Label(), Song())
      try label.bind("text", to: "title", of: song, options: .init(concurrency: .dispatched(executor)))
      song.title = "elsewhere"
      executor.runAll()
      check(label.text == "elsewhere")
    },
  ]
}

import KVBinding
import TestModels
import Testing

extension BindingMistakes {
  static let observing: [BindingMistake] = [
    BindingMistake(
      "A property that never notifies", #"try song.observe("plays") { change in … }"#,
      #"""
      What to type depends on the class:

      - A class with `@KVModel`: delete `@KVIgnored`. `var plays = 0` notifies of every change.
      - A class with a table by hand: `@KVProperty var plays = 0` notifies of every change. The line `key("plays", \.plays)` alone lets
        writes by key notify, as `song.setValue(1, forKey: "plays")`.
      - A property that is computed from a key which the macro does not find: `@KVKey(.affected(by: "year")) var age: Int { … }`. In a
        table by hand, write `.affected(by: "year")` behind the line.
      - A property whose value is elsewhere, as in a file: `@KVKey(.notifiesManually)` in front of it, or `.notifiesManually()` behind
        its line. Then make each change in `song.withChange(forKey: "plays") { … }`.
      """#
    ) {
      _ = try Song().observe("plays") { _ in }
    } cure: {
      let (radio, tape) = (Radio(), Tape())
      var changes: [String] = []
      let note = { (change: KVChange) in changes.append("\(type(of: change.object)).\(change.keyPath)") }
      var tokens: [KVObservation] = []
      for key in ["plays", "rank", "volume"] { tokens.append(try radio.observe(key, handler: note)) }
      tokens.append(try tape.observe("plays", handler: note))
      radio.plays = 10
      radio.withChange(forKey: "volume") { radio.device = 4 }
      tape.plays = 1
      for token in tokens { token.cancel() }
      check(changes == ["Radio.plays", "Radio.rank", "Radio.volume", "Tape.plays"])
    },
    BindingMistake(
      "A handler that is never called", #"_ = try song.observe("year") { change in … }"#,
      "Nothing is reported: the returned token ends the observation when it is dropped. Store it, or give the observation "
        + "an owner: `observe(_:owner:)`.", make: nil
    ) {
      let song = Song()
      var count = 0
      try song.observe("year", owner: song) { _, _ in count += 1 }
      song.year = 1960
      check(count == 1)
    },
    BindingMistake(
      "A handler that is called for some changes only",
      """
      key("plays", \\.plays)   // a line in the table, and var plays without @KVProperty
      song.plays += 1         // no notification
      """,
      "Nothing is reported: a plain property notifies only of writes by key. Write `@KVProperty var plays`, or `@KVModel` in "
        + "front of the class, to be notified of every change.", make: nil
    ) {
      let song = Song()
      var count = 0
      let token = try song.observe("year") { _ in count += 1 }
      song.year += 1
      try song.setValue(1, forKey: "year")
      token.cancel()
      check(count == 2)
    },
    BindingMistake(
      "The elements of a collection", #"try library.observe("songs.title") { change in … }"#,
      "`observeElements(of:_:)` notifies of the elements and of the collection. A path to an operator, "
        + "`songs.@count`, is observed as it is."
    ) {
      _ = try Library().observe("songs.title") { _ in }
    } cure: {
      let library = Library()
      library.songs = [Song()]
      var count = 0
      let token = try library.observeElements(of: "songs", "title") { _ in count += 1 }
      library.songs[0].title = "Blue"
      token.cancel()
      check(count == 1)
    },
    BindingMistake(
      "The wrong type", #"try song.observe("year", as: String.self) { change in … }"#,
      "The type is that of the property, without a `?`: nil is delivered as nil."
    ) {
      _ = try Song().observe("year", as: String.self) { _ in }
    } cure: {
      let song = Song()
      var years: [Int?] = []
      let token = try song.observe("year", as: Int.self) { years.append($0.new) }
      song.year = 1960
      token.cancel()
      check(years == [1960])
    },
    BindingMistake(
      "Reverting without the old value", #"try song.observe("year", options: .new) { change in try? change.revert() }"#,
      "An observation receives what its options request. `[.old, .new]` is the default."
    ) {
      let song = Song()
      var error: KVError?
      let token = try song.observe("year", options: .new) { change in
        do throws(KVError) { try change.revert() } catch let failure { error = failure }
      }
      song.year = 1
      token.cancel()
      if let error { throw error }
    } cure: {
      let song = Song()
      let token = try song.observe("year") { change in if change.new as? Int == 1 { try? change.revert() } }
      song.year = 1
      token.cancel()
      check(song.year == 1959)
    },
  ]
}

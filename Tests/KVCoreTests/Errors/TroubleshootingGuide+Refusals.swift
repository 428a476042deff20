// Further mistakes that the compiler finds; .ci/mistakes.py compiles them.
extension TroubleshootingGuide {
  static let moreRefusals: [Refusal] = [
    Refusal(
      title: "A Swift key path where a key is wanted",
      code: #"""
        let token = try person.observe(\.name) { change in print(change) }
        """#,
      sentence: """
        error: 'observe(_:options:handler:)' is unavailable: a Swift key path names no key: observe("name"), or \
        observe(KVTypedKeyPath(Person.self).name), which the compiler checks
        """,
      advice: """
        Write the text, or a `KVTypedKeyPath`, which finds the key in the table. Lists take both:
        `observe(["age", KVTypedKeyPath(Person.self).name])`.
        """),
    Refusal(
      title: "`@KVProperty` in a class that is not observable",
      code: """
        final class Counter {
          @KVProperty var count = 0
        }
        """,
      sentence: """
        <unknown>:0: error: static subscript 'subscript(_enclosingInstance:wrapped:storage:)' requires that 'Counter' conform \
        to 'KVObservable'
        """,
      advice: """
        Let the class inherit from `KVObject`, or conform to `KVObservable` and store `let registrarSlot = KVRegistrarSlot()`.
        The compiler names the class, and neither the file nor the line: no declaration of a package can change that.
        """),
    Refusal(
      title: "`catch let error as KVError`",
      code: """
        do { try person.setValue("x", forKey: "age") } catch let error as KVError { print(error.code) }
        """,
      sentence: "warning: 'as' test is always true",
      advice: """
        The methods throw `KVError` and nothing else (typed throws), so write `catch { print(error.code) }`: `error` is a
        `KVError`. In a closure, write `do throws(KVError) { … }` for that. If other calls in the same `do` throw other errors,
        `catch let error as KVError` is right. Behind a `do` that contains a closure, Swift 6.3 may crash on the superfluous cast.
        """),
  ]
}

import KVCore
import KVQuery
import Testing

// The cures of mistakes in sort descriptors and predicates.
extension TroubleshootingCures {
  static let filters: [Cure] = [
    Cure("A malformed format") {
      let people = try [Guide.Person()].filter(try KVPredicate(format: "age >= 30 AND name = 'Ada'"))
      #expect(people.count == 1)
    },
    Cure("A condition without a comparison") {
      let holds = try KVPredicate(format: "isMember == TRUE AND age > 30").evaluate(with: ["isMember": true, "age": 36])
      #expect(holds)
    },
    Cure("A slip in the name of a function") {
      let holds = try KVPredicate(format: "length(name) == 3").evaluate(with: Guide.Person())
      #expect(holds)
    },
    Cure("A number compared with a string") {
      let people = try [Guide.Person()].filter("age > 30 AND age > CAST('30', 'Int')")
      #expect(people.count == 1)
    },
    Cure("A variable without a value") {
      let predicate = try KVPredicate(format: "age > $least")
      let (passed, bound) = try (
        predicate.evaluate(with: Guide.Person(), variables: ["least": 30]),
        predicate.with(["least": 30]).evaluate(with: Guide.Person())
      )
      #expect(passed && bound)
    },
    Cure("A filter that reads more than it may") {
      let permitted = try KVPredicate(format: "badge == 7").limited(toKeyPaths: ["name", "age", "badge"])
      let holds = try permitted.evaluate(with: Guide.Person())
      #expect(holds)
    },
    Cure("Sorting by a value without an order") {
      let people = try [Guide.Person(), Guide.Person()].sorted(by: ["address.city"])
      #expect(people.count == 2)
    },
  ]
}

import KVCore
import KVQuery

// Mistakes in sort descriptors and predicates.
extension TroubleshootingGuide {
  static let filters: [Mistake] = [
    Mistake(
      "A malformed format", #"try KVPredicate(format: "age >= AND name = 'Ada'")"#,
      "`error.offset` is the character to mark in a text field."
    ) { () throws(KVError) in try KVPredicate(format: "age >= AND name = 'Ada'") },
    Mistake(
      "A condition without a comparison", #"try KVPredicate(format: "isMember AND age > 30")"#,
      "A truth value is compared, too: `isMember == TRUE`."
    ) { () throws(KVError) in try KVPredicate(format: "isMember AND age > 30") },
    Mistake(
      "A slip in the name of a function", #"try KVPredicate(format: "lenght(name) > 3")"#,
      "`KVPredicate.registerFunction` adds functions of your own."
    ) { () throws(KVError) in try KVPredicate(format: "lenght(name) > 3") },
    Mistake(
      "A number compared with a string", #"try [person].filter("age > '30'")"#,
      "Write numbers without quotes. The value of a text field is a string: convert it, or write `CAST(%@, 'Int')`."
    ) { () throws(KVError) in try [Person()].filter("age > '30'") },
    Mistake(
      "A variable without a value", #"try KVPredicate(format: "age > $least").evaluate(with: person)"#,
      "A predicate that a live filter uses gets its variables by `with(_:)`."
    ) { () throws(KVError) in try KVPredicate(format: "age > $least").evaluate(with: Person()) },
    Mistake(
      "A filter that reads more than it may", #"try KVPredicate(format: typed).limited(toKeyPaths: ["name", "age"])"#,
      "The user typed `badge == 7`. Show the message, or permit the key."
    ) { () throws(KVError) in try KVPredicate(format: "badge == 7").limited(toKeyPaths: ["name", "age"]) },
    Mistake(
      "Sorting by a value without an order", #"try people.sorted(by: ["address"])"#,
      "Name a key inside the value, such as `address.city`."
    ) { () throws(KVError) in try [Person(), Person()].sorted(by: ["address"]).map(\.name) },
  ]
}

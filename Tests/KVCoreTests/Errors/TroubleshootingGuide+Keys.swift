import KVCore

// Mistakes in keys, and with keys that cannot be set.
extension TroubleshootingGuide {
  static let notFound: [Mistake] = [
    Mistake("A slip in a key", #"try person.value(forKey: "nmae")"#, "Keys are case sensitive, too.") {
      () throws(KVError) in try Person().value(forKey: "nmae")
    },
    Mistake(
      "A path where a key is wanted", #"try person.value(forKey: "address.city")"#,
      "`forKey:` takes one key and does not split it at dots; `forKeyPath:` does."
    ) { () throws(KVError) in try Person().value(forKey: "address.city") },
    Mistake(
      "An operator where a key is wanted", #"try person.tags.value(forKey: "@count")"#,
      "Only key paths have operators."
    ) { () throws(KVError) in try Person().tags.value(forKey: "@count") },
    Mistake(
      "A computed property without a table", #"try KVC.value(of: Circle(), forKeyPath: "area")"#,
      "Reflection sees stored properties only. `Circle` has `var radius = 1.0` and a computed `area`."
    ) { () throws(KVError) in try KVC.value(of: Circle(), forKeyPath: "area") },
    Mistake(
      "A lazy property", #"try person.value(forKey: "motto")"#,
      "In a struct, a lazy getter changes the value, so it cannot be a key: make it a method, or compute the value early."
    ) { () throws(KVError) in try Person().value(forKey: "motto") },
    Mistake(
      "A property of a standard type", #"try person.value(forKeyPath: "name.count")"#,
      "Or give the owner a key: `key(\"nameLength\") { $0.name.count }`."
    ) { () throws(KVError) in try Person().value(forKeyPath: "name.count") },
    Mistake(
      "A slip in an operator", #"try person.value(forKeyPath: "tags.@cuont")"#, "Operators begin with `@`."
    ) { () throws(KVError) in try Person().value(forKeyPath: "tags.@cuont") },
    Mistake(
      "An operator without its path", #"try [person].value(forKeyPath: "@sum")"#,
      "All operators but `@count`, `@firstObject`, `@lastObject` and `@self` work on the values of a path."
    ) { () throws(KVError) in try [Person()].value(forKeyPath: "@sum") },
  ]

  static let notSettable: [Mistake] = [
    Mistake(
      "A stored property that the table does not list", #"try person.setValue(39, forKey: "shoeSize")"#,
      "Reading works without a table, writing does not: Swift's reflection is read-only."
    ) { () throws(KVError) in try Person().setValue(39, forKey: "shoeSize") },
    Mistake(
      "A class without a table of its own",
      #"""
      final class Pupil: Person {
        var grade = 1
        class var keytable: KVTable { super.keyTable.extended(for: Pupil.self) { key in key("grade", \.grade) } }
      }
      try Pupil().setValue(2, forKey: "grade")
      """#, "Here the name is misspelt. `override` makes the compiler find that."
    ) { () throws(KVError) in try Pupil().setValue(2, forKey: "grade") },
    Mistake(
      "A struct without a table", #"try KVC.setValue(2, forKeyPath: "x", in: &point)"#, "The same applies to structs."
    ) { () throws(KVError) in
      var point = Point()
      try KVC.setValue(2, forKeyPath: "x", in: &point)
      return nil
    },
    Mistake("A `let`", #"try person.setValue(8, forKey: "badge")"#, "The key can only be read.") {
      () throws(KVError) in try Person().setValue(8, forKey: "badge")
    },
    Mistake(
      "A computed property without a setter", #"try person.setValue("B", forKey: "initial")"#,
      "Give the property a setter and leave the line as it is, or write the setter into the line."
    ) { () throws(KVError) in try Person().setValue("B", forKey: "initial") },
    Mistake(
      "A tuple or the payload of an enum",
      #"""
      // struct Box { var size = (width: 1, height: 2) }
      try KVC.setValue(3, forKeyPath: "size.width", in: &box)
      """#, "They can be read, but a new tuple or payload cannot be made from its parts."
    ) { () throws(KVError) in
      var box = Box()
      try KVC.setValue(3, forKeyPath: "size.width", in: &box)
      return nil
    },
  ]
}

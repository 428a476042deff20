import KVCore

// The sentences of errors of operators.
extension ErrorSentenceTests {
  static let operators: [Case] = [
    Case(
      "an operator with a slip of the finger",
      #"""
      unknown operator "@cuont". Did you mean "@count"? Known operators: @avg, @count, \#
      @distinctUnionOfArrays, @distinctUnionOfObjects, @distinctUnionOfSets, @firstObject, @lastObject, @max, \#
      @min, @self, @sum, @unionOfArrays, @unionOfObjects, @unionOfSets. (In the path "titles.@cuont" from \#
      Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "titles.@cuont") },
    Case(
      "an operator that needs a path",
      #"""
      @sum: it needs a key path to its right, as in @sum.price; write @sum.@self for the elements themselves. \#
      (In the path "books.@sum" from Author.)
      """#
    ) { () throws(KVError) in try Author.withBooks().value(forKeyPath: "books.@sum") },
    Case(
      "an operator on something else",
      #"""
      @sum: it needs a collection to its left, and found the String "Ada". (In the path "name.@sum.length" \#
      from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "name.@sum.length") },
    Case(
      "an operator on a dictionary",
      #"""
      @sum: it needs an array or a set to its left, and found a dictionary; name an entry of it first. (In \#
      the path "@sum.self" from Dictionary<String, Int>.)
      """#
    ) { () throws(KVError) in try ["a": 1].value(forKeyPath: "@sum.self") },
    Case(
      "a sum of texts",
      #"@sum: element 0: the String "one" is not a number. (In the path "books.@sum.title" from Author.)"#
    ) { () throws(KVError) in try Author.withBooks().value(forKeyPath: "books.@sum.title") },
    Case(
      "a union with nil",
      #"""
      @unionOfObjects: element 0 has a nil value, which cannot be part of a union; filter such elements \#
      first. (In the path "books.@unionOfObjects.note" from Author.)
      """#
    ) { () throws(KVError) in try Author.withBooks().value(forKeyPath: "books.@unionOfObjects.note") },
    Case(
      "a maximum of things without an order",
      #"@max: element 0: a value of type Author is not Comparable. (In the path "@max.self" from Array<Author>.)"#
    ) { () throws(KVError) in try [Author(), Author()].value(forKeyPath: "@max.self") },
  ]
}

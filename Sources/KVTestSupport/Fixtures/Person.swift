import KVCore

extension KVFixtures {
  /// A person: one key of every kind.
  open class Person: KVObject {
    /// A string.
    @KVProperty public var name: String
    /// A string that may be nil.
    @KVProperty package var nickname: String?
    /// An integer with a validator, which rejects values below 0 and replaces values above 150 by 150.
    @KVProperty public var age: Int
    /// A floating-point number with an alias, `size`.
    @KVProperty package var height = 1.65
    /// A Boolean value.
    @KVProperty package var isMember = false
    /// An enum with raw values.
    @KVProperty package var mood = Mood.calm
    /// An enum whose cases can be listed.
    @KVProperty package var hand = Hand.right
    /// A struct with a table: `address.city` can be written.
    @KVProperty package var address = Address()
    /// A struct without a table: `stamp.year` can be read.
    @KVProperty package var stamp = Stamp()
    /// Another object.
    @KVProperty package var next: Person?
    /// Another object, referenced weakly; notifies when it is written by key and when it dies.
    package weak var mentor: Person?
    /// An array of values.
    @KVProperty package var scores: [Int] = []
    /// An array of objects.
    @KVProperty public var friends: [Person] = []
    /// A set.
    @KVProperty package var tags: Set<String> = []
    /// A dictionary.
    @KVProperty package var phones: [String: String] = [:]
    /// A value of any type, or nil.
    @KVProperty package var anything: Any?
    /// A number that accepts strings when it is written by key.
    @KVProperty package var luckyNumber = 7
    /// A stored property without a wrapper; notifies when it is written by key.
    package var plain = "plain"
    /// A stored property that no table lists: reflection reads it; it cannot be written or observed by key.
    package var remark = "found by reflection"
    /// A constant.
    package let serial: Int
    private var storedStatus = "new"

    /// Creates a person.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - age: The age.
    ///   - serial: The number.
    public init(_ name: String = "Ada", age: Int = 36, serial: Int = 1) {
      self.name = name
      self.age = age
      self.serial = serial
    }

    /// A computed value, dependent on `name` and `nickname`.
    package var greeting: String { "Hello, \(nickname ?? name)" }

    /// A computed value that can be written, dependent on `name`.
    ///
    /// Its table says `notifiesManually`: a write by key sets `name`, which notifies, and would otherwise notify twice.
    package var shout: String {
      get { name.uppercased() }
      set { name = newValue.lowercased() }
    }

    /// A computed value with manual notification.
    package var status: String {
      get { storedStatus }
      set { withChange(forKey: "status") { storedStatus = newValue } }
    }

    /// The keys of a person.
    open override class var keyTable: KVTable {
      super.keyTable.extended(for: Person.self) { key in
        key("name", \.name)
        key("nickname", \.nickname)
        key("age", \.age).validated { age in
          if age < 0 { throw Fault("an age cannot be negative") }
          return age > 150 ? .replaced(with: 150) : .valid
        }
        key("height", \.height).alias("size").metadata("unit", "m")
        key("isMember", \.isMember)
        key("mood", \.mood)
        key("hand", \.hand)
        key("address", \.address)
        key("stamp", \.stamp)
        key("next", \.next)
        key("mentor", \.mentor)
        key("scores", \.scores)
        key("friends", \.friends)
        key("tags", \.tags)
        key("phones", \.phones)
        key("anything", \.anything)
        key("luckyNumber", \.luckyNumber).lenient()
        key("plain", \.plain)
        key("serial", \.serial)
        key("greeting", \.greeting).affected(by: "name", "nickname")
        key("shout", \.shout).affected(by: "name").notifiesManually()
        key("status", \.status).notifiesManually()
      }
    }

    /// Creates Ada with two friends, the next of whom is Grace, and with values in all properties.
    ///
    /// - Returns: A new person. Its `mentor` is nil, since nothing would keep that object alive.
    public static func sample() -> Person {
      let person = Person()
      let grace = Person("Grace", age: 85, serial: 2)
      person.nickname = "Countess"
      person.next = grace
      person.scores = [3, 1, 2]
      person.friends = [grace, Person("Alan", age: 41, serial: 3)]
      person.tags = ["poet", "engine"]
      person.phones = ["home": "1815", "work": "1843"]
      person.anything = 42
      return person
    }
  }
}

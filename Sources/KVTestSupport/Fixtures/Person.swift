import KVCore

extension KVFixtures {
  /// A person: one key of every kind.
  open class Person: KVObject {
    /// A string.
    @KVProperty public var name: String
    /// A string that may be nil.
    @KVProperty public var nickname: String?
    /// An integer with a validator: below 0 is refused, above 150 becomes 150.
    @KVProperty public var age: Int
    /// A floating-point number with another name, `size`.
    @KVProperty public var height = 1.65
    /// A truth value.
    @KVProperty public var isMember = false
    /// An enum with raw values.
    @KVProperty public var mood = Mood.calm
    /// An enum whose cases can be listed.
    @KVProperty public var hand = Hand.right
    /// A struct with a table: `address.city` can be written.
    @KVProperty public var address = Address()
    /// A struct without a table: `stamp.year` can be read.
    @KVProperty public var stamp = Stamp()
    /// Another object.
    @KVProperty public var next: Person?
    /// Another object, not kept alive; told when it is written by key, and when it dies.
    public weak var mentor: Person?
    /// An array of values.
    @KVProperty public var scores: [Int] = []
    /// An array of objects.
    @KVProperty public var friends: [Person] = []
    /// A set.
    @KVProperty public var tags: Set<String> = []
    /// A dictionary.
    @KVProperty public var phones: [String: String] = [:]
    /// Anything, or nil.
    @KVProperty public var anything: Any?
    /// A number that takes strings when it is written by key.
    @KVProperty public var luckyNumber = 7
    /// A stored property without a wrapper; told when it is written by key.
    public var plain = "plain"
    /// A stored property that no table lists: reflection reads it, nothing writes or observes it by key.
    public var remark = "found by reflection"
    /// A constant.
    public let serial: Int
    private var storedStatus = "new"

    /// Makes a person.
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

    /// Computed, and dependent on `name` and `nickname`.
    public var greeting: String { "Hello, \(nickname ?? name)" }

    /// Computed, can be written, and depends on `name`.
    ///
    /// Its table says `notifiesManually`: writing it by key sets `name`, which tells of it, and would be told twice.
    public var shout: String {
      get { name.uppercased() }
      set { name = newValue.lowercased() }
    }

    /// Computed, and tells by hand.
    public var status: String {
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

    /// Makes Ada, who has two friends, the next of whom is Grace, and something in every property.
    ///
    /// - Returns: A new person; `mentor` is nil, since nothing would keep that alive.
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

import KVControllers

/// The statements of the README and the guides that the other groups do not have.
extension Spellings {
  func runGuides() throws {
    try runReadme()
    try runModels()
    try runCollectionViews()
    try runObservers()
    try runBindings()
  }

  // MARK: README

  private func runReadme() throws {
    let counter = Counter()
    let text = Alternating.texts.first
    let cart = opaque(Cart())
    let native = opaque(NativeCart())
    cart.lines = (0..<100).map { CartLine(title: "\(text) \($0)", price: Double($0)) }
    native.lines = cart.lines
    try compare("cart.setValue(text, forKeyPath: \"customer.city\")") {
      try cart.setValue(text, forKeyPath: "customer.city")
    } with: {
      native.customer.city = text
    }
    try compare("cart.value(forKeyPath: \"lines.title\", as: [String].self), reflected, 100") {
      try cart.value(forKeyPath: "lines.title", as: [String].self)
    } with: {
      native.lines.map(\.title)
    }
    try compare("cart.value(forKeyPath: \"lines.@sum.price\", as: Double.self), reflected, 100") {
      try cart.value(forKeyPath: "lines.@sum.price", as: Double.self)
    } with: {
      native.total
    }
    cart.lines = Array(cart.lines.prefix(3))
    native.lines = cart.lines
    let token = try cart.observe("total") { counter.count(boxed: $0.new) }
    native.handler = { counter.count(boxed: $1 as Any?) }
    let line = CartLine(title: text, price: 2.5)
    compare("cart.lines.append(line); removeLast(), an observer of total") {
      cart.lines.append(line)
      cart.lines.removeLast()
    } with: {
      native.lines.append(line)
      native.lines.removeLast()
    }
    token.cancel()
  }

  // MARK: Models

  private func runModels() throws {
    let text = Alternating.texts.first
    let member = opaque(Member())
    let native = opaque(NativeMember())
    try compare("member.value(forKeyPath: \"boss.name\", as: String?.self), no boss") {
      try member.value(forKeyPath: "boss.name", as: String?.self)
    } with: {
      native.boss?.name
    }
    try compare("member.setValueIfResolved(text, forKeyPath: \"boss.name\"), no boss") {
      try member.setValueIfResolved(text, forKeyPath: "boss.name")
    } with: {
      native.boss?.name = text
    }
    try compare("member.value(forKey: \"initial\", as: String.self)") {
      try member.value(forKey: "initial", as: String.self)
    } with: {
      native.initial
    }
    try compare("member.setValue(7.0, forKey: \"years\")", { try member.setValue(7.0, forKey: "years") }) {
      native.years = 7
    }
    compare("member.years = 7", { member.years = 7 }) { native.years = 7 }
    compare("member.level = 20, with didSet", { member.level = 20 }) { native.level = 20 }
    try compare("member.validate(-1, forKeyPath: \"port\")", { try member.validate(-1, forKeyPath: "port") }) {
      try member.checkPort(-1)
    }
    let numbers = opaque([3, 1, 2])
    try compare("KVC.value(of: numbers, forKeyPath: \"@max.@self\")") {
      try KVC.value(of: numbers, forKeyPath: "@max.@self")
    } with: {
      numbers.max() as Any?
    }
  }

  // MARK: Views of collections

  private func runCollectionViews() throws {
    let member = opaque(Member())
    let native = opaque(NativeMember())
    member.friends = (0..<100).map { _ in Member() }
    native.friends = (0..<100).map { _ in NativeMember() }
    let (friends, added, nativeAdded) = (member.mutableArray(forKey: "friends"), Member(), NativeMember())
    compare("friends.count", { friends.count }) { native.friends.count }
    compare("friends[7]", { friends[7] }) { native.friends[7] as Any? }
    try compare("friends.insert(member, at: 50); remove(at: 50)") {
      try friends.insert(added, at: 50)
      try friends.remove(at: 50)
    } with: {
      native.friends.insert(nativeAdded, at: 50)
      native.friends.remove(at: 50)
    }
    let tags = member.mutableSet(forKey: "tags")
    try compare("tags.add(\"new\"); remove(\"new\")") {
      try tags.add("new")
      try tags.remove("new")
    } with: {
      native.tags.insert("new")
      native.tags.remove("new")
    }
    for (index, friend) in member.friends.enumerated() { friend.age = (index * 37) % 101 }
    for (index, friend) in native.friends.enumerated() { friend.age = (index * 37) % 101 }
    let (unsorted, nativeUnsorted) = (member.friends, native.friends)
    try compare("members.sorted(by: [\"age\"]), 100", { try unsorted.sorted(by: ["age"]) }) {
      nativeUnsorted.sorted { $0.age < $1.age }
    }
    let grown: KVPredicate = "age >= 18"
    try compare("members.filter(\"age >= 18\"), 100", { try unsorted.filter(grown) }) {
      nativeUnsorted.filter { $0.age >= 18 }
    }
  }

  // MARK: Observers

  private func runObservers() throws {
    let counter = Counter()
    let (texts, numbers) = (Turns(Alternating.texts), Turns(Alternating(17, 18)))
    let member = opaque(Member())
    let native = opaque(NativeMember())
    native.handler = { counter.count(boxed: $1 as Any?) }
    native.ageHandler = { counter.count(boxed: $1 as Any?) }
    var token = try member.observe("level") { counter.count(boxed: $0.new) }
    compare("member.level = number, with didSet, an observer", { member.level = numbers.next }) {
      native.level = numbers.next
    }
    token.cancel()
    token = try member.observe("years") { counter.count(boxed: $0.new) }
    compare("member.years = number, an observer", { member.years = Double(numbers.next) }) {
      native.years = Double(numbers.next)
    }
    token.cancel()
    token = try member.observe("initial") { counter.count(boxed: $0.new) }
    native.handler = { counter.count(boxed: (NativeMember.initial($0), NativeMember.initial($1)).1 as Any?) }
    compare("member.name = text, an observer of initial", { member.name = texts.next }) { native.name = texts.next }
    token.cancel()
    native.handler = { counter.count(boxed: $1 as Any?) }
    let boss = opaque(Member())
    member.boss = boss
    token = try member.observe("boss.name") { counter.count(boxed: $0.new) }
    compare("boss.name = text, an observer of boss.name", { boss.name = texts.next }) { native.name = texts.next }
    token.cancel()
    token = try member.observe(["name", "boss.name"]) { counter.count(boxed: $0.new) }
    compare("member.name = text, an observer of several paths", { member.name = texts.next }) {
      native.name = texts.next
    }
    token.cancel()
    let badge = opaque(Badge())
    try badge.observe(member, "name") { badge, _, new in badge.counter.count(boxed: new) }
    native.handler = { [weak badge] in badge?.counter.count(boxed: $1 as Any?) }
    compare("member.name = text, an observer that is an object", { member.name = texts.next }) {
      native.name = texts.next
    }
    badge.removeObservations()
    native.handler = { counter.count(boxed: $1 as Any?) }
    member.friends = (0..<100).map { _ in Member() }
    token = try member.observeElements(of: "friends", "name") { counter.count(boxed: $0.new) }
    let friend = member.friends[50]
    compare("friend.name = text, an observer of the elements", { friend.name = texts.next }) {
      native.name = texts.next
    }
    token.cancel()
    let arrangement = try KVArrangement<Member>(of: "friends", in: member, sortedBy: ["age"])
    compare("friend.name = text, in a live list", { friend.name = texts.next }) { native.name = texts.next }
    withExtendedLifetime(arrangement) {}
  }

  // MARK: Bindings

  private func runBindings() throws {
    let (texts, numbers) = (Turns(Alternating.texts), Turns(Alternating(17, 18)))
    let (member, label) = (opaque(Member()), opaque(Member()))
    let (native, nativeLabel) = (opaque(NativeMember()), opaque(NativeMember()))
    native.handler = { [weak nativeLabel] _, new in
      if let nativeLabel, nativeLabel.name != new { nativeLabel.name = new }
    }
    var binding = try label.bind("name", to: "name", of: member, options: .twoWay)
    compare("member.name = text, bound in two ways", { member.name = texts.next }) { native.name = texts.next }
    binding.cancel()
    binding = try label.bind("age", to: "age", of: member, options: .init(.twoWay, validates: true))
    native.ageHandler = { [weak nativeLabel] _, new in
      if let nativeLabel, nativeLabel.age != new { nativeLabel.age = new }
    }
    compare("member.age = number, bound in two ways, validating", { member.age = numbers.next }) {
      native.age = numbers.next
    }
    binding.cancel()
    native.ageHandler = { [weak nativeLabel] _, new in
      if let nativeLabel, case let text = "No. \(new)", nativeLabel.name != text { nativeLabel.name = text }
    }
    binding = try label.bind("name", to: "age", of: member) { (age: Int) in "No. \(age)" }
    compare("member.age = number, bound by a function", { member.age = numbers.next }) { native.age = numbers.next }
    binding.cancel()
    binding = try label.bind("name", to: "age", of: member, options: .init(transformer: .format("No. %d")))
    compare("member.age = number, bound by a format", { member.age = numbers.next }) { native.age = numbers.next }
    binding.cancel()
    let boss = opaque(Member())
    member.boss = boss
    binding = try label.bind("name", to: "boss.name", of: member, options: .init(nullPlaceholder: "–"))
    compare("boss.name = text, bound by a path", { boss.name = texts.next }) { native.name = texts.next }
    binding.cancel()
    native.handler = { [weak nativeLabel, weak native] _, new in
      if let nativeLabel, let native, case let text = "\(new)@ \(native.age)@", nativeLabel.name != text {
        nativeLabel.name = text
      }
    }
    let joined = try label.bind(
      "name", toAll: [.init(member, "name"), .init(member, "age")], by: .format("%{value1}@ %{value2}@"))
    compare("member.name = text, bound with the age", { member.name = texts.next }) { native.name = texts.next }
    joined.cancel()
    try compare("label.bind(\"name\", to: \"name\", of: member).cancel()") {
      try label.bind("name", to: "name", of: member).cancel()
    } with: {
      native.handler = { [weak nativeLabel] _, new in
        if let nativeLabel, nativeLabel.name != new { nativeLabel.name = new }
      }
      native.handler = nil
    }
  }
}

// What the floors use: classes that know nothing of the library.

/// A plain class, used directly.
final class NativeNode {
  var name: String = ""
  var age: Int = 0
  var d1: Double = 0.0
  var i2: Int = 0
  var b3: Bool = false
  var s4: String = ""
  var l5: Int64 = 0
  var next: NativeNode?
}

/// A plain class whose properties may be nil.
final class NativeBlank {
  var name: String?
  var age: Int?

  init(name: String?, age: Int?) { (self.name, self.age) = (name, age) }
}

/// The same class, used by key paths: a class of its own, since a key path to a property adds checks to its other uses.
final class NativeKeyPathNode {
  var name: String = ""
  var age: Int = 0
  var d1: Double = 0.0
  var i2: Int = 0
  var b3: Bool = false
  var s4: String = ""
  var l5: Int64 = 0
  var next: NativeKeyPathNode?
}

/// What a class does that tells of its changes by hand: a closure for one property, an array of closures for another.
final class WatchedNode {
  typealias Handler = (_ old: String, _ new: String) -> Void

  var name: String = "" { didSet { handler?(oldValue, name) } }
  var title: String = "" { didSet { for handler in handlers { handler(oldValue, title) } } }
  var handler: Handler?
  var handlers: [Handler] = []
}

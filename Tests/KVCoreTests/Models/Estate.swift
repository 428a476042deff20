import KVCore

/// An object that holds structs of all kinds.
final class Estate: KVObject {
  @KVProperty var house = House()
  @KVProperty var annex: House?
  var plain = House()
  let fixed = House()
  var number = 7
  var byName: [String: House] = [:]
  var houses: [House] = []
  var anything: Any = House()
  var huge = Huge()
  var mirror = Mirrored()
  /// Called by the getter of `moving`.
  var onRead: (() -> Void)?
  var moving: House {
    get {
      onRead?()
      return house
    }
    set { house = newValue }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Estate.self) { key in
      key("house", \.house)
      key("annex", \.annex)
      key("plain", \.plain)
      key("fixed", \.fixed)
      key("number", \.number)
      key("byName", \.byName)
      key("houses", \.houses)
      key("anything", \.anything)
      key("huge", \.huge)
      key("mirror", \.mirror)
      key("moving", \.moving)
    }
  }
}

/// A struct that holds a struct, an object, and something that is counted.
struct House: KeyValueCoding {
  var name = "Manor"
  var garden = Garden()
  var court: Garden?
  var owner: Author?
  var token = HouseToken()
  let built = Garden()
  /// Called by the setter of `loud`.
  var onWrite: (() -> Void)?

  static var keyTable: KVTable {
    KVTable(House.self) { key in
      key("name", \.name)
      key("garden", \.garden)
      key("court", \.court)
      key("owner", \.owner)
      key("built", \.built)
      key(
        "loud", { $0.name },
        set: {
          $0.name = $1
          $0.onWrite?()
        })
    }
  }
}

/// The inner struct.
struct Garden: KeyValueCoding, Equatable {
  var trees = 3
  var style = "English"

  static var keyTable: KVTable {
    KVTable(Garden.self) { key in
      key("trees", \.trees)
      key("style", \.style)
    }
  }
}

/// A struct that is larger than what a walk keeps on the stack, and aligned to more than a word.
struct Huge: KeyValueCoding {
  var rows = SIMD64<Double>(repeating: 1)
  var more = SIMD64<Double>(repeating: 2)
  var garden = Garden()

  static var keyTable: KVTable { KVTable(Huge.self) { key in key("garden", \.garden) } }
}

/// A struct of no size that leads to itself.
struct Mirrored: KeyValueCoding {
  var me: Mirrored {
    get { self }
    set {}
  }
  var depth: Int { 1 }

  static var keyTable: KVTable {
    KVTable(Mirrored.self) { key in
      key("me", \.me)
      key("depth", \.depth)
    }
  }
}

/// Knows how many of its kind are alive in a task.
final class HouseToken: Sendable {
  /// How many there are.
  final class Count: @unchecked Sendable {  // guard: used by one task
    var alive = 0
  }

  @TaskLocal static var count: Count?
  private let mine = HouseToken.count

  init() { mine?.alive += 1 }
  deinit { mine?.alive -= 1 }
}

import KVCore
import Observation
import Testing

// The cures of mistakes in models with @KVModel.
extension TroubleshootingCures {
  static let models: [Cure] = [
    Cure("`@KVModel` on a class without a superclass") {
      for cart in [CuredCart(), CuredRootCart()] as [any KVObservable] {
        try cart.setValue(2, forKey: "count")
        let count = try cart.value(forKey: "count") as? Int
        #expect(count == 2)
      }
    },
    Cure("A property wrapper with a lowercase name in a model") {
      let cart = CuredWrappedCart()
      try cart.setValue("tea", forKey: "name")
      #expect(cart.name == "tea")
    },
    Cure("`@KVModel` on an enum or an actor") {
      let port = try await MainActor.run { try CuredServer().value(forKey: "port", as: Int.self) }
      #expect(port == 1)
    },
    Cure("`@KVModel` in a function") {
      let count = try CuredCart.Line().value(forKey: "count", as: Int.self)
      #expect(count == 1)
    },
    Cure("A slip in an option") {
      let cart = CuredCart()
      try cart.setValue("7", forKey: "count")
      #expect(cart.count == 7)
    },
    Cure("A key of two properties") {
      let cart = CuredCart()
      try cart.setValue(3, forKey: "total")
      #expect(cart.number == 3)
    },
    Cure("Several properties in one `var`") {
      let size = try CuredCart.Size().value(forKey: "height", as: Int.self)
      #expect(size == 2)
    },
    Cure("A getter that throws or waits") { #expect(!CuredCart.keyTable.keys.map(\.name).contains("price")) },
    Cure("A property with the name of another one's storage") {
      let cart = CuredCart()
      cart.count = -1
      #expect(cart.count == 0)
    },
    Cure("`@KVKey` in an extension") {
      let double = try CuredCart().value(forKey: "double", as: Int.self)
      #expect(double == 0)
    },
    Cure("A `furtherKeys` of another type") {
      let area = try CuredCart.Size().value(forKey: "area", as: Int.self)
      #expect(area == 2)
    },
    Cure("A validator of another type") {
      let isReplaced = if case .replaced = try CuredCart().validate(-1, forKeyPath: "count") { true } else { false }
      #expect(isReplaced)
    },
    Cure("A method in an option of a struct") {
      let size = CuredCart.Size()
      let isReplaced = if case .replaced = try size.validate(-1, forKeyPath: "width") { true } else { false }
      #expect(isReplaced)
    },
    Cure("`@Observable` and `@KVModel`") { #expect(isTracked(CuredTrackedCart(), "count")) },
    Cure("A subclass that Observation does not track") { #expect(isTracked(CuredGiftCart(), "card")) },
  ]

  /// Returns whether Observation knows of a change that is made by key.
  private static func isTracked(_ cart: CuredTrackedCart, _ key: String) -> Bool {
    let changes = Changes()
    withObservationTracking {
      _ = try? cart.value(forKey: key)
    } onChange: {
      changes.number += 1
    }
    try? cart.setNilOrDefault(key)
    return changes.number == 1
  }
}

/// Counts on one thread.
private final class Changes: @unchecked Sendable {  // guard: the tests read and write it on one thread
  var number = 0
}

@KVModel private final class CuredCart: KVObject {
  @KVKey(.lenient, .validated(by: check)) var count = 0 { didSet { if count < 0 { count = 0 } } }
  @KVKey("total") var number = 0
  @KVIgnored var price: Int { get throws { 1 } }

  func check(_ count: Int) throws -> KVValidation { count < 0 ? .replaced(with: 0) : .valid }

  @KVModel final class Line: KVObject { var count = 1 }

  @KVModel struct Size {
    @KVKey(.validated(by: Size.check)) var width = 1
    var height = 2

    static func check(_ width: Int) throws -> KVValidation { width < 0 ? .replaced(with: 0) : .valid }
    static func furtherKeys(_ key: KVValueKeys<Size>) { key("area") { $0.width * $0.height } }
  }
}

extension CuredCart {
  var double: Int { count * 2 }
  static func furtherKeys(_ key: KVObjectKeys<CuredCart>) { key("double", \.double).affected(by: "count") }
}

@propertyWrapper private struct Disk<Value> { var wrappedValue: Value }
@KVModel private final class CuredWrappedCart: KVObject { @Disk var name = "" }
@KVModel(.root) private final class CuredRootCart { var count = 0 }

@MainActor @KVModel private final class CuredServer: KVObject { var port = 1 }

@KVModel(.observation) private class CuredTrackedCart: KVObject, Observable {
  var count = 0

  func setNilOrDefault(_ key: String) throws { try setValue(key == "count" ? 1 : "a", forKey: key) }
}

@KVModel(.observation) private final class CuredGiftCart: CuredTrackedCart { var card = "" }

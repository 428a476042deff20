import Foundation

extension Date: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    let now = current as? Date ?? Date(timeIntervalSinceReferenceDate: 0)
    return [now.addingTimeInterval(86_400), now.addingTimeInterval(-86_400), now.addingTimeInterval(1)]
  }
}

extension Data: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    [(current as? Data ?? Data()) + [1], Data([1]), Data()]
  }
}

extension URL: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    [(current as? URL)?.appendingPathComponent("x"), URL(string: "https://example.org/x")]
  }
}

extension UUID: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] { [UUID()] }
}

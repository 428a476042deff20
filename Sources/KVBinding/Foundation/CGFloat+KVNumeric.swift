import Foundation

extension CGFloat: KVNumeric {
  /// The value as a floating-point number.
  public var number: KVNumber { .floating(Double(self)) }

  /// The nearest value (CO.2).
  public init(number: KVNumber) { self.init(number.double) }
}

import Foundation

extension CGFloat: KVNumeric {
  /// The value as a floating-point number.
  public var number: KVNumber { .floating(Double(self)) }

  /// The nearest value (CO.2).
  ///
  /// - Parameter number: A number of any type.
  public init(number: KVNumber) { self.init(number.double) }
}

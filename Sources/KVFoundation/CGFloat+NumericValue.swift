import Foundation
import KVCore

extension CGFloat {
  /// The value as a floating-point number.
  package var number: AnyNumber { .floating(Double(self)) }

  /// The nearest value (CO.2).
  ///
  /// - Parameter number: A number of any type.
  package init(number: AnyNumber) { self.init(number.double) }
}

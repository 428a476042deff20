import KVBinding

/// A model that other modules of the package see, and nobody else.
@KVModel package class Receipt: KVObject {
  package var paid = 0
  package var isPaid: Bool { paid > 0 }
}

/// A receipt with a number.
@KVModel package final class Invoice: Receipt {
  package var number = 1
  package var label: String { "\(number): \(paid)" }
}

import KVBinding
import KVCore

/// An element of an ``ArrangedContent`` that is not of a class, in an object.
final class ElementBox<Element> {
  let value: Element

  init(_ value: Element) { self.value = value }
}

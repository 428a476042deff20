/// A weak reference from a handler to its own observation, which retains the handler.
final class WeakObservation {
  weak var observation: KVObservation?
}

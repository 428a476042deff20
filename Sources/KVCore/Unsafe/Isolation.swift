/// Returns a function as one of a type that differs in isolation only (Docs/Decisions/0006).
///
/// Both types are called in the same way. The caller calls the function where its isolation allows it, or passes it the
/// actor that it is isolated to.
func withoutIsolation<Isolated, Plain>(_ function: Isolated, as type: Plain.Type) -> Plain {
  unsafeBitCast(function, to: type)
}

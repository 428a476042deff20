/// Returns an access function that insists on the main actor.
@usableFromInline
func onMainActor(_ key: String, _ access: @escaping AccessFunction) -> AccessFunction {
  return { object, address, memory in
    MainActor.preconditionIsolated("The key \"\(key)\" belongs to a type of the main actor, and was used elsewhere.")
    access(object, address, memory)
  }
}

/// Returns a function that insists on the main actor.
@usableFromInline
func onMainActor(_ key: String, _ modify: @escaping ModifyFunction) -> ModifyFunction {
  return { object, edit in
    MainActor.preconditionIsolated("The key \"\(key)\" belongs to a type of the main actor, and was used elsewhere.")
    modify(object, edit)
  }
}

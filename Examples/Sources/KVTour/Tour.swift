/// The guided run: what the library does, as code and what it gives.
///
/// To add a step: write it as a static property of `Tour` with the function that it runs below it (see `Tour+Reading.swift`),
/// add it to ``steps``, and record the output with `Examples/check.sh --record`. A test compares the printed code with
/// the code that runs.
public enum Tour {
  /// All steps, in order.
  public static let steps: [TourStep] = [
    reading, nilInTheMiddle, operators, indexesAndEntries,
    table, structsWrittenBack, coercion, errors,
    records, mutableArrays, validation, typedPaths, ownOperators,
    observing, typedObserving, followedPaths, dependents, diamonds, owners, ownerClosures, targets, manualChanges,
    toManyChanges, elements, observedOperators,
    coalescing, transactions, sequences, diagnostics,
    bindings, twoWayBindings, definitions, trees, lists, boundGraph,
  ]

  /// The whole run as text: the document that it reads, and for each step its title, its code, and what it gave.
  public static func text() -> String {
    let steps = steps.enumerated().map { index, step in step.text(number: index + 1) }
    return (["The document of the tour is Shelf.json:\n\n\(TourStep.indented(Shelf.text))\n"] + steps)
      .joined(separator: "\n")
  }
}

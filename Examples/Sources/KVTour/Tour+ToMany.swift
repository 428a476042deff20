import KVBinding

extension Tour {
  static let toManyChanges = TourStep(
    "Edits through a view tell what came and went, with indexes; setting tells the whole array",
    code: """
      let album: KVRecord = ["tags": ["jazz", "modal"]]
      let token = try album.observe("tags") { show($0) }
      defer { token.cancel() }
      let tags = album.mutableArray(forKey: "tags")
      try tags.insert(["blue", "1959"], at: [0, 3])
      try tags.remove(at: 1)
      try tags.replace(at: 0, with: "cool")
      album.tags = ["jazz"]
      """,
    run: runToManyChanges)

  private static func runToManyChanges(_ show: Show) throws {
    let album: KVRecord = ["tags": ["jazz", "modal"]]
    let token = try album.observe("tags") { show($0) }
    defer { token.cancel() }
    let tags = album.mutableArray(forKey: "tags")
    try tags.insert(["blue", "1959"], at: [0, 3])
    try tags.remove(at: 1)
    try tags.replace(at: 0, with: "cool")
    album.tags = ["jazz"]
  }

  static let elements = TourStep(
    "Each element of a collection is observed, whichever come and go",
    code: """
      let sale = Sale()
      sale.lines = [Line(1), Line(2)]
      let token = try sale.observeElements(of: "lines", "amount") { show($0) }
      defer { token.cancel() }
      let first = sale.lines[0]
      first.amount = 10
      try sale.mutableArray(forKey: "lines").append(Line(3))
      sale.lines[2].amount = 30
      try sale.mutableArray(forKey: "lines").remove(at: 0)
      first.amount = 11
      """,
    run: runElements)

  private static func runElements(_ show: Show) throws {
    let sale = Sale()
    sale.lines = [Line(1), Line(2)]
    let token = try sale.observeElements(of: "lines", "amount") { show($0) }
    defer { token.cancel() }
    let first = sale.lines[0]
    first.amount = 10
    try sale.mutableArray(forKey: "lines").append(Line(3))
    sale.lines[2].amount = 30
    try sale.mutableArray(forKey: "lines").remove(at: 0)
    first.amount = 11
  }

  static let observedOperators = TourStep(
    "A path may end in an operator; with elements their changes count, too",
    code: """
      let sale = Sale()
      sale.lines = [Line(1), Line(2)]
      let tokens = [
        try sale.observe("lines.@count") { show($0) },
        try sale.observe("lines.@sum.amount", options: [.old, .new]) { show($0) },
      ]
      defer { for token in tokens { token.cancel() } }
      sale.lines[0].amount = 5
      try sale.mutableArray(forKey: "lines").append(Line(3))
      """,
    run: runObservedOperators)

  private static func runObservedOperators(_ show: Show) throws {
    let sale = Sale()
    sale.lines = [Line(1), Line(2)]
    let tokens = [
      try sale.observe("lines.@count") { show($0) },
      try sale.observe("lines.@sum.amount", options: [.old, .new]) { show($0) },
    ]
    defer { for token in tokens { token.cancel() } }
    sale.lines[0].amount = 5
    try sale.mutableArray(forKey: "lines").append(Line(3))
  }
}

import Foundation
import KVControllers
import KVDefinitions

extension Tour {
  static let bindings = TourStep(
    "One path follows another, through a function",
    code: #"""
      let form = Form()
      try form.bind("title", to: "progress", of: form) { (part: Double) in "In progress: \(Int(part * 100)) %" }
      show(form.title)
      form.progress = 0.75
      show(form.title)
      KVDiagnostics.bindings(of: form).first?.cancel()
      form.progress = 1
      show(form.title)
      """#,
    run: runBindings)

  private static func runBindings(_ show: Show) throws {
    let form = Form()
    try form.bind("title", to: "progress", of: form) { (part: Double) in "In progress: \(Int(part * 100)) %" }
    show(form.title)
    form.progress = 0.75
    show(form.title)
    KVDiagnostics.bindings(of: form).first?.cancel()
    form.progress = 1
    show(form.title)
  }

  static let twoWayBindings = TourStep(
    "Two-way bindings, dependents as sources, and what stands for nil",
    code: #"""
      let user = User("Alex", "Rawss", 34)
      let form = Form()
      try form.bind("fullName", to: "fullName", of: user)
      try form.bind("age", to: "age", of: user, options: .twoWay)
      try form.bind("shownAge", to: "age", of: form) { (age: Int) in age < 0 ? nil : "\(age) years" }
      form.age = 35
      user.last = "Rawls"
      show([form.fullName, form.shownAge ?? "-", "\(user.age)"])

      let (sale, label) = (Sale(), Form())
      let binding = try label.bind("title", to: "buyer.full", of: sale, options: .init(fallback: "nobody"))
      sale.buyer = nil
      show([label.title, "\(binding.state)"])
      sale.buyer = Buyer("Grace", "Hopper")
      show([label.title, "\(binding.state)"])
      show.error { try label.bind("age", to: "fullName", of: user) }
      """#,
    run: runTwoWayBindings)

  private static func runTwoWayBindings(_ show: Show) throws {
    let user = User("Alex", "Rawss", 34)
    let form = Form()
    try form.bind("fullName", to: "fullName", of: user)
    try form.bind("age", to: "age", of: user, options: .twoWay)
    try form.bind("shownAge", to: "age", of: form) { (age: Int) in age < 0 ? nil : "\(age) years" }
    form.age = 35
    user.last = "Rawls"
    show([form.fullName, form.shownAge ?? "-", "\(user.age)"])

    let (sale, label) = (Sale(), Form())
    let binding = try label.bind("title", to: "buyer.full", of: sale, options: .init(fallback: "nobody"))
    sale.buyer = nil
    show([label.title, "\(binding.state)"])
    sale.buyer = Buyer("Grace", "Hopper")
    show([label.title, "\(binding.state)"])
    show.error { try label.bind("age", to: "fullName", of: user) }
  }

  static let definitions = TourStep(
    "Bindings in a file, sliders as controls: the colour picker",
    code: #"""
      defer { KVTransformer.unregister("brightness") }
      try KVTransformer.register(
        KVTransformer(forward: { (parts: [Double]) in parts.reduce(0, +) / 3 < 0.5 ? "Dark" : "Bright" }),
        named: "brightness")
      let definitions = try KVBindingDefinitions(
        data: Data(
          """
          {"version": 1, "bindings": [
            {"key": "red", "sourceKeyPath": "red", "pathToTarget": "redSlider", "targetKeyPath": "value", "direction": "twoWay"},
            {"sourceKeyPath": "green", "pathToTarget": "greenSlider", "targetKeyPath": "value", "direction": "twoWay"},
            {"sourceKeyPath": "blue", "pathToTarget": "blueSlider", "targetKeyPath": "value", "direction": "twoWay"},
            {"sourceKeyPath": "color", "targetKeyPath": "title", "direction": "oneWay", "transformerName": "brightness"}
          ]}
          """.utf8))
      let paint = Paint()
      let set = try KVBindingSet(definitions, owner: paint)
      show([paint.title, "\(paint.redSlider.value)"])
      paint.redSlider.drag(to: 1)
      paint.greenSlider.drag(to: 0.75)
      show([paint.title, "\(paint.color)"])
      try paint.mutableArray(forKey: "favorites").insert(paint.color, at: 0)
      paint.color = [0, 0, 0]
      show([paint.title, "\(paint.redSlider.value)"])
      paint.color = paint.favorites[0]
      show([paint.title, "\(paint.redSlider.value)"])
      show(set.binding(forKey: "red")?.target.description ?? "none")
      set.cancel()
      paint.redSlider.drag(to: 0)
      show(paint.red)
      """#,
    run: runDefinitions)

  private static func runDefinitions(_ show: Show) throws {
    defer { KVTransformer.unregister("brightness") }
    try KVTransformer.register(
      KVTransformer(forward: { (parts: [Double]) in parts.reduce(0, +) / 3 < 0.5 ? "Dark" : "Bright" }),
      named: "brightness")
    let definitions = try KVBindingDefinitions(
      data: Data(
        """
        {"version": 1, "bindings": [
          {"key": "red", "sourceKeyPath": "red", "pathToTarget": "redSlider", "targetKeyPath": "value", "direction": "twoWay"},
          {"sourceKeyPath": "green", "pathToTarget": "greenSlider", "targetKeyPath": "value", "direction": "twoWay"},
          {"sourceKeyPath": "blue", "pathToTarget": "blueSlider", "targetKeyPath": "value", "direction": "twoWay"},
          {"sourceKeyPath": "color", "targetKeyPath": "title", "direction": "oneWay", "transformerName": "brightness"}
        ]}
        """.utf8))
    let paint = Paint()
    let set = try KVBindingSet(definitions, owner: paint)
    show([paint.title, "\(paint.redSlider.value)"])
    paint.redSlider.drag(to: 1)
    paint.greenSlider.drag(to: 0.75)
    show([paint.title, "\(paint.color)"])
    try paint.mutableArray(forKey: "favorites").insert(paint.color, at: 0)
    paint.color = [0, 0, 0]
    show([paint.title, "\(paint.redSlider.value)"])
    paint.color = paint.favorites[0]
    show([paint.title, "\(paint.redSlider.value)"])
    show(set.binding(forKey: "red")?.target.description ?? "none")
    set.cancel()
    paint.redSlider.drag(to: 0)
    show(paint.red)
  }

  static let trees = TourStep(
    "Nodes say as text what they show: the fruit table",
    code: """
      let (cell, name, color) = (KVNode(), Caption(), Caption())
      cell.addChild(name)
      cell.addChild(color)
      try name.bindTo("@superview.dataObject.name", "text")
      try color.bindTo("@rootview.colorName", "text")
      let apple = Fruit("Apple", "red")
      cell.dataObject = apple
      show([name.text, color.text])
      apple.colorName = "green"
      show([name.text, color.text])
      cell.dataObject = Fruit("Banana", "yellow")
      show([name.text, color.text])
      show.error { try name.bindTo("@superviewWithTag[7].dataObject.name", "text") }
      """,
    run: runTrees)

  private static func runTrees(_ show: Show) throws {
    let (cell, name, color) = (KVNode(), Caption(), Caption())
    cell.addChild(name)
    cell.addChild(color)
    try name.bindTo("@superview.dataObject.name", "text")
    try color.bindTo("@rootview.colorName", "text")
    let apple = Fruit("Apple", "red")
    cell.dataObject = apple
    show([name.text, color.text])
    apple.colorName = "green"
    show([name.text, color.text])
    cell.dataObject = Fruit("Banana", "yellow")
    show([name.text, color.text])
    show.error { try name.bindTo("@superviewWithTag[7].dataObject.name", "text") }
  }

  static let lists = TourStep(
    "Mirrored collections, and a list of rows",
    code: #"""
      let album = Form()
      let other = Form()
      try other.bind("rows", to: "rows", of: album) { (row: String) in row.uppercased() }
      let token = try other.observe("rows") { show($0) }
      defer { token.cancel() }
      let section = KVObservingListSection(title: "Tracks") { (row: String) in "<\(row)>" }
      try section.observe("rows", of: album)
      let list = KVListDataSource<String>([section])
      let log = Log(show)
      list.delegate = log
      let rows = album.mutableArray(forKey: "rows")
      try rows.append(contentsOf: ["a", "b"])
      try rows.insert("c", at: 1)
      try rows.remove(at: 0)
      show(other.rows)
      """#,
    run: runLists)

  private static func runLists(_ show: Show) throws {
    let album = Form()
    let other = Form()
    try other.bind("rows", to: "rows", of: album) { (row: String) in row.uppercased() }
    let token = try other.observe("rows") { show($0) }
    defer { token.cancel() }
    let section = KVObservingListSection(title: "Tracks") { (row: String) in "<\(row)>" }
    try section.observe("rows", of: album)
    let list = KVListDataSource<String>([section])
    let log = Log(show)
    list.delegate = log
    let rows = album.mutableArray(forKey: "rows")
    try rows.append(contentsOf: ["a", "b"])
    try rows.insert("c", at: 1)
    try rows.remove(at: 0)
    show(other.rows)
  }

  static let boundGraph = TourStep(
    "What is bound, what failed, and why",
    code: #"""
      let (user, form) = (User("Jess", "Wilson", 28), Form())
      let binding = try form.bind("title", to: "first", of: user) { (name: String) throws -> String in
        if name.isEmpty { throw KVError(.invalidValue, "a name is needed.") }
        return name
      }
      user.first = ""
      show([form.title, "\(binding.state)"])
      show(binding.lastError?.message ?? "none")
      user.first = "Jo"
      show([form.title, "\(binding.state)"])
      try form.bind("age", to: "age", of: user, options: .twoWay)
      let graph = KVDiagnostics.graph(around: [form])
      let bindings = KVDiagnostics.bindings(of: form)
      show(bindings.map { "\($0.source.keyPath) -> \($0.target.keyPath) \($0.options.direction) \($0.state)" })
      show(graph.dot.split(separator: "\n").count)
      """#,
    run: runBoundGraph)

  private static func runBoundGraph(_ show: Show) throws {
    let (user, form) = (User("Jess", "Wilson", 28), Form())
    let binding = try form.bind("title", to: "first", of: user) { (name: String) throws -> String in
      if name.isEmpty { throw KVError(.invalidValue, "a name is needed.") }
      return name
    }
    user.first = ""
    show([form.title, "\(binding.state)"])
    show(binding.lastError?.message ?? "none")
    user.first = "Jo"
    show([form.title, "\(binding.state)"])
    try form.bind("age", to: "age", of: user, options: .twoWay)
    let graph = KVDiagnostics.graph(around: [form])
    let bindings = KVDiagnostics.bindings(of: form)
    show(bindings.map { "\($0.source.keyPath) -> \($0.target.keyPath) \($0.options.direction) \($0.state)" })
    show(graph.dot.split(separator: "\n").count)
  }
}

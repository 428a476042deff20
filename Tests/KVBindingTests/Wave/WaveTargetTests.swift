import KVBinding
import KVControllers
import KVCore
import TestModels
import Testing

private struct WavePoint: KeyValueCoding {
  var x = 0
  var y = 0
  static var keyTable: KVTable {
    KVTable(WavePoint.self) { key in
      key("x", \.x)
      key("y", \.y)
    }
  }
}

@KVModel private final class WavePlot: KVObject {
  var s = 0
  var point = WavePoint()
  var list = [0, 0]
  var names: [String: Int] = [:]
  weak var other: WaveCell?
  @KVKey(.affected(by: "point.x", "point.y")) var sum: Int { point.x + point.y }
  @KVKey(.affected(by: "list", "names", "s")) var all: Int {
    list.reduce(0, +) + names.values.reduce(0, +) + s
  }
}

@KVModel private final class WaveShop: KVObject {
  var s = 0
  var a = 0
  var b = 0
  var cells: [WaveCell] = []
  weak var last: WaveCell?
  var controller: KVArrayController<WaveCell>? = KVArrayController()
  @KVKey(.affected(by: "a", "controller.arrangedObjects.@count")) var counted: Int {
    a * 10 + (controller?.arrangedObjects.count ?? 0)
  }
  @KVKey(.affected(by: "a", "b", "controller.arrangedObjects.@sum.x")) var total: Int {
    a * 1000 + b * 10 + (controller?.arrangedObjects.reduce(0) { $0 + $1.x } ?? 0)
  }
  @KVKey(.affected(by: "a", "b", "last.x")) var latest: Int { a * 100 + b * 10 + (last?.x ?? 0) }
  var both: Int { a * 1000 + b }
}

@Suite("WAV targets of which a part is set, and that change several keys")
struct WaveTargetTests {
  private let shop = WaveShop()
  let log = WaveLog()

  // MARK: Parts of values

  @Test("WAV.3, WAV.4: bindings that set members of a struct set its key: n diamonds notify once")
  func members() throws {
    let plots = (0...16).map { _ in WavePlot() }
    for (source, target) in zip(plots, plots.dropFirst()) {
      try target.bind("point.x", to: "sum", of: source)
      try target.bind("point.y", to: "sum", of: source)
    }
    let token = try log.watch(plots[16], "sum")
    plots[0].point = WavePoint(x: 1, y: 0)
    #expect(log.take() == ["sum 0 → \(1 << 16)"])
    token.cancel()
  }

  @Test(
    "WAV.5: chains through members, entries and indexes have any length", arguments: ["point.x", "names.n", "list[0]"])
  func chains(path: String) throws {
    let plots = (0...600).map { _ in WavePlot() }
    for (source, target) in zip(plots, plots.dropFirst()) {
      try target.bind(try KVKeyPath(path), to: try KVKeyPath(path), of: source)
    }
    try plots[0].setValue(1, forKeyPath: try KVKeyPath(path))
    #expect(try plots[600].value(forKeyPath: try KVKeyPath(path), as: Int.self) == 1)
  }

  @Test("WAV.4: an observer of several entries and elements that bindings set is notified once")
  func entries() throws {
    let plot = WavePlot()
    for path in ["list[0]", "list[1]", "names.a", "names.b"] { try plot.bind(try KVKeyPath(path), to: "s", of: plot) }
    let token = try log.watch(plot, "all", [.old, .new, .prior])
    plot.s = 1
    #expect(log.take() == ["all prior 0 → -", "all 0 → 5"])
    token.cancel()
  }

  // MARK: Several keys

  @Test("WAV.3, WAV.4, CTR.6: what depends on a key that the setter of a controller changes with another one is kept")
  func controllers() throws {
    let source = WaveShop()
    try shop.bind("a", to: "cells.@count", of: source)
    try shop.controller?.bind("content", to: "cells", of: source)
    let token = try log.watch(shop, "counted")
    source.cells = [WaveCell()]
    source.cells.append(WaveCell())
    #expect(log.take() == ["counted 0 → 11", "counted 11 → 22"])
    token.cancel()
  }

  @Test("WAV.5, CTR.6: a chain of controllers has any length")
  func chainOfControllers() throws {
    let controllers = (0...400).map { _ in KVArrayController<WaveCell>() }
    for (source, target) in zip(controllers, controllers.dropFirst()) {
      try target.bind("content", to: "arrangedObjects", of: source)
    }
    controllers[0].content = [WaveCell()]
    #expect(controllers[400].content.count == 1)
  }

  @Test("WAV.4, CTR.8: changes inside elements are part of the wave of an update")
  func elements() throws {
    let (controller, cell) = (KVArrayController<WaveCell>(), WaveCell())
    cell.x = 1
    try shop.bind("a", to: "arrangedObjects.@sum.x", of: controller)
    try shop.bind("b", to: "arrangedObjects.@sum.x", of: controller)
    let token = try log.watch(shop, "both")
    controller.content = [cell]
    controller.update { cell.x = 2 }
    controller.update { (cell.x, controller.content) = (3, [cell, WaveCell()]) }
    #expect(log.take() == ["both 0 → 1001", "both 1001 → 2002", "both 2002 → 3003"])
    token.cancel()
  }

  // MARK: Changes within

  private func bindBoth(_ body: @escaping () -> Void) throws -> KVObservation {
    try shop.bind("a", to: "s", of: shop)
    try shop.bind("b", to: "s", of: shop)
    return try shop.observe("a") { _ in body() }
  }

  @Test("WAV.2, CTR.6: an update within a wave takes a kept notification over")
  func update() throws {
    let cell = WaveCell()
    cell.x = 1
    let changing = try bindBoth { [unowned shop] in shop.controller?.content = [cell] }
    let token = try log.watch(shop, "total")
    shop.s = 1
    #expect(log.take() == ["total 0 → 1001", "total 1001 → 1011"])
    [token, changing].forEach { $0.cancel() }
  }

  @Test("WAV.2, LIF.3: a death within a wave takes a kept notification over")
  func death() throws {
    var cell: WaveCell? = WaveCell()
    cell?.x = 5
    shop.last = cell
    let changing = try bindBoth { cell = nil }
    let token = try log.watch(shop, "latest")
    shop.s = 1
    #expect(log.take() == ["latest 5 → 100", "latest 100 → 110"])
    [token, changing].forEach { $0.cancel() }
  }

  // MARK: What leads nowhere

  @Test("WAV.4, KVO.6: a binding that sets its source only does not follow a change of it")
  func toSource() throws {
    let (cell, label) = (WaveCell(), WaveCell())
    try label.bind("x", to: "x", of: cell, options: .toSource)
    let tokens = [try log.watch(cell, "sum"), try log.watch(cell, "x")]
    cell.x = 1
    #expect(log.take() == ["sum 0 → 1", "x 0 → 1"])
    tokens.forEach { $0.cancel() }
  }

  @Test("WAV.9, LIF.1: a dependent key notifies in a `deinit`, whether it did before or not", arguments: [false, true])
  func deinitializing(isChangedBefore: Bool) throws {
    final class Ending: WaveEnding {
      deinit { (a, b) = (11, 5) }
    }
    var object: Ending? = Ending()
    let token = try log.watch(#require(object), "sum")
    if isChangedBefore { object?.a = 1 }
    _ = log.take()
    object = nil
    #expect(log.take() == ["sum \(isChangedBefore ? 1 : 0) → 11", "sum 11 → 16"])
    token.cancel()
  }
}

@KVModel private class WaveEnding: KVObject {
  var a = 0
  var b = 0
  var sum: Int { a + b }
}

import KVSyntax
import Testing

/// What a getter mentions of its type's properties (MOD.4).
@Suite struct MentionTests {
  private static let names: Set<String> = ["items", "name", "count", "limit"]

  private static func mentions(in body: String) -> [String] {
    let tokens = TokenList(body)
    return Mentions.of(names, in: 0..<tokens.count, of: tokens).map(\.name)
  }

  @Test(
    "MOD.4: a name that a local declaration shadows is not a mention",
    arguments: [
      ("items.reduce(0) { $0 + $1.price } * (1 - limit)", ["items", "limit"]),
      ("self.items.count", ["items"]),
      ("other.items", [] as [String]),
      ("self?.name ?? \"\"", ["name"]),
      ("let items = items; return items.count", ["items"]),
      ("let items = self.items\n  return items.count + count", ["items", "count"]),
      ("if let name { return name } else { return items }", ["name", "items"]),
      ("if let name = other.name, name.isEmpty { return name }; return name", ["name"]),
      ("guard let name = other.name else { return count }; return name", ["count"]),
      ("items.map { count in count + limit }", ["items", "limit"]),
      ("items.map { (count: Int, name) -> Int in count + limit }", ["items", "limit"]),
      ("f { [weak self] in self?.count }", ["count"]),
      ("f { [items] in items }", ["items"]),
      ("f { [x = name] in x }", ["name"]),
      ("\"a \\(name) b \\(items.map { \"\\($0.name)\" })\"", ["name", "items"]),
      ("// name\n /* items */ \"count\"", [] as [String]),
      (
        "switch self.limit { case .a(let count): return count; case let .b(name): return name; default: return items }",
        ["limit", "items"]
      ),
      ("switch x { case .a(let count): return 1; case .b: return count }", ["count"]),
      ("for count in items { print(count) }; return count", ["items", "count"]),
      ("func name(of count: Int) -> Int { count + limit }; return name(of: 1)", ["limit"]),
      ("func f(_ pair: (Int, name: Int), limit: Int) -> Int { name + limit }; return f(pair, limit: 1)", ["name"]),
      ("price(of: items, name: name)", ["items", "name"]),
      ("price(name: 1)", [] as [String]),
      ("a ? name : count", ["name", "count"]),
      ("\\.name", [] as [String]),
      (".name", [] as [String]),
      ("`name`.x", ["name"]),
      ("do { try x() } catch { print(error, name) }", ["name"]),
      ("if case .some(let name) = y { return name }; return name", ["name"]),
      ("while let count = next() { print(count) }\n count", ["count"]),
      ("repeat { } while x\n items.map { count in count }", ["items"]),
      ("let (name, count) = pair; return name + count + items", ["items"]),
      ("struct X { var name = count }; return items", ["items"]),
      ("let f = { (name: String) in name }\n return f(name)", ["name"]),
      ("[name: count]", ["name", "count"]),
      ("items.sum(\\.count)", ["items"]),
      ("if let items { items } ; items", ["items", "items"]),
      ("var name: String = limit.x\n name += 1", ["limit"]),
      ("items.first { $0.name == name }", ["items", "name"]),
      ("items[count]", ["items", "count"]),
      ("items[0...count] + items[...limit]", ["items", "count", "items", "limit"]),
      ("text.contains(/(name)|items/) ? count : limit", ["count", "limit"]),
      ("super.name + Self.items", ["name"]),
      ("[name: 1, count: 2]", ["name", "count"]),
      ("price([name: 1, count: 2], limit: items)", ["name", "count", "items"]),
      ("f { [name, x = items + limit] in name + limit }", ["name", "items", "limit", "limit"]),
      ("if limit { items } else { let name = 1; print(name) }\n name", ["limit", "items", "name"]),
    ])
  func mentions(body: String, expected: [String]) { #expect(Self.mentions(in: body) == expected) }

  @Test(
    "MOD.4: a mention knows whether it declares the name, and whether a closure or a nested function makes it",
    arguments: [
      ("name", "-"), ("if x { name } else { self.name }", "--"), ("f { name }", "c"), ("f { g { name }; name }", "cc"),
      ("func g() -> Int { name }\n name", "c-"), ("f { [weak name] in name }\n name", "s-"),
      ("f { [x = name] in x }", "-"), ("if let name { name }", "s"), ("guard let name else { return name }", "s-"),
      ("do { name } catch { name }; defer { name }; switch x { default: name }", "----"),
    ])
  func flags(body: String, expected: String) {
    let tokens = TokenList(body)
    let flags = Mentions.of(Self.names, in: 0..<tokens.count, of: tokens).map {
      $0.isShorthand ? "s" : $0.isInClosure ? "c" : "-"
    }
    #expect(flags.joined() == expected)
  }

  @Test("MOD.4: a declared name counts whatever its first letter, if it is called, and if it is a word behind \"self\"")
  func declaredNames() {
    let tokens = TokenList("ID + 名前 + format(3) + self.default + x { $0.ID }; switch ID { default: for a in b {} }")
    let names: Set<String> = ["ID", "名前", "format", "default", "in"]
    let mentions = Mentions.of(names, in: 0..<tokens.count, of: tokens).map(\.name)
    #expect(mentions == ["ID", "名前", "format", "default", "ID"])
  }
}

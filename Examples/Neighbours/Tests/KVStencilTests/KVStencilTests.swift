import Foundation
import KVCore
import KVStencil
import Stencil
import Testing

@Suite("Templates read models by key path")
struct KVStencilTests {
  let order = Order()

  private func render(_ template: String, policy: KVPolicy? = nil, extensions: [Extension] = []) throws -> String {
    try Environment(extensions: extensions).renderTemplate(
      string: template, context: ["order": TemplateValue(order, policy: policy), "name": "pin"])
  }

  /// The sentence of the error with which the rendering of a template ends; nil if it does not.
  private func failure(_ template: String, policy: KVPolicy? = nil) -> String? {
    do {
      _ = try render(template, policy: policy)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private var policy: KVPolicy {
    get throws {
      var policy = KVPolicy("letters")
      try policy.allow(Order.self, keys: ["number", "customer", "items", "record", "info"])
      try policy.allow(Customer.self, keys: ["name", "address"])
      try policy.allow(Address.self, keys: ["city"])
      try policy.allow(Item.self, keys: ["title", "price"])
      try policy.allow(KVRecord.self, keys: ["public"])
      try policy.allow([String: Any].self, keys: ["public"])
      return policy
    }
  }

  @Test(
    "A variable is a key path: objects, structs, records, elements and operators",
    arguments: [
      ("{{ order.number }}", "7"), ("{{ order.customer.address.city }}", "London"),
      ("{{ order.record.nested.deep }}", "1"), ("{{ order.record[\"with.dots\"] }}", "2"),
      ("{{ order.items.0.title }} {{ order.items[1].title }}", "tea cup"),
      ("{{ order.items.first.title }} {{ order.items.last.title }}", "tea cup"),
      ("{{ order.items.@firstObject.title }}", "tea"), ("{{ order.items.title.1 }}", "cup"),
      ("{{ order.items.count }} {{ order.items.@count }}", "2 2"), ("{{ order.items.@sum.price }}", "6.5"),
      ("{{ order.items.@sum.size.width }}", "4"), ("{{ order[\"items.@max.price\"] }}", "4.5"),
      ("{{ order.items.title|join:\", \"|uppercase }}", "TEA, CUP"),
      ("{{ order.state }} {{ order.kind }}", "paid express"),
    ])
  func reading(template: String, text: String) throws {
    #expect(try render(template) == text)
    #expect(try render("{% if \(template.split(separator: " ")[1]) %}yes{% endif %}") == "yes")
  }

  @Test("Loops run over elements, over the results of operators, and over the entries of dictionaries and records")
  func loops() throws {
    #expect(
      try render("{% for item in order.items %}{{ item.title }}={{ item.price }};{% endfor %}") == "tea=4.5;cup=2.0;")
    #expect(try render("{% for item in order.items where item.price > 3 %}{{ item.title }}{% endfor %}") == "tea")
    #expect(try render("{% for t in order.items.@unionOfArrays.tags %}{{ t }};{% endfor %}") == "hot;hot;new;")
    #expect(try render("{% for key, value in order.info %}{{ key }}={{ value }};{% endfor %}") == "private=2;public=1;")
    #expect(
      try render("{% for key, value in order.record %}{{ key }};{% endfor %}") == "nested;private;public;with.dots;")
    #expect(try render("{% for tag in order.none %}{{ tag }}{% empty %}no{% endfor %}") == "no")
  }

  @Test("nil is empty, false and the default, and ends a variable without an error")
  func nilValues() throws {
    #expect(try render("<{{ order.note }}>{{ order.note|default:\"none\" }}") == "<>none")
    #expect(try render("{% if order.note %}yes{% else %}no{% endif %}{{ order.boss.name }}") == "no")
    #expect(try render("{% for each in order.maybe %}<{{ each }}>{% endfor %}") == "<1><>")
    order.note = "now"
    #expect(try render("{{ order.note|default:\"none\" }}") == "now")
  }

  @Test("A misspelt key ends the rendering with the library's sentence and the place in the template")
  func misspelt() throws {
    let error = #expect(throws: TemplateSyntaxError.self) { try render("Dear\n  {{ order.customer.nmae }},") }
    #expect(error?.reason.hasPrefix("undefined key \"nmae\" of Customer. Did you mean \"name\"?") == true)
    #expect(error?.token?.sourceMap.location.lineNumber == 2)
    #expect(failure("{% if order.nubmer %}{% endif %}")?.contains("Did you mean \"number\"?") == true)
    #expect(failure("{% for item in order.itmes %}{% endfor %}")?.contains("Did you mean \"items\"?") == true)
    #expect(failure("{{ order.items.5.title }}") == "index 5 is out of range: valid indexes are 0 to 1.")
    #expect(failure("{{ order.items.@sum.title }}")?.contains("@sum") == true)
  }

  @Test("A policy permits what it lists")
  func permitted() throws {
    let template = """
      {{ order.number }} {{ order.customer.name }} {{ order.customer.address.city }} {{ order.items.@sum.price }} \
      {% for item in order.items %}{{ item.title }} {% endfor %}{{ order.record.public }} {{ order.info.public }}
      """
    #expect(try render(template, policy: policy) == "7 Ada London 6.5 tea cup 1 1")
  }

  @Test("A loop over a dictionary or a record has the entries that the policy permits")
  func permittedEntries() throws {
    for key in ["info", "record"] {
      let template = "{% for key, value in order.\(key) %}{{ key }}={{ value }};{% endfor %}{{ order.\(key) }}"
      #expect(try render(template, policy: policy) == "public=1;[\"public\": 1]")
    }
  }

  static let attacks = [
    "order.customer.pin", "order[\"customer.pin\"]", "order[\"customer\"].pin", "order.customer[\"pin\"]",
    "order.customer[name]", "order.customer.@self.pin", "order.items.0.cost", "order.items.@sum.cost",
    "order[\"items.@sum.cost\"]", "order.items.cost", "order.items.first.cost", "order.items.@firstObject.cost",
    "order.items.@unionOfObjects.cost", "order.items.@unionOfArrays.tags", "order.secret", "order.storedSecret",
    "order._secret", "order.record.private", "order.record[\"private\"]", "order.info.private", "order.base",
    "order.paths",
    "order.description", "order.customer.base.pin", "order.registrarSlot", "order.0", "order.customer.0",
    "order.customer.address.street", "order.customer.first", "order.customer.count",
  ]

  @Test("A denied key is reached by no variable, tag, filter or argument", arguments: attacks)
  func denied(variable: String) throws {
    let policy = try policy
    let templates = [
      "{{ \(variable) }}", "{{ \(variable)|default:\"x\" }}", "{{ \"x\"|default:\(variable) }}",
      "{{ order.number if \(variable) }}",
      "{% if \(variable) == \"1234\" %}{% endif %}", "{% if not \(variable) %}{% endif %}",
      "{% for each in \(variable) %}{{ each }}{% endfor %}", "{% for k, v in \(variable) %}{{ v }}{% endfor %}",
      "{% for i in order.items where \(variable) %}{% endfor %}", "{% filter default:\(variable) %}{% endfilter %}",
      "{% include \(variable) %}", "{{ order[\(variable)] }}",
    ]
    // The last character of a variable in brackets cannot stand in further brackets.
    for template in variable.contains("[") ? templates.dropLast() : templates[...] {
      let sentence = try #require(failure(template, policy: policy), "\(template)")
      #expect(sentence.lowercased().contains("the policy \"letters\" permits"), "\(template): \(sentence)")
    }
  }

  @Test("The message of a denied key does not tell whether the key exists")
  func deniedAlike() throws {
    let (pin, none) = (
      failure("{{ order.customer.pin }}", policy: try policy), failure("{{ order.customer.nip }}", policy: try policy)
    )
    #expect(pin?.replacingOccurrences(of: "pin", with: "nip") == none)
    #expect(none != nil)
  }

  @Test("Printing, joining, looping over or filtering an object shows nothing of it")
  func opaque() throws {
    let policy = try policy
    for template in [
      "{{ order }}", "{{ order.customer }}", "{{ order.items }}", "{{ order.items|join:\" \" }}",
      "{{ order.customer|uppercase }}", "{{ order.items|capitalize|join }}", "{{ order.items|split }}",
      "{{ order.customer|default:order }}", "{{ order.customer|indent:2 }}",
    ] {
      let text = try render(template, policy: policy)
      #expect(text.lowercased().contains("[object]"), "\(template)")
      #expect(!text.contains("1234") && !text.contains("Ada") && !text.contains("tea"), "\(template)")
    }
    #expect(
      try render("{% for x in order %}x{% endfor %}{% for x in order.customer %}x{% endfor %}", policy: policy) == "")
    #expect(String(reflecting: TemplateValue(order, policy: policy)) == "[object]")
    var dumped = ""
    dump([TemplateValue(order, policy: policy)], to: &dumped)
    #expect(!dumped.contains("1234") && !dumped.contains("Order"))
  }

  @Test("A filter of the program receives a value in which it can look up keys, with the policy, and nothing else")
  func filters() throws {
    let names = Extension()
    names.registerFilter("pin") { ($0 as? DynamicMemberLookup)?[dynamicMember: "pin"].map { "\(type(of: $0))" } }
    names.registerFilter("kind") { value in "\(type(of: value ?? ""))" }
    #expect(try render("{{ order.customer|pin }}", policy: policy, extensions: [names]) == "LazyValueWrapper")
    #expect(try render("{{ order.customer|kind }}", policy: policy, extensions: [names]) == "TemplateValue")
    #expect(try render("{{ order.number|kind }}", policy: policy, extensions: [names]) == "Int")
  }

  @Test("A template reads the values of the moment")
  func currentValues() throws {
    let template = Template(templateString: "{{ order.customer.name }} {{ order.items.@count }}")
    let context = ["order": TemplateValue(order, policy: nil)]
    #expect(try template.render(context) == "Ada 2")
    order.customer.name = "Grace"
    order.items = []
    #expect(try template.render(context) == "Grace 0")
  }

  @Test("Markup in a value is printed as it is: a filter of the program escapes it")
  func markup() throws {
    order.customer.name = "<b>"
    let markup = Extension()
    markup.registerFilter("html") { "\($0 ?? "")".replacingOccurrences(of: "<", with: "&lt;") }
    #expect(
      try render("{{ order.customer.name }} {{ order.customer.name|html }}", extensions: [markup]) == "<b> &lt;b>")
  }
}

// What the pages of the guides take for granted (.ci/guide.py): the lines below the name of each page.
//@ page Bindings
//@ new Field field label button hint; Form form session; Model model; User user; Order order; Search search; List list
@KVModel final class Field: KVObject { var text = ""; var isEnabled = false }
@KVModel final class Form: KVObject { var isComplete = false; var isOpen = false; func show(_ error: KVError?) {} }
@KVModel final class User: KVObject { @KVKey(.lenient) var age = 36; var first = ""; var last = "" }
@KVModel final class Album: KVObject { var songs: [Song] = [] }
@KVModel final class Model: KVObject { var user: User?; var library: Album? }
@KVModel final class Order: KVObject { var number = 1 }
@KVModel final class Search: KVObject { var query = "" }
@KVModel final class List: KVObject { var rows: [String] = [] }
//@ page Controllers
//@ new Account account; Library library; Person person; Song song; Field nameField cityField field total; Button removeButton okButton; Request request; Order order; Menu menu; Page page
nonisolated(unsafe) let albums = KVArrayController { Album() }
let (wanted, text) = (KVPredicate(true), "title == 'x'")
@KVModel final class Field: KVObject { var text = "" }
@KVModel final class Menu: KVObject { var value = "" }
@KVModel final class Request: KVObject { var headers: [String: String] = [:] }
@KVModel final class Order: KVObject { var name = "" }
@KVModel final class Button: KVObject { var isEnabled = false }
@KVModel final class Album: KVObject { var tracks: [Track] = [] }
@KVModel final class Track: KVObject { var name = ""; convenience init(_ name: String) { self.init(); self.name = name } }
final class Page { func patch(_ change: KVChange) {} }
//@ page Controls
//@ new Slider slider; Model model
@KVModel final class Model: KVObject { var red = 0.0 }
//@ page Conversions
struct Color: Equatable { static let red = Color(hex: "#ff0000")!; var hex: String; init?(hex: String) { self.hex = hex } }
//@ in key("stamp", \.stamp)
struct Code { init(_ text: String) {} }
final class Letter: KVObject { @KVProperty var stamp = Date.now; @KVProperty var code = Code("1234"); /*table*/ }
//@ in key("quantity", \.quantity)
enum OrderError: Error { case soldOut }
final class Order: KVObject { @KVProperty var quantity = 1; var stock = 1, age = 1; func setAge(_ age: Int) throws {}; /*table*/ }
//@ in key("rows") { $0.makeRows() }
final class Rows: KVObject { var rowCount = 0; func makeRows() -> [String] { [] }; func makeRow(_ index: Int) -> String { "" }; /*table*/ }
//@ page Definitions import Foundation
//@ new Screen controller list field label undoItem
let (resources, url) = (URL(filePath: "/tmp"), URL(filePath: "/tmp/a.json"))
@KVModel final class Screen: KVObject { var rows: [Any] = []; var text: String?; var title = "" }
//@ page Diagnostics
//@ new KVObject model form
nonisolated(unsafe) let binding = KVDiagnostics.bindings[0]
//@ skip let logger = Logger(  // swift-log; Examples/Sources/KVLoggers is compiled.
//@ skip let logger = os.Logger(  // Apple's platforms only.
//@ page Documents import Foundation
//@ new KVObject config
let (data, url) = (Data(), URL(filePath: "/tmp/a.json"))
//@ page KVDefinitions import Foundation
//@ new KVObject controller
let resources = URL(filePath: "/tmp")
//@ page KVDocuments import Foundation
let data = Data()
//@ page Lists
//@ new Player player; Screen screen
@KVModel final class Track: KVObject { var title = "" }
@KVModel final class Album: KVObject { var tracks: [Track] = [] }
@KVModel final class Player: KVObject { var album: Album? }
nonisolated(unsafe) let albums = KVObservingListSection<String>()
func show(_ rows: some Any, of section: Int) {}; func showEverything() {}
//@ page Migrating/FromAppKit
//@ new RaiseDocument document; Field nameField removeButton
nonisolated(unsafe) var records: [KVRecord] = []
@KVModel final class Field: KVObject { var text = ""; var isEnabled = false }
//@ page Migrating/FromILBinding import Foundation
//@ new ColorPicker picker; PickerScreen screen
struct PickedColor: Equatable { var red = 0.0, green = 0.0, blue = 0.0 }
let directory = URL(filePath: "/tmp")
//@ page Migrating/FromRZDataBinding import Foundation
struct Swatch: Equatable { init(hex: UInt32) {} }
//@ page Migrating/FromTJBinder import Foundation
//@ new Fruit apple kiwi; KVNode root clearing; KVObject holder; ImageView image
//@ page Models
//@ in private weak var storedBoss
final class Puppy: KVObject { /*block*/ }
//@ in key("rate", \.rate)
final class Hub: KVObject { var rate = 1.0, port = 80; var note: String?; let id = 7; func open(_ port: Int) throws {}; /*table*/ }
//@ in key("items", \.items).inPlace
final class Basket: KVObject { @KVProperty var items: [Int] = []; /*table*/ }
//@ page Observing import Observation
//@ new Model model; Badge badge; Label label; Form form; Meter meter; Store store; Page page
final class Label { var text = "" }
@KVModel final class Model: KVObject { var state = ""; var items: [Int] = [] }
@KVModel final class Form: KVObject { var query = ""; var title = ""; var body = "" }
@KVModel final class Meter: KVObject { var level = 0.0 }
final class Page: KVObject { func search(_ query: Any?) {}; func redraw() {}; func save() {} }
//@ in try form.observe("query", owner: self)
extension Page { func start() throws { /*block*/ } }
//@ in try form.observe(["title", "body"]
extension Page { func startSaving() throws { /*block*/ } }
//@ in let token = try store.observe
@MainActor func observeStore() throws { /*block*/ }
//@ in try store.observe("count", on: self
actor Keeper { func start(_ store: Store, _ page: Page) throws { /*block*/ } }
//@ skip let subscription = try person.publisher  // Combine is there on Apple's platforms only.
//@ page Programs
//@ new KVObject model window; KVNode cell label bar; KVUndoManager undo
let (definitions, percent, path): ([KVBindingDefinition], KVTransformer, KVIndexPath) = ([], .isNil, [0])
nonisolated(unsafe) let (field, controller) = (KVObject(), KVArrayController<KVRecord>())
let (order, filter, year): ([KVSortDescriptor], KVPredicate, KVTransformer) = ([], "TRUEPREDICATE", .isNil)
func send(_ kind: KVChangeKind, _ indexes: [Int]?) {}; func send(_ kind: KVChangeKind, _ paths: [KVIndexPath]) {}
@KVModel final class OutlineNode: KVObject { var children: [OutlineNode] = []; var isLeaf = false }
nonisolated(unsafe) let (node, value) = (KVTreeController<OutlineNode>().arrangedObjects, OutlineNode())
nonisolated(unsafe) let (people, row): ([KVObject], Int) = ([], 0)
//@ skip import KVInspector  // A library of Examples, whose tests register objects.
//@ skip print(try KVInspector  // A library of Examples.
//@ skip let server = try StudioServer  // A library of Examples.
//@ page Security
//@ new Order order
@KVModel final class Customer: KVObject { var name = "Ann"; var city = "Riga"; var creditLimit = 100 }
@KVModel final class Item: KVObject { var title = ""; var price = 1.5 }
@KVModel final class Order: KVObject { var customer = Customer(); var items: [Item] = []; var note = "" }
nonisolated(unsafe) let orders = [order]
let (text, definitions): (String, [KVBindingDefinition]) = ("note LIKE 'p*'", [])
//@ page Sorting import Foundation
//@ new Library library; Table table; Box box
nonisolated(unsafe) var songs: [Song] = []
nonisolated(unsafe) let section = KVObservingListSection<Song>()
let (row, first, typed, prefix) = (3, 1990, "blue", "b")
let filters: [(title: String, predicate: KVPredicate)] = []
func show(_ songs: [Song]) {}
final class Table { func patch(_ kind: KVChangeKind, at indexes: [Int]?) {} }
final class Box { var text = ""; func mark(at offset: Int?) {}; func note(_ text: String) {} }
//@ page Testing import Foundation
//@ new Order order copy; Label label; Basket basket
let (tea, cups) = (Item(title: "tea", price: 4.5), Item(title: "cups", price: 18))
@KVModel final class Label: KVObject { var text = "" }
@KVModel final class Basket: KVObject { var customer = ""; var total = 0.0; func add(_ item: Item) {} }
@KVModel final class AnnotatedOrder: Order { var note = "" }
//@ skip let paid = try keyValueObservingExpectation  // XCTest, as README's example.
//@ skip func testItIsShownInEuros  // XCTest, as README's example.
//@ in @Test("has a total
struct BasketTests { /*block*/ }
//@ in let binding = try copy.bind("number", to: "number", of: self.order)
struct OrderTests { let order = Order()
func leaves() throws { /*block*/ } }
//@ in var order: Order? = Order()
func release() throws { /*block*/ }
//@ page Trees
//@ new FruitCell cell; KVNode label square view; KVObject fruit
let dictionary: [String: String] = [:]
final class FruitCell: KVNode {}; final class Window: KVNode {}
//@ page Undo import Foundation
//@ new Song song; Importer importer; Form form; Canvas canvas; Item undoItem
nonisolated(unsafe) let list = KVArrayController { Song() }
let url = URL(filePath: "/tmp/library")
final class Importer { func run(into library: Library) throws {} }
final class Form { func apply(to song: Song) throws {} }
final class Canvas { func rotate(by angle: Int) {} }
@KVModel final class Item: KVObject { var title = ""; var isEnabled = false }
extension Library { func load(_ url: URL) throws {}; func save(to url: URL) throws {} }
//@ in key("songs", \.songs).metadata
final class Bibliothek: KVObject { @KVProperty var songs: [Song] = []; /*table*/ }

/// Makes a model of a class or a struct: its properties become keys, and those of a class notify (MOD.1, MOD.2).
///
/// ```swift
/// @KVModel final class Order: KVObject {
///   var number = 1
///   var items: [Item] = []
///   var total: Double { items.reduce(0) { $0 + $1.price } }
/// }
/// ```
///
/// The macro writes the accessor table: a line for each property of instances that the declaration lists, except those
/// that are private, lazy or marked with ``KVIgnored()``. The stored `var`s of a class notify of each change that is made
/// in Swift or by key; a change in place happens in place. A computed property depends on the properties that its getter
/// mentions (MOD.4). ``KVKey(_:)`` gives a property's line its options.
///
/// A class inherits from ``KVObject``, from another model, or has the option ``KVModelOption/root``. A struct becomes
/// ``KeyValueCoding``. A type that declares `keyTable` itself gets notifying properties and no table; a function
/// `static func furtherKeys(_ key: KVObjectKeys<Order>)`, also in an extension, adds lines by hand (MOD.6).
///
/// - Parameter options: The features of the model beyond that.
@attached(
  member, conformances: KVObservable, Encodable, Decodable, names: named(keyTable), named(registrarSlot),
  named(_kvKeys), named(_$observationRegistrar), named(_untracked), named(CodingKeys))
@attached(memberAttribute)
@attached(extension, conformances: KeyValueCoding, KVObservable)
public macro KVModel(_ options: KVModelOption...) = #externalMacro(module: "KVMacros", type: "KVModel")

/// Gives the key of a model's property its options (MOD.5).
///
/// ```swift
/// @KVKey(.lenient, .alias("rebate")) var discount = 0.0
/// ```
///
/// A private or lazy property has a key only with this attribute.
///
/// - Parameter options: The options of the table's line besides the key.
@attached(peer)
public macro KVKey(_ options: KVKeyOption...) = #externalMacro(module: "KVMacros", type: "KVKey")

/// Gives a model's property a key of another name, with its options (MOD.5).
///
/// - Parameters:
///   - name: The key, a string literal.
///   - options: The options of the table's line besides the key.
@attached(peer)
public macro KVKey(_ name: String, _ options: KVKeyOption...) = #externalMacro(module: "KVMacros", type: "KVKey")

/// Leaves a property out of its model: it has no key, and does not notify (MOD.2).
@attached(peer)
public macro KVIgnored() = #externalMacro(module: "KVMacros", type: "KVIgnored")

/// Makes a stored property notify. ``KVModel(_:)`` attaches it.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro _KVStored(_ number: Int, _ options: KVModelOption...) =
  #externalMacro(module: "KVMacros", type: "KVStored")

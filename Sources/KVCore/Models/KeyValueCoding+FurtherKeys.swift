extension KeyValueCoding {
  /// Adds lines by hand to the table that ``KVModel(_:)`` makes; a model declares a function of this name to do so (MOD.6).
  ///
  /// ```swift
  /// extension Order {
  ///   var net: Double { total / 1.2 }
  ///   static func furtherKeys(_ key: KVObjectKeys<Order>) { key("net", \.net).affected(by: "total") }
  /// }
  /// ```
  ///
  /// - Parameter key: The keys of the class, to which the function adds.
  public static func furtherKeys<Root>(_ key: KVObjectKeys<Root>) { key.lines.areGenerated = true }

  /// Adds lines by hand to the table that ``KVModel(_:)`` makes of a struct (MOD.6).
  ///
  /// - Parameter key: The keys of the struct, to which the function adds.
  public static func furtherKeys<Root>(_ key: KVValueKeys<Root>) { key.lines.areGenerated = true }
}

import KVCore

extension KVFixtures {
  /// An observable class that is no `KVObject`: it has a slot of its own.
  open class Download: KVObservable {
    /// The place for the registrar.
    public final let registrarSlot = KVRegistrarSlot()
    /// Where from.
    @KVProperty public var address: String
    /// How much is there, from 0 to 1.
    @KVProperty public var progress = 0.0

    /// Makes a download.
    ///
    /// - Parameter address: Where from.
    public init(_ address: String = "example.org") { self.address = address }

    /// Whether all is there: dependent on `progress`.
    public var isDone: Bool { progress >= 1 }

    /// The keys of a download.
    open class var keyTable: KVTable {
      KVTable(Download.self) { key in
        key("address", \.address)
        key("progress", \.progress)
        key("isDone", \.isDone).affected(by: "progress")
      }
    }
  }
}

import KVCore

extension KVFixtures {
  /// An observable class that is not a `KVObject` and has its own slot.
  open class Download: KVObservable {
    /// The storage for the registrar.
    public final let registrarSlot = KVRegistrarSlot()
    /// The address of the download.
    @KVProperty public var address: String
    /// The progress, from 0 to 1.
    @KVProperty public var progress = 0.0

    /// Creates a download.
    ///
    /// - Parameter address: The address of the download.
    public init(_ address: String = "example.org") { self.address = address }

    /// Whether the download is complete: dependent on `progress`.
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

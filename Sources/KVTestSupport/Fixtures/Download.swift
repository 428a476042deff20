import KVCore

extension KVFixtures {
  /// An observable class that is not a `KVObject` and has its own slot.
  package class Download: KVObservable {
    /// The storage for the registrar.
    package final let registrarSlot = KVRegistrarSlot()
    /// The address of the download.
    @KVProperty package var address: String
    /// The progress, from 0 to 1.
    @KVProperty package var progress = 0.0

    /// Creates a download.
    ///
    /// - Parameter address: The address of the download.
    package init(_ address: String = "example.org") { self.address = address }

    /// Whether the download is complete: dependent on `progress`.
    package var isDone: Bool { progress >= 1 }

    /// The keys of a download.
    package class var keyTable: KVTable {
      KVTable(Download.self) { key in
        key("address", \.address)
        key("progress", \.progress)
        key("isDone", \.isDone).affected(by: "progress")
      }
    }
  }
}

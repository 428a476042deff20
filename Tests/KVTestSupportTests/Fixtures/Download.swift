import KVBinding
import KVTestSupport

extension KVFixtures {
  /// An observable class that is not a `KVObject` and has its own slot.
  class Download: KVObservable {
    /// The storage for the registrar.
    final let registrarSlot = KVRegistrarSlot()
    /// The address of the download.
    @KVProperty var address: String
    /// The progress, from 0 to 1.
    @KVProperty var progress = 0.0

    /// Creates a download.
    ///
    /// - Parameter address: The address of the download.
    init(_ address: String = "example.org") { self.address = address }

    /// Whether the download is complete: dependent on `progress`.
    var isDone: Bool { progress >= 1 }

    /// The keys of a download.
    class var keyTable: KVTable {
      KVTable(Download.self) { key in
        key("address", \.address)
        key("progress", \.progress)
        key("isDone", \.isDone).affected(by: "progress")
      }
    }
  }
}

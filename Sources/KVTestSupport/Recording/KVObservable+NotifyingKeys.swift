import KVCore

extension KVObservable {
  /// The keys that can tell of their changes.
  ///
  /// Each is observed for a moment: only that knows of storage, hooks, and what stands behind dependent keys.
  var notifyingKeys: [KVKeyPath] {
    get throws(KVError) {
      var paths: [KVKeyPath] = []
      for key in try KVC.keys(of: self) {
        let path = KVKeyPath(wholeKey: key.name)
        do throws(KVError) {
          try observe(path, options: []) { _ in }.cancel()
          paths.append(path)
        } catch {
          if error.code != .notObservable { throw error }
        }
      }
      return paths
    }
  }
}

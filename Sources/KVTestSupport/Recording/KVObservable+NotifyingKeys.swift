import KVCore

extension KVObservable {
  /// The keys that can notify of their changes.
  ///
  /// Each key is observed for a moment, since only this considers its storage, the hooks, and the paths of dependent
  /// keys.
  var notifyingKeys: [KVKeyPath] {
    get throws(KVError) {
      var paths: [KVKeyPath] = []
      for key in try KVC.keys(of: self) {
        let path = KVKeyPath(singleKey: key.name)
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

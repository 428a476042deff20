extension KVError {
  /// The properties of an error as keys, so that `lastError.message` is a key path (KVC.18); `code` is its name.
  public static var keyTable: KVTable {
    KVTable(KVError.self, listedKeysOnly: true) { key in
      key("code") { $0.code.description }
      key("message", \.message)
      key("keyPath", \.keyPath)
      key("component", \.component)
      key("rootType", \.rootType)
      key("knownKeys", \.knownKeys)
      key("suggestion", \.suggestion)
      key("offset", \.offset)
      key("underlying", \.underlying)
    }
  }
}

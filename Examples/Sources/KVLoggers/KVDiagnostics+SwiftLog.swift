#if canImport(Logging)
  import KVBinding
  import Logging

  extension KVDiagnostics {
    /// Sends what happens to a logger of swift-log.
    ///
    /// The topic, the key path and the place of the registration go along as metadata.
    ///
    /// - Parameters:
    ///   - logger: The logger; its own level applies, too.
    ///   - level: The lowest level that is reported.
    public static func log(to logger: Logging.Logger, from level: Level = .info) {
      setHandler(level: level) { event in
        logger.log(level: .init(event.level), "\(event.message)", metadata: .init(event), source: "KVBinding")
      }
    }
  }

  extension Logging.Logger.Level {
    /// The level of a logger that is nearest to one of the diagnostics.
    init(_ level: KVDiagnostics.Level) {
      switch level {
      case .verbose: self = .trace
      case .debug: self = .debug
      case .info: self = .info
      case .warning: self = .warning
      case .error: self = .error
      }
    }
  }

  extension Logging.Logger.Metadata {
    /// What is known of an event beside its message.
    init(_ event: KVDiagnostics.Event) {
      self = ["topic": "\(event.topic)"]
      if let path = event.keyPath { self["keyPath"] = "\(path)" }
      if let location = event.location { self["registered"] = "\(location)" }
    }
  }
#endif

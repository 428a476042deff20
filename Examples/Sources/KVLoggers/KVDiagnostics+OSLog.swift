#if canImport(os)
  import KVBinding
  import os

  extension KVDiagnostics {
    /// Sends what happens to the unified log of Apple's platforms.
    ///
    /// Messages hold values of the model, so they are private there: shown while a debugger is attached, and masked
    /// elsewhere. The place of the registration is public.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - level: The lowest level that is reported.
    public static func log(to logger: os.Logger, from level: Level = .info) {
      setHandler(level: level) { event in
        logger.log(
          level: .init(event.level),
          "\(event.message, privacy: .private) (\(event.location ?? "", privacy: .public))")
      }
    }
  }

  extension OSLogType {
    /// The type of a log entry that is nearest to a level of the diagnostics.
    init(_ level: KVDiagnostics.Level) {
      switch level {
      case .verbose, .debug: self = .debug
      case .info: self = .info
      case .warning: self = .default
      case .error: self = .error
      }
    }
  }
#endif

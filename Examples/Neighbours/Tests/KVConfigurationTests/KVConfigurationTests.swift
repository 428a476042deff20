import Configuration
import Foundation
import KVConfiguration
import KVControllers
import Testing

@MainActor @Suite("Configurations are sources of bindings", .timeLimit(.minutes(1)))
struct KVConfigurationTests {
  let provider = MutableInMemoryProvider(initialValues: ["http.port": 8080, "http.timeout": 3])
  let server = Server()

  private func settings(_ others: any ConfigProvider..., defaults: [String: Any] = [:]) -> ConfigurationController {
    ConfigurationController(ConfigReader(providers: [provider] + others), defaults: defaults)
  }

  /// Waits for a change that comes from another task.
  private func until(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("The first provider that has a value says what the key is, and the default does if none has one")
  func providers() throws {
    let environment = EnvironmentVariablesProvider(environmentVariables: [
      "HTTP_PORT": "9090", "HTTP_HOST": "example.org",
    ])
    let settings = settings(environment, defaults: ["http.host": "localhost", "http.level": "debug"])
    try server.bind("port", to: "http.port", of: settings, as: Int.self)
    try server.bind("host", to: "http.host", of: settings, as: String.self)
    try server.bind("level", to: "http.level", of: settings, as: LogLevel.self)
    #expect(server.port == 8080)
    #expect(server.host == "example.org")
    #expect(server.level == .debug)
  }

  @Test("Texts of the environment are converted as by a lenient key, and lists of them too")
  func conversions() throws {
    let environment = EnvironmentVariablesProvider(environmentVariables: [
      "PORT": "9090", "LEVEL": "debug", "SINCE": "2026-11-22", "SECURE": "yes", "TIMEOUT": "2.5",
    ])
    provider.setValue(ConfigValue(.stringArray(["1.5", "2"]), isSecret: false), forKey: "weights")
    provider.setValue(ConfigValue(.stringArray(["a", "b"]), isSecret: false), forKey: "names")
    let settings = settings(environment)
    try server.bind("port", to: "port", of: settings, as: Int.self)
    try server.bind("level", to: "level", of: settings, as: LogLevel.self)
    try server.bind("since", to: "since", of: settings, as: Date.self)
    try server.bind("isSecure", to: "secure", of: settings, as: Bool.self)
    try server.bind("weights", to: "weights", of: settings, as: [Double].self)
    try server.bind("names", to: "names", of: settings, as: [String].self)
    try server.bind("timeout", to: "values[\"timeout\"]", of: settings)  // a lenient key needs no type
    #expect(server.port == 9090 && server.level == .debug && server.isSecure)
    #expect(server.since == Date(timeIntervalSince1970: 1_795_305_600))
    #expect(server.weights == [1.5, 2] && server.names == ["a", "b"] && server.timeout == 2.5)
  }

  @Test("Numbers, booleans and lists of a JSON file have their types")
  func file() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    try Data(#"{"port": 80, "secure": true, "timeout": 2.5, "names": ["a"], "weights": [1, 2]}"#.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let settings = ConfigurationController(
      ConfigReader(provider: try await FileProvider<JSONSnapshot>(filePath: .init(file.path))))
    #expect(settings.values["port"] as? Int == 80)
    #expect(settings.values["timeout"] as? Double == 2.5)
    #expect(settings.values["names"] as? [String] == ["a"])
    #expect(settings.values["weights"] as? [Int] == [1, 2])
    #expect(settings.values["none"] == nil)
    try server.bind("weights", to: "weights", of: settings, as: [Double].self)
    try server.bind("isSecure", to: "secure", of: settings, as: Bool.self)
    #expect(server.weights == [1, 2] && server.isSecure)
  }

  @Test("A change of a provider reaches the model, and a value that is removed leaves the default")
  func reload() async throws {
    let settings = settings(defaults: ["http.port": 80])
    try server.bind("port", to: "http.port", of: settings, as: Int.self)
    provider.setValue(9090, forKey: "http.port")
    try await until { server.port == 9090 }
    provider.setValue(nil, forKey: "http.port")
    try await until { server.port == 80 }
    provider.setValue("7", forKey: "http.port")
    try await until { server.port == 7 }
  }

  @Test("A part of a configuration has the rest of its keys")
  func scope() async throws {
    let http = ConfigurationController(ConfigReader(provider: provider).scoped(to: "http"))
    try server.bind("port", to: "port", of: http, as: Int.self)
    provider.setValue(9090, forKey: "http.port")
    try await until { server.port == 9090 }
  }

  @Test("A reload notifies of the keys whose values differ, and of no other")
  func notifications() async throws {
    let settings = settings()
    var changes: [String] = []
    let tokens = try ["http.port", "http.timeout"].map { key in
      try settings.observe(settings.keyPath(key)) { changes.append("\(key) \($0.old ?? "-") → \($0.new ?? "-")") }
    }
    provider.setValue(ConfigValue(.int(8080), isSecret: true), forKey: "http.port")  // another secrecy, the same value
    provider.setValue(1, forKey: "other")
    provider.setValue(4, forKey: "http.timeout")
    try await until { !changes.isEmpty }
    #expect(changes == ["http.timeout 3 → 4"])
    withExtendedLifetime(tokens) {}
  }

  @Test("A value of a wrong type is thrown at once, by its key and with what is expected, and nothing is bound")
  func wrongTypeAtFirst() async throws {
    provider.setValue("eighty", forKey: "http.port")
    let settings = settings()
    let error = #expect(throws: KVError.self) {
      try server.bind("port", to: "http.port", of: settings, as: Int.self)
    }
    #expect(error?.code == .typeMismatch)
    #expect(
      error?.message.contains(
        "\"http.port\" of the configuration does not fit: cannot convert: the String \"eighty\" is not an Int: an integer such as 12 is expected."
      ) == true, "\(String(describing: error))")
    provider.setValue(9090, forKey: "http.port")
    try await until { settings.values["http.port"] as? Int == 9090 }
    #expect(server.port == 1)
  }

  @Test(
    "A value that is of a wrong type after a reload is an error of the binding, and the model keeps the value before it"
  )
  func wrongTypeLater() async throws {
    let settings = settings()
    let binding = try server.bind("port", to: "http.port", of: settings, as: Int.self)
    var reported: [KVError.Code] = []
    binding.onError = { reported.append($0.code) }
    provider.setValue(true, forKey: "http.port")
    provider.setValue(ConfigValue(.intArray([1]), isSecret: false), forKey: "http.port")
    try await until { binding.lastError != nil }
    #expect(server.port == 8080)
    #expect(binding.lastError?.message.contains("\"http.port\" of the configuration does not fit") == true)
    #expect(reported.last == .typeMismatch)
    provider.setValue(81, forKey: "http.port")
    try await until { server.port == 81 }
    #expect(binding.lastError == nil)
  }

  @Test("A missing value without a default is an error, unless the type is optional")
  func missing() throws {
    let settings = settings()
    let error = #expect(throws: KVError.self) { try server.bind("port", to: "htpt.port", of: settings, as: Int.self) }
    #expect(error?.message.contains("\"htpt.port\" of the configuration has no value, and there is no default") == true)
    try server.bind("host", to: "http.host", of: settings, as: String?.self)
    #expect(server.host == nil)
  }

  @Test("A configuration is not written: a binding both ways is refused when it writes, and the configuration stays")
  func written() throws {
    let settings = settings()
    let binding = try server.bind("port", to: settings.keyPath("http.port"), of: settings, options: .twoWay)
    server.port = 2
    #expect(binding.lastError?.message.contains("a configuration is read, and not written") == true)
    #expect(settings.values["http.port"] as? Int == 8080)
  }

  @Test(
    "A reload while an edit is open changes the model, leaves the edit, and the commit of it wins until the next reload"
  )
  func reloadWhileEditing() async throws {
    let (settings, field) = (settings(), Field())
    try server.bind("port", to: "http.port", of: settings, as: Int.self)
    let editing = try field.bind("number", to: "port", of: server, options: .init(.twoWay, trigger: .onCommit))
    field.number = 5
    provider.setValue(9090, forKey: "http.port")
    try await until { server.port == 9090 }
    #expect(field.number == 5 && editing.hasPendingEdit)
    try editing.commit()
    #expect(server.port == 5)
    provider.setValue(9091, forKey: "http.port")
    try await until { server.port == 9091 }
    #expect(field.number == 9091)
  }

  @Test("A controller that is dropped ends its bindings and its watch, and the model keeps its value")
  func lifetime() async throws {
    var settings: ConfigurationController? = settings()
    let binding = try server.bind("port", to: "http.port", of: #require(settings), as: Int.self)
    provider.setValue(9090, forKey: "http.port")
    try await until { server.port == 9090 }
    #expect("\(provider)".contains("1 watchers"))
    weak let dropped = settings
    settings = nil
    try await until { "\(provider)".contains("0 watchers") }
    #expect(dropped == nil)
    #expect(binding.state == .ended)
    #expect(server.port == 9090)
  }
}

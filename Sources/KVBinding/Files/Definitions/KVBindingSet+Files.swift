import Foundation

extension KVBindingSet {
  /// The extensions that a file of definitions may have, in the order in which they are tried.
  private static let fileExtensions = ["json", "ilabs-bindings", "plist"]

  /// Reads a file of definitions, and binds what they name, from an owner, or from two objects.
  ///
  /// - Parameters:
  ///   - url: The file: JSON or a property list, whichever its content says.
  ///   - owner: The object where the paths to sources and to targets begin.
  ///   - target: The object where the paths to targets begin; the owner by default.
  ///   - options: Where the options come from that definitions do not have: the concurrency and the tracing.
  ///   - file: Where the bindings are listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVBindingFaults``: all that is wrong with the file; or, if it can be read, with any definition.
  ///   Nothing is bound then.
  public convenience init(
    contentsOf url: URL, owner: AnyObject, target: AnyObject? = nil,
    options: KVBindingOptions = KVBindingOptions(), file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) {
    let data = try KVBindingDrafts.contents(of: url)
    do throws(KVBindingFaults) {
      let definitions = try KVBindingDefinitions(data: data).definitions
      let plan = BindingPlan(definitions, owner, target ?? owner, options, format: KVDocument.Format(of: data))
      try self.init(plan, Site(file, line))
    } catch {
      throw error.of(url.lastPathComponent)
    }
  }

  /// Finds a file of definitions by its name, and binds what they name, from an owner, or from two objects.
  ///
  /// - Parameters:
  ///   - name: The name of the file, with or without the extension `.json`, `.ilabs-bindings` or `.plist`.
  ///   - directory: The directory.
  ///   - owner: The object where the paths to sources and to targets begin.
  ///   - target: The object where the paths to targets begin; the owner by default.
  ///   - options: Where the options come from that definitions do not have: the concurrency and the tracing.
  ///   - file: Where the bindings are listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVBindingFaults``: `unreadableFile` if there is no such file, and as
  ///   ``init(contentsOf:owner:target:options:file:line:)``.
  public convenience init(
    named name: String, in directory: URL, owner: AnyObject, target: AnyObject? = nil,
    options: KVBindingOptions = KVBindingOptions(), file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) {
    let url = try Self.url(named: name, in: directory)
    try self.init(contentsOf: url, owner: owner, target: target, options: options, file: file, line: line)
  }

  private static func url(named name: String, in directory: URL) throws(KVBindingFaults) -> URL {
    let names = [name] + fileExtensions.map { "\(name).\($0)" }
    var isDirectory: ObjCBool = false
    for name in names {
      let url = directory.appendingPathComponent(name)
      if FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), !isDirectory.boolValue {
        return url
      }
    }
    guard FileManager.default.fileExists(atPath: directory.path, isDirectory: &isDirectory), isDirectory.boolValue
    else {
      throw KVBindingFaults(KVBindingFault(.unreadableFile, "there is no directory \"\(directory.path)\"."))
    }
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    let suggestion =
      names.lazy.compactMap { Suggestion.nearest(to: $0, among: others) }.first
    let question = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
    let endings = fileExtensions.map { ".\($0)" }.joined(separator: ", ")
    throw KVBindingFaults(
      KVBindingFault(
        .unreadableFile, "there is no file \"\(name)\" in the directory, with or without \(endings).\(question)",
        knownNames: others, suggestion: suggestion))
  }
}

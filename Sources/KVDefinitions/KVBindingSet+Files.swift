import Foundation
import KVBinding
import KVCore
import KVDocuments

extension KVBindingSet {
  /// The extensions of files of definitions, in the order in which they are tried.
  private static let fileExtensions = ["json", "ilabs-bindings", "plist"]

  /// Reads a file of definitions, and binds the objects to which they lead from an owner, or from two objects.
  ///
  /// - Parameters:
  ///   - url: The file: JSON or a property list, which its content determines.
  ///   - owner: The root of the paths to sources and to targets.
  ///   - target: The root of the paths to targets; the owner by default.
  ///   - options: The options that definitions do not have: concurrency, tracing, policy and `allowsReflection`. Others
  ///     are a fault.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVBindingFaults``: the faults of the file, or of all definitions. Nothing is bound then.
  public convenience init(
    contentsOf url: URL, owner: AnyObject, target: AnyObject? = nil,
    options: KVBindingOptions = KVBindingOptions(), file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) {
    let data = try BindingDrafts.contents(of: url)
    do throws(KVBindingFaults) {
      let definitions = try KVBindingDefinitions(data: data).definitions
      let plan = BindingPlan(definitions, owner, target ?? owner, options, format: KVDocument.Format(of: data))
      try self.init(plan, Site(file, line))
    } catch {
      throw error.of(url.lastPathComponent)
    }
  }

  /// Finds a file of definitions by its name, and binds the objects to which they lead.
  ///
  /// - Parameters:
  ///   - name: The name of the file, with or without the extension `.json`, `.ilabs-bindings` or `.plist`.
  ///   - directory: The directory.
  ///   - owner: The root of the paths to sources and to targets.
  ///   - target: The root of the paths to targets; the owner by default.
  ///   - options: The options that definitions do not have: concurrency, tracing, policy and `allowsReflection`. Others
  ///     are a fault.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
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
    for name in names {
      let url = directory.appendingPathComponent(name)
      if FileManager.default.isDirectory(atPath: url.path) == false { return url }
    }
    guard FileManager.default.isDirectory(atPath: directory.path) == true else {
      throw KVBindingFaults(KVBindingFault(.unreadableFile, "there is no directory \"\(directory.path)\"."))
    }
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    let suggestion = names.lazy.compactMap { Suggestion.nearest(to: $0, among: others) }.first
    let endings = fileExtensions.map { ".\($0)" }.joined(separator: ", ")
    throw KVBindingFaults(
      KVBindingFault(
        .unreadableFile,
        """
        there is no file "\(name)" in the directory, with or without \(endings).\(Suggestion.question(suggestion))
        """, suggestion: suggestion))
  }
}

import Foundation
import KVBinding
import KVDefinitions
import KVDocuments

/// The files of binding definitions: those of the package, and those below a directory.
@MainActor final class DefinitionFiles {
  /// What the names of the package's files begin with, so that they hide no file of the directory.
  static let prefix = "package:"
  /// How many definitions a file may have: each becomes a binding in each window, and an observed object in the editor.
  static let definitionLimit = 500

  private let directory: URL
  /// The names that the page offers: the files of the package first.
  private(set) var names: [String]
  private let own: [String: URL]

  init(below directory: URL, _ offered: [String] = []) {
    self.directory = directory.resolvingSymlinksInPath().standardizedFileURL
    let folder = Bundle.module.url(forResource: "Bindings", withExtension: nil)
    let files = ["ColorPicker.json", "ColorPicker.ilabs-bindings"]
    own =
      folder.map { folder in
        Dictionary(uniqueKeysWithValues: files.map { (Self.prefix + $0, folder.appendingPathComponent($0)) })
      } ?? [:]
    names = files.map { Self.prefix + $0 } + offered
  }

  /// Returns the definitions of a file.
  ///
  /// - Throws: A ``Refusal`` with a sentence for each fault.
  func definitions(_ name: String) throws -> KVBindingDefinitions {
    let url = try place(of: name)
    let definitions: KVBindingDefinitions
    do { definitions = try KVBindingDefinitions(contentsOf: url) } catch { throw Self.refusal(name, error) }
    try Self.check(name, count: definitions.definitions.count)
    offer(name)
    return definitions
  }

  /// Throws a refusal of a file with too many definitions, before objects are made of them.
  func checkCount(_ name: String, _ url: URL) throws(Refusal) {
    // What is not a document is refused by its reader, with all that is wrong.
    guard let data = try? Data(contentsOf: url), let members = (try? KVDocument(data: data))?.root as? [String: Any]
    else { return }
    for entry in ["bindings", "ILBindings"] {
      try Self.check(name, count: (members[entry] as? [Any?])?.count ?? 0)
    }
  }

  private static func check(_ name: String, count: Int) throws(Refusal) {
    guard count > definitionLimit else { return }
    throw Refusal(
      422, "\(name.prefix(200)) has \(count) definitions, and the studio takes at most \(definitionLimit).")
  }

  /// Lets the page offer a file.
  func offer(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }

  /// Returns where a file is that is to be read: in the package, or below the directory.
  func place(of name: String) throws(Refusal) -> URL {
    if let url = own[name] { return url }
    return try url(name)
  }

  /// Returns where a file is to be written: below the directory, in a folder that exists.
  ///
  /// The file of a symbolic link is written, and the link stays.
  func target(_ name: String) throws(Refusal) -> URL {
    guard own[name] == nil else {
      throw Refusal(403, "\"\(name)\" belongs to the package. Save under another name.")
    }
    guard ["json", "plist", "ilabs-bindings"].contains((name as NSString).pathExtension) else {
      throw Refusal(422, "The name of the file ends in .json, .plist or .ilabs-bindings.")
    }
    try check(name)
    let link = directory.appendingPathComponent(name)
    let folder = link.deletingLastPathComponent().resolvingSymlinksInPath().standardizedFileURL
    let isInside = folder.path == directory.path || folder.path.hasPrefix(directory.path + "/")
    guard isInside, !link.lastPathComponent.hasPrefix(".") else { throw outside(name) }
    guard type(of: folder) == .typeDirectory else {
      throw Refusal(404, "There is no folder for \"\(name.prefix(200))\".")
    }
    let url = folder.appendingPathComponent(link.lastPathComponent)
    guard let type = type(of: url) else { return url }
    // What is there may be a link that leads elsewhere, or to nothing, or a folder.
    if type == .typeSymbolicLink, !FileManager.default.fileExists(atPath: url.path) {
      throw Refusal(403, "\"\(name.prefix(200))\" is a symbolic link to a file that does not exist.")
    }
    return try self.url(name)
  }

  /// Returns the file of a path below the directory; neither ".." nor a symbolic link leads out of it.
  func url(_ path: String, atMost limit: Int = 4 << 20) throws(Refusal) -> URL {
    try check(path)
    let url = directory.appendingPathComponent(path).resolvingSymlinksInPath().standardizedFileURL
    guard url.path.hasPrefix(directory.path + "/") else { throw outside(path) }
    guard let type = type(of: url), type != .typeDirectory else {
      throw Refusal(404, "There is no file \"\(path.prefix(200))\".")
    }
    // To read a pipe or a device may take for ever.
    guard type == .typeRegular else { throw Refusal(403, "\"\(path.prefix(200))\" is not a regular file.") }
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
    guard size <= limit else {
      throw Refusal(413, "The file \"\(path.prefix(200))\" is longer than \(limit >> 20) MB.")
    }
    return url
  }

  /// Returns a text that differs if the content of a file does; nil if there is no file.
  func version(of url: URL) -> String? {
    guard type(of: url) == .typeRegular, let data = try? Data(contentsOf: url) else { return nil }
    // FNV-1a: it tells apart what happens, not what somebody contrives.
    let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(data.count)-\(String(hash, radix: 16))"
  }

  /// Returns what is at a place; it does not follow a link.
  private func type(of url: URL) -> FileAttributeType? {
    try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
  }

  private func check(_ path: String) throws(Refusal) {
    guard path.utf8.count <= 1000, !path.utf8.contains(0) else {
      throw Refusal(422, "The name of a file has at most 1000 bytes, and none that is zero.")
    }
    guard !path.hasPrefix("/") else { throw outside(path) }
  }

  private func outside(_ path: String) -> Refusal {
    Refusal(403, "\"\(path.prefix(200))\" is not below the directory of the studio.")
  }

  static func refusal(_ name: String, _ faults: KVBindingFaults) -> Refusal {
    let isCut = faults.faults.last?.code == .limitExceeded
    let count = faults.faults.count - (isCut ? 1 : 0)
    return Refusal(
      422,
      "\(name.prefix(200)) has \(isCut ? "more than " : "")\(count) fault\(count == 1 ? "" : "s"), and is not used.",
      details: faults.faults.map(\.description))
  }
}

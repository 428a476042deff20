import Foundation
import KVBinding

/// The files of binding definitions: those of the package, and those below a directory.
@MainActor final class DefinitionFiles {
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
        Dictionary(uniqueKeysWithValues: files.map { ($0, folder.appendingPathComponent($0)) })
      } ?? [:]
    names = files + offered
  }

  /// Returns the definitions of a file.
  ///
  /// - Throws: A ``Refusal`` with a sentence for each fault.
  func definitions(_ name: String) throws -> KVBindingDefinitions {
    let url = try place(of: name)
    do {
      let definitions = try KVBindingDefinitions(contentsOf: url)
      offer(name)
      return definitions
    } catch { throw Self.refusal(name, error) }
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
  func target(_ name: String) throws(Refusal) -> URL {
    guard own[name] == nil else {
      throw Refusal(403, "\"\(name)\" belongs to the package. Save under another name.")
    }
    guard ["json", "plist", "ilabs-bindings"].contains((name as NSString).pathExtension) else {
      throw Refusal(422, "The name of the file ends in .json, .plist or .ilabs-bindings.")
    }
    let link = directory.appendingPathComponent(name)
    let folder = link.deletingLastPathComponent().resolvingSymlinksInPath().standardizedFileURL
    let isInside = folder.path == directory.path || folder.path.hasPrefix(directory.path + "/")
    guard !name.hasPrefix("/"), isInside, !name.utf8.contains(0), !link.lastPathComponent.hasPrefix(".") else {
      throw Refusal(403, "\"\(name.prefix(200))\" is not below the directory of the studio.")
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw Refusal(404, "There is no folder for \"\(name.prefix(200))\".")
    }
    let url = folder.appendingPathComponent(link.lastPathComponent)
    // An existing file may be a link that leads elsewhere, or a folder.
    return FileManager.default.fileExists(atPath: url.path) ? try self.url(name) : url
  }

  /// Returns the file of a path below the directory; neither ".." nor a symbolic link leads out of it.
  func url(_ path: String) throws(Refusal) -> URL {
    let url = directory.appendingPathComponent(path).resolvingSymlinksInPath().standardizedFileURL
    guard !path.hasPrefix("/"), url.path.hasPrefix(directory.path + "/"), !path.utf8.contains(0) else {
      throw Refusal(403, "\"\(path.prefix(200))\" is not below the directory of the studio.")
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), !isDirectory.boolValue else {
      throw Refusal(404, "There is no file \"\(path.prefix(200))\".")
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
    guard size <= 4 << 20 else { throw Refusal(413, "The file \"\(path.prefix(200))\" is longer than 4 MB.") }
    return url
  }

  static func refusal(_ name: String, _ faults: KVBindingFaults) -> Refusal {
    let count = faults.faults.count
    return Refusal(
      422, "\(name.prefix(200)) has \(count) fault\(count == 1 ? "" : "s"), and is not used.",
      details: faults.faults.map(\.description))
  }
}

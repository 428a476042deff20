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
    let url = try own[name] ?? url(name)
    do {
      let definitions = try KVBindingDefinitions(contentsOf: url)
      if !names.contains(name) { names.append(name) }
      return definitions
    } catch { throw Self.refusal(name, error) }
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

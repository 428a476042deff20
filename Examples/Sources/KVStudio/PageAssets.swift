import Foundation

/// The files of the page: those that the package contains, found by name.
///
/// No name leads out of their folder.
struct PageAssets: Sendable {
  private let files: [String: (data: Data, type: String)]

  init() {
    let types = [
      "html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml",
    ]
    let folder = Bundle.module.url(forResource: "Page", withExtension: nil)
    let urls = folder.flatMap { try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
    var files: [String: (data: Data, type: String)] = [:]
    for url in urls ?? [] {
      guard let type = types[url.pathExtension], let data = try? Data(contentsOf: url) else { continue }
      files["/" + url.lastPathComponent] = (data, type)
    }
    files["/"] = files.removeValue(forKey: "/index.html")
    self.files = files
  }

  /// The paths of the files.
  var paths: Set<String> { Set(files.keys) }

  func response(_ path: String) -> Response? { files[path].map { Response($0.data, type: $0.type) } }
}

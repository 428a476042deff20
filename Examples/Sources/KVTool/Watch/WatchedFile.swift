import Foundation

/// A file that is looked at again and again: whoever writes it, in place or by putting another one there.
struct WatchedFile {
  /// What tells one state of a file from another, without reading it.
  private struct Signature: Equatable {
    let modification: Date?
    let size: Int?
    let number: Int?
  }

  let name: String
  private var signature: Signature?
  private var data: Data?

  init(_ name: String) { self.name = name }

  /// Returns what is in the file now; nil if there is none, or none that can be read.
  ///
  /// A file that was written within the last second may be written again without a trace in its signature, so it is read
  /// again at the next look.
  mutating func contents() -> Data? {
    let file = URL(fileURLWithPath: name).resolvingSymlinksInPath()
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else {
      (signature, data) = (nil, nil)
      return nil
    }
    let found = Signature(
      modification: attributes[.modificationDate] as? Date, size: (attributes[.size] as? NSNumber)?.intValue,
      number: (attributes[.systemFileNumber] as? NSNumber)?.intValue)
    if let signature, found == signature { return data }
    // Not mapped: a file that is cut short while it is mapped ends the process.
    data = try? Data(contentsOf: file)
    let isSettled = found.modification.map { abs($0.timeIntervalSinceNow) > 1 } ?? false
    signature = isSettled ? found : nil
    return data
  }
}

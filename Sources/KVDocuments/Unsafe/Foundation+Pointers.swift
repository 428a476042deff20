import Foundation
import KVCore

// Functions of Foundation that return results in memory which they are passed.

extension FileManager {
  /// Returns whether a path leads to a directory; nil if it leads to nothing.
  package func isDirectory(atPath path: String) -> Bool? {
    var isDirectory: ObjCBool = false
    return fileExists(atPath: path, isDirectory: &isDirectory) ? isDirectory.boolValue : nil
  }
}

extension PropertyListSerialization {
  /// Returns the content of a property list, and its format.
  static func content(of data: Data) throws -> (tree: Any, format: PropertyListFormat) {
    var format = PropertyListFormat.xml
    let tree = try propertyList(from: data, options: [], format: &format)
    return (tree, format)
  }
}

extension NSNumber {
  /// The code of the number's type in C, as Objective-C encodes it.
  var typeCode: String { String(cString: objCType) }
}

// Prints the properties that the scanner finds: for each line of input, a file and the first and last byte of a type.
import Foundation

while let line = readLine() {
  let parts = line.split(separator: "\t").map(String.init)
  guard parts.count == 3, let start = Int(parts[1]), let end = Int(parts[2]),
    let data = FileManager.default.contents(atPath: parts[0])
  else { fatalError("no such type: \(line)") }
  let declaration = TypeDeclaration(String(decoding: data[start..<min(end, data.count)], as: UTF8.self))
  var depth = 0
  var properties: [[String: Any]] = []
  for member in declaration.members {
    switch member {
    case .condition(let text): depth += text.hasPrefix("#if") ? 1 : text.hasPrefix("#endif") ? -1 : 0
    case .property(let property):
      properties.append([
        "name": property.name, "let": property.isConstant, "stored": property.isStored, "static": property.isStatic,
        "observers": property.accessors.hasObservers, "conditional": depth > 0,
      ])
    case .function, .type: break
    }
  }
  let json = try JSONSerialization.data(withJSONObject: properties)
  print(String(decoding: json, as: UTF8.self))
  fflush(nil)
}

import ArgumentParser
import Foundation

/// The option that names the document.
struct FileOption: ParsableArguments {
  @Option(name: .shortAndLong, help: "The document, instead of the last argument.")
  var file: String?

  /// Returns the document's name, which is given once.
  func name(orArgument argument: String?) throws -> String? {
    if let argument, file != nil {
      throw ValidationError("The document is given twice: as \"\(argument)\" and with '--file'.")
    }
    return file ?? argument
  }

  /// Returns ` "…" is a file: did you mean --file …?` for a path that is the name of a file; nothing for any other.
  static func hint(for path: String) -> String {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else {
      return ""
    }
    return " \"\(path)\" is a file: did you mean --file \(path)?"
  }

  /// Runs a function, and adds the hint for a path to its failure.
  static func hinting<Value>(for path: String?, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let failure as ToolFailure {
      throw failure.appending(path.map(hint) ?? "")
    }
  }
}

/// The document: the last argument, or an option.
struct DocumentOption: ParsableArguments {
  @Argument(help: "The document; standard input if it is left out or \"-\".")
  var document: String?

  @OptionGroup var option: FileOption

  func validate() throws { _ = try option.name(orArgument: document) }

  /// The document's name; nil for standard input.
  var file: String? { (document ?? option.file).flatMap { $0 == "-" ? nil : $0 } }
}

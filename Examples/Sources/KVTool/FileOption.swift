import ArgumentParser

/// The option that names the document.
struct FileOption: ParsableArguments {
  @Option(name: .shortAndLong, help: "The document; standard input if it is left out or \"-\".")
  var file: String?
}

import ArgumentParser
import Foundation
import KVBinding
import KVQuery

/// `kv query`: prints the rows of an array or an object as a table.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints a table of what is in an array or an object: filtered, sorted and grouped.",
    discussion: """
      The document may also stand before the path. The rows are the elements of an array, or the members of an object, each with a "key" and a "value". A row that is not \
      an object is "self".

      --where takes a condition as NSPredicate has it: "price > 2 AND ANY tags == 'hot'". --sort takes key paths between \
      commas, with a sign or words behind a colon: "-price,name:natural". The words are ascending, descending, natural, \
      caseInsensitive, localized, nullsFirst and nullsLast. Groups come in the order of their first rows.

      Text cuts cells at 60 columns. JSON lines are the rows, or with --group one object a group: its key, its count and \
      its elements. CSV is that of RFC 4180, with the group in the first column; null is an empty field.
      """)

  @Argument(help: "The key path of the array or the object; the whole document if it is left out.")
  var path: String?

  @OptionGroup var source: DocumentOption

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Print only the rows that meet a condition.", valueName: "format"))
  var condition: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Sort by these, the most important one first.", valueName: "keys"))
  var sort: String?

  @Option(help: ArgumentHelp("Group the rows by the value of a key path.", valueName: "key"))
  var group: String?

  @Option(help: ArgumentHelp("The columns; all keys of the rows if it is left out.", valueName: "keys"))
  var select: String?

  @Option(name: .shortAndLong, help: "The form of the table: text, jsonl or csv.")
  var output = OutputFormat.text

  @Option(
    help: ArgumentHelp(
      """
      Refuse a condition that reads other keys than these, calls a function, uses MATCHES or SUBQUERY, or is longer than 10,000 \
      characters: for one that somebody else wrote.
      """, valueName: "keys"))
  var permit: String?

  @Flag(help: "Say on standard error how far the work is, even if that is not a terminal.")
  var progress = false

  func run() throws {
    let progress = Progress(isAskedFor: progress)
    defer { progress.finish() }
    // The options come first: reading may take long.
    let query = try Query(self)
    let (path, file) = arguments
    let text = try FileOption.hinting(for: path) { try query.text(of: try Self.rows(path, file, progress), progress) }
    progress.finish()
    StandardStreams.write(Data(text.utf8))
  }

  /// The key path, and the document, which may stand before it.
  private var arguments: (path: String?, file: String?) {
    if let path, let document = source.document, Self.isFile(path), !Self.isFile(document) {
      return (document, path == "-" ? nil : path)
    }
    return (path, source.file)
  }

  private static func isFile(_ name: String) -> Bool { name == "-" || FileManager.default.fileExists(atPath: name) }

  private static func rows(_ path: String?, _ file: String?, _ progress: Progress) throws -> QueryRows {
    let parsed = try path.map { try DocumentPath($0) } ?? DocumentPath("@self" as KVKeyPath)
    let source = try DocumentSource(file, besidePath: path, progress: progress)
    progress.begin("reading \(source.name)")
    return try QueryRows(try parsed.value(in: try source.excerpt(of: parsed.path)), at: path)
  }
}

/// The options of `kv query`, parsed.
private struct Query {
  private static let longest = 10_000

  private let predicate: KVPredicate?
  private let descriptors: [KVSortDescriptor]
  private let group: KVKeyPath?
  private let columns: [KVKeyPath]?
  private let output: OutputFormat

  init(_ command: QueryCommand) throws(ToolFailure) {
    predicate = try Self.predicate(command)
    descriptors =
      try command.sort.map { text throws(ToolFailure) in
        try KeyList(option: "sort", text: text).descriptors()
      } ?? []
    group = try command.group.map { text throws(ToolFailure) in try KeyList(option: "group", text: text).path() }
    columns = try command.select.map { text throws(ToolFailure) in
      try KeyList(option: "select", text: text).paths()
    }
    output = command.output
  }

  private static func predicate(_ command: QueryCommand) throws(ToolFailure) -> KVPredicate? {
    guard let format = command.condition else { return nil }
    if command.permit != nil, format.utf8.count > longest {
      throw ToolFailure("--where: the condition has more than \(longest) characters.")
    }
    let permitted = try command.permit.map { text throws(ToolFailure) in
      try KeyList(option: "permit", text: text).paths()
    }
    do throws(KVError) {
      let predicate = try KVPredicate(format: format)
      return try permitted.map { paths throws(KVError) in try predicate.limited(toKeyPaths: paths) } ?? predicate
    } catch {
      // What a program would pass instead is of no use here.
      let message = error.message.replacing(#/(, or|, so) pass allows[A-Z][a-z]+: true/#, with: "")
      throw ToolFailure("--where: \(message)", at: error.offset, of: format)
    }
  }

  /// Returns the table of rows.
  func text(of rows: QueryRows, _ progress: Progress) throws(ToolFailure) -> String {
    var rows = rows
    let all = columns ?? rows.keys
    for path in (predicate?.keyPaths.sorted() ?? []) + (columns ?? []) { try rows.check(path) }
    for path in descriptors.map(\.keyPath) + (group.map { [$0] } ?? []) { try rows.check(path) }
    if let predicate { try rows.filter(predicate, progress) }
    if !descriptors.isEmpty { try rows.sort(by: descriptors, progress) }
    var groups = [QueryTable.Group(key: nil, rows: rows.values)]
    if let group { groups = try rows.grouped(by: group, progress).map { .init(key: $0.key, rows: $0.elements) } }
    let table = QueryTable(columns: columns, grouping: group, groups: groups, progress)
    switch output {
    case .text: return try table.text(all)
    case .jsonl: return try table.jsonLines()
    case .csv: return try table.csv(all)
    }
  }
}

import ArgumentParser

/// The form in which a query is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// Aligned columns.
  case text
  /// One JSON value a line.
  case jsonl
  /// Comma-separated values, as in RFC 4180.
  case csv
}

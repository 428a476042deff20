import KVBinding

/// Observes a document, and collects what happens to it as lines.
final class DocumentWatch {
  let document: KVRecord
  private let journal = WatchJournal()
  private var watches: [AnyObject] = []

  /// Begins to observe.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - paths: What is observed of it; all of it if there are none.
  /// - Throws: `KVError` for a path that cannot be observed.
  init(_ document: KVRecord, paths: [KVKeyPath] = []) throws(KVError) {
    self.document = document
    if paths.isEmpty { watches = [RecordWatch(document, Location(components: []), journal)] }
    for path in paths {
      watches.append(try PathWatch(document, path, Location(components: path.components), journal))
    }
  }

  /// Gives the document the content of another one, and returns what was heard of it.
  func merge(_ new: KVRecord) throws(KVError) -> [WatchLine] {
    let merge = DocumentMerge { [journal] record, key in journal.willAdd(key, to: record) }
    // What operators compute is of interest once everything is done.
    try KVCoalescing.coalesce { () throws(KVError) in try merge.merge(new, into: document) }
    return journal.takeLines()
  }
}

/// What the watches of a document share.
final class WatchJournal {
  private var lines: [WatchLine] = []
  /// The watches of each record: for keys that it gets.
  private var records: [ObjectIdentifier: [Weak]] = [:]

  private struct Weak {
    weak var watch: RecordWatch?
  }

  func record(_ line: WatchLine) { lines.append(line) }

  func takeLines() -> [WatchLine] {
    defer { lines = [] }
    return lines
  }

  func willAdd(_ key: String, to record: KVRecord) {
    for entry in records[ObjectIdentifier(record)] ?? [] { entry.watch?.add(key) }
  }

  func register(_ watch: RecordWatch) {
    records[ObjectIdentifier(watch.record), default: []].append(Weak(watch: watch))
  }

  func unregister(_ record: KVRecord) {
    let id = ObjectIdentifier(record)
    records[id]?.removeAll { $0.watch == nil }
    if records[id]?.isEmpty == true { records[id] = nil }
  }
}

/// Observes every key of a record, and what is in their values.
final class RecordWatch {
  let record: KVRecord
  let location: Location
  private let journal: WatchJournal
  private var members: [String: PathWatch] = [:]

  init(_ record: KVRecord, _ location: Location, _ journal: WatchJournal) {
    self.record = record
    self.location = location
    self.journal = journal
    for key in record.keys { add(key) }
    journal.register(self)
  }

  deinit { journal.unregister(record) }

  /// Observes a key, unless it is observed already.
  func add(_ key: String) {
    guard members[key] == nil else { return }
    let memberLocation = Location(location, components: [.member(key)])
    do throws(KVError) {
      // An entry, since the path `self` would be the record itself.
      members[key] = try PathWatch(record, try KVKeyPath(components: [.entry(key)]), memberLocation, journal)
    } catch {
      // Any key of a record can be observed.
      assertionFailure("\(error)")
    }
  }
}

/// Observes a path of a record, and what is in its value.
final class PathWatch {
  private let location: Location
  private let journal: WatchJournal
  private var token: KVObservation?
  /// The watch of the object that stands there, or of those of its elements that are objects.
  private var content: Content = .value

  private enum Content {
    case value
    case object(RecordWatch)
    case elements([RecordWatch?])
  }

  init(_ record: KVRecord, _ path: KVKeyPath, _ location: Location, _ journal: WatchJournal) throws(KVError) {
    self.location = location
    self.journal = journal
    token = try Self.observe(record, path) { [unowned self] change in handle(change) }
  }

  private static func observe(
    _ record: KVRecord, _ path: KVKeyPath, _ handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let options: KVObservingOptions = path.computes ? [.old, .new, .distinct, .coalesced] : [.old, .new, .initial]
    return try record.observe(path, options: options, handler: handler)
  }

  private func handle(_ change: KVChange) {
    if change.isInitial { return watch(change.new) }
    switch change.kind {
    case .setting: set(change.old, change.new)
    case .insertion: insert(change.new as? [Any?] ?? [], at: change.indexes ?? [])
    case .removal: remove(change.old as? [Any?] ?? [], at: change.indexes ?? [])
    case .replacement:
      replace(change.old as? [Any?] ?? [], with: change.new as? [Any?] ?? [], at: change.indexes ?? [])
    }
  }

  private func set(_ old: Any?, _ new: Any?) {
    guard let path = location.path(), DocumentContent(old) != DocumentContent(new) else { return watch(new) }
    switch (old, new) {
    case (nil, let new): journal.record(.appeared(path, new))
    case (let old, nil): journal.record(.disappeared(path, old))
    case (let old, let new): journal.record(.changed(path, old: old, new: new))
    }
    watch(new)
  }

  private func insert(_ new: [Any?], at indexes: [Int]) {
    for (index, element) in zip(indexes, new) {
      if let path = location.path(.index(index)) { journal.record(.appeared(path, element)) }
    }
    changeElements { watches in
      for (index, element) in zip(indexes, new) { watches.insert(watch(element: element, at: index), at: index) }
    }
  }

  private func remove(_ old: [Any?], at indexes: [Int]) {
    // From the end, so that each line is right for the document as the lines above have left it, too.
    for (index, element) in zip(indexes, old).reversed() {
      if let path = location.path(.index(index)) { journal.record(.disappeared(path, element)) }
    }
    changeElements { watches in
      for index in indexes.reversed() { watches.remove(at: index) }
    }
  }

  private func replace(_ old: [Any?], with new: [Any?], at indexes: [Int]) {
    for (index, (before, after)) in zip(indexes, zip(old, new)) {
      if let path = location.path(.index(index)) { journal.record(.changed(path, old: before, new: after)) }
    }
    changeElements { watches in
      for (index, element) in zip(indexes, new) { watches[index] = watch(element: element, at: index) }
    }
  }

  // MARK: What is in the value

  private func watch(_ value: Any?) {
    switch value {
    case let record as KVRecord: content = .object(RecordWatch(record, Location(location, components: []), journal))
    case let array as [Any?] where ValueKind(value) == .array:
      content = .elements(array.enumerated().map { watch(element: $1, at: $0) })
    default: content = .value
    }
  }

  private func watch(element: Any?, at index: Int) -> RecordWatch? {
    (element as? KVRecord).map { RecordWatch($0, Location(location, components: [.index(index)]), journal) }
  }

  private func changeElements(_ change: (inout [RecordWatch?]) -> Void) {
    guard case .elements(var watches) = content else { return }
    change(&watches)
    for (index, watch) in watches.enumerated() { watch?.location.components = [.index(index)] }
    content = .elements(watches)
  }
}

extension KVKeyPath {
  /// Whether an operator is in it.
  var computes: Bool { components.contains { if case .operator = $0 { true } else { false } } }
}

import KVCore

/// The drafts of a file, whatever is wrong with it: what an editor opens and saves (DEF.2).
///
/// Only a file that is no document of definitions at all, or that a later version wrote, is refused. All else is read
/// as far as it goes: what is missing or of another type is as in a blank draft, and ``faults`` tells of it.
public struct KVBindingDrafts: Sendable, Hashable {
  /// The drafts, in the order of the file; a blank one for what is no definition.
  public var drafts: [KVBindingDraft]
  /// What was wrong with the file as it was read; nothing is added or taken away later.
  public let faults: [KVBindingFault]

  package init(_ drafts: [KVBindingDraft] = []) {
    self.drafts = drafts
    faults = []
  }

  init(_ reader: DefinitionReader) throws(KVBindingFaults) {
    guard reader.isReadable else { throw KVBindingFaults(reader.faults) }
    drafts = reader.drafts
    faults = reader.faults
  }
}

import KVBinding
import KVCore
import TestModels
import Testing

@Suite("BND.9: the order of an object's bindings")
struct BindingOrderTests {
  private let field = Field()
  private let songs = (0..<40).map { _ in Song() }

  /// The numbers of the songs whose bindings are reported to have ended.
  private func ended(_ body: () throws -> Void) rethrows -> [Int] {
    try capturingEvents(level: .error, body).filter { $0.message.hasSuffix(": ended") }
      .compactMap { event in songs.firstIndex { ObjectIdentifier($0) == event.object } }
  }

  @Test("BND.1: edits are committed in the order in which the bindings were made")
  func commits() throws {
    var order: [Int] = []
    var tokens: [KVObservation] = []
    for (number, song) in songs.enumerated() {
      try field.bind(
        "title", to: "title", of: song, options: .init(.twoWay, initialSync: .none, trigger: .onCommit))
      tokens.append(try song.observe("title", options: []) { _ in order.append(number) })
    }
    field.title = "draft"
    #expect(order.isEmpty)
    try field.commitEditing()
    #expect(order == Array(songs.indices))
    for token in tokens { token.cancel() }
  }

  @Test("BND.9: bindings end in the order in which they were made")
  func ends() throws {
    let options = KVBindingOptions(isTraced: true)
    func bind() throws {
      for song in songs { try field.bind("title", to: "title", of: song, options: options) }
    }
    try bind()
    let ofPath = try ended { try field.unbind("title") }
    #expect(ofPath == Array(songs.indices))
    try bind()
    let all = ended { field.unbindAll() }
    #expect(all == Array(songs.indices))
  }
}

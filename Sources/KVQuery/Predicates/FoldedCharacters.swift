import KVCore

/// The characters of a text, as they are folded.
struct FoldedCharacters: SearchedText {
  private var characters: [Character] = []
  /// Where the character of the text ends that begins with each folded one; zero for the others.
  private var ends: [Int] = []

  /// Creates the characters of a folded text.
  init(folded text: String) { characters = Array(text) }

  /// Creates the characters of a text that is folded character by character.
  init(_ text: String, _ options: KVTextOptions) {
    for character in text {
      let folded = TextFolding.fold(String(character), options)
      if folded.isEmpty { continue }
      let start = characters.count
      characters += folded
      ends += repeatElement(0, count: characters.count - start)
      ends[start] = characters.count
    }
  }

  var count: Int { characters.count }

  subscript(index: Int) -> Character { characters[index] }

  func firstIndex(of element: Character, in range: ClosedRange<Int>) -> Int? {
    characters[range].firstIndex(of: element)
  }

  func characterEnd(from index: Int) -> Int? { ends[index] == 0 ? nil : ends[index] }

  func characterStart(before index: Int) -> Int? {
    var start = index - 1
    while start > 0, ends[start] == 0 { start -= 1 }
    return start >= 0 && ends[start] == index ? start : nil
  }

  /// Whether the text ends with characters.
  func ends(with others: [Character]) -> Bool {
    others.count <= count && characters.suffix(others.count) == others[...]
  }
}

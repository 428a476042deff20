import KVBinding
import Testing

@testable import KVStudio

@MainActor @Suite("People are shown by a few cells, which are used again")
struct PeopleTests {
  private func cells(_ part: PeoplePart, _ first: Int, _ count: Int) throws -> [[String: Any]] {
    let answer = try part.perform("scroll", ["first": first, "count": count], in: "a")
    return (answer["cells"] as? [[String: Any]] ?? []).filter { $0["row"] is Int }
  }

  private func part() throws -> PeoplePart {
    let part = PeoplePart(count: 200)
    part.open("a")
    return part
  }

  @Test("A cell shows the person of its row, however far the list scrolls")
  func scrolling() throws {
    let part = try part()
    for first in [0, 3, 100, 195, 0, 50, 47] {
      let cells = try cells(part, first, 12)
      #expect(cells.count == min(12, 200 - first))
      for cell in cells {
        let row = try #require(cell["row"] as? Int)
        let person = part.model.people[row]
        #expect(cell["name"] as? String == person.name && cell["team"] as? String == person.team)
        #expect(cell["color"] as? String == person.color)
        #expect(cell["fraction"] as? Double == Double(person.progress) / 100)
        #expect(cell["progress"] as? String == "In progress: \(person.progress) %")
      }
      #expect(Set(cells.compactMap { $0["row"] as? Int }) == Set(first..<min(200, first + 12)))
      #expect((cells.compactMap { $0["cell"] as? Int }.max() ?? 0) < 12)
    }
  }

  @Test("A row that stays on the screen keeps its cell")
  func staying() throws {
    let part = try part()
    let before = try cells(part, 10, 10)
    let after = try cells(part, 12, 10)
    for cell in before where (cell["row"] as? Int ?? 0) >= 12 {
      #expect(after.contains { $0["row"] as? Int == cell["row"] as? Int && $0["cell"] as? Int == cell["cell"] as? Int })
    }
  }

  @Test("Only the cells whose person changes are published; a cell that was used again follows the new person alone")
  func live() throws {
    let (part, hub) = (try part(), EventHub())
    _ = try cells(part, 0, 10)
    _ = try cells(part, 100, 10)
    part.publishChanges(to: hub)
    let position = hub.position
    part.model.people[105].name = "Margaret Hamilton"
    part.publishChanges(to: hub)
    guard case .events(let text, _) = hub.events(for: "a", after: position) else { throw Refusal(500, "lost") }
    #expect(text.contains("Margaret Hamilton") && text.components(separatedBy: "\"cell\"").count == 2)
    let end = hub.position
    part.model.people[5].name = "Nobody"
    part.publishChanges(to: hub)
    #expect(hub.position == end)
  }

  @Test("An edit is validated, and refused with a sentence")
  func editing() throws {
    let part = try part()
    let answer = try part.perform("edit", ["row": 3, "key": "name", "value": "  Ada   Lovelace "], in: "a")
    #expect(answer["name"] as? String == "Ada Lovelace" && part.model.people[3].name == "Ada Lovelace")
    for (body, words) in [
      (["row": 3, "key": "name", "value": " "], "has a name"),
      (["row": 3, "key": "progress", "value": 101], "0 to 100"),
      (["row": 3, "key": "progress", "value": "x"], "Int"), (["row": 3, "key": "progress"], "nil"),
      (["row": 200, "key": "name", "value": "x"], "no such row"),
      (["row": -1, "key": "name", "value": "x"], "no such row"),
      (["row": 3, "key": "color", "value": "x"], "can be edited"),
    ] as [([String: Any], String)] {
      do {
        _ = try part.perform("edit", body, in: "a")
        Issue.record("\(body) is accepted")
      } catch {
        let sentence = (error as? Refusal)?.sentence ?? (error as? KVError)?.message ?? "\(error)"
        #expect(sentence.contains(words), "\(sentence)")
      }
    }
    #expect(part.model.people[3].name == "Ada Lovelace")
    let late: [String: Any] = ["row": 3, "key": "name", "value": "Grace", "base": "Alan"]
    let refusal = try #require(throws: Refusal.self) { try part.perform("edit", late, in: "a") }
    #expect(refusal.status == 409 && refusal.sentence.contains("\"Ada Lovelace\" meanwhile"))
    let progress: [String: Any] = ["row": 3, "key": "progress", "value": 7, "base": "\(part.model.people[3].progress)"]
    _ = try part.perform("edit", progress, in: "a")
    #expect(part.model.people[3].progress == 7 && part.model.people[3].name == "Ada Lovelace")
    let bodies: [[String: Any]] = [
      ["first": -1, "count": 5], ["first": 0, "count": 61], ["first": 0.5, "count": 5], [:],
    ]
    for body in bodies {
      #expect(throws: Refusal.self) { try part.perform("scroll", body, in: "a") }
    }
    #expect(try cells(part, .max, 10).isEmpty)
  }

  @Test("They work while a window is open; the mean follows")
  func working() throws {
    let part = try part()
    _ = try part.perform("work", ["isOn": true], in: "a")
    let before = part.model.people.map(\.progress)
    for _ in 0..<60 { part.tick() }
    #expect(part.model.people.map(\.progress) != before)
    #expect(part.model.people.allSatisfy { (0...100).contains($0.progress) })
    part.close("a")
    let stopped = part.model.people.map(\.progress)
    for _ in 0..<60 { part.tick() }
    #expect(part.model.people.map(\.progress) == stopped)
  }
}

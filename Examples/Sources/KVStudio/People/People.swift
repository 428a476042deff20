import KVBinding

/// The model of the list.
@KVModel final class People: KVObject {
  var people: [Person]
  @KVKey(.affected(by: "people.@avg.progress")) var meanProgress: Int {
    people.isEmpty ? 0 : people.reduce(0) { $0 + $1.progress } / people.count
  }

  /// Makes as many people as are wanted; always the same ones.
  init(count: Int) {
    let first = "Alex Jess Andy Ada Grace Barbara Alan Edsger Radia Ken Frances Donald".split(separator: " ")
    let last = "Rawss Wilson Hammerhands Byron Hopper Liskov Kay Perlman Allen Thompson Knuth".split(separator: " ")
    let teams = ["Design", "Engine", "Field", "Support"]
    let colors = ["#D1242F", "#1A7F37", "#0969DA", "#BF8700", "#8250DF", "#BC4C00", "#1B7C83", "#BF3989"]
    people = (0..<count).map { number in
      let name = "\(first[number % first.count]) \(last[number / first.count % last.count])"
      return Person(
        number < 132 ? name : "\(name) \(number / 132 + 1)",
        team: teams[number * 7 / 3 % teams.count], progress: number * 37 % 101, color: colors[number % colors.count])
    }
  }
}

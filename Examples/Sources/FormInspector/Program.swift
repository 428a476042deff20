import KVBinding

/// A form for a model, edited as a user would.
@main enum Program {
  static func main() throws {
    let track = Track()
    let form = try Form(for: track)
    print(form.lines.joined(separator: "\n"))

    form["seconds"]?.text = "10:43"
    form["medium"]?.text = "tape"
    form["isFavourite"]?.text = "no"
    form["rating"]?.text = ""
    track.title = "Blue Train (mono)"
    print(form.lines.joined(separator: "\n"))
    print("valid:", form.isValid)

    form["seconds"]?.text = "600"
    print("valid:", form.isValid, "·", track.length, "·", track.medium, track.isFavourite, track.rating as Any)
  }
}

import Foundation
import GRDB
import KVControllers

@KVModel final class Song: KVObject {
  var id: Int64?
  var title = ""
  var year: Int? = 1959
  var label: String { "\(title) (\(year.map(String.init) ?? "-"))" }

  convenience init(_ title: String) {
    self.init()
    self.title = title
  }
}

@KVModel final class Odd: KVObject {
  var id: Int64?
  var friends: [Song] = []
}

@KVModel final class Field: KVObject {
  var text = ""
}

@KVModel final class Plan: KVObject {
  var key = ""
  var day = Date.now
  var isDone = false
  var weight = 1.5
  var level = Level.low
  var note = "" { didSet { note = note.trimmingCharacters(in: .whitespaces) } }
}

enum Level: String, DatabaseValueConvertible { case low, high }

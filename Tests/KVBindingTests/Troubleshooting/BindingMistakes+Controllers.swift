import KVBinding
import KVControllers
import TestModels
import Testing

extension BindingMistakes {
  static let controllers: [BindingMistake] = [
    BindingMistake(
      "A controller that can make no object", #"try KVArrayController<Song>().add()"#,
      "The closure is called by each `add()` and `insert()`."
    ) {
      try KVArrayController<Song>().add()
    } cure: {
      let list = KVArrayController { Song() }
      try list.add()
      check(list.arrangedObjects.count == 1)
    },
    BindingMistake(
      "A row that is not there", #"try list.remove(at: [3])"#,
      "Indexes are those of `arrangedObjects`, of which the filter hides some."
    ) {
      let list = KVArrayController { Song() }
      try list.remove(at: [3])
    } cure: {
      let list = KVArrayController { Song() }
      try list.add()
      try list.remove(at: [0])
      check(list.arrangedObjects.isEmpty)
    },
    BindingMistake(
      "A controller that is not editable", #"list.isEditable = false; try list.add(song)"#,
      "`canAdd`, `canInsert` and `canRemove` say so before: bind the buttons to them."
    ) {
      let list = KVArrayController { Song() }
      list.isEditable = false
      try list.add(Song())
    } cure: {
      let list = KVArrayController { Song() }
      list.isEditable = false
      check(!list.canAdd)
    },
    BindingMistake(
      "A slip in a path through the selection", #"try list.setValue("Blue", forKeyPath: "selection.tilte")"#,
      "An observation of such a path is not refused, since the selection may change: it receives `notApplicable`."
    ) {
      let list = KVArrayController { Song() }
      try list.add()
      try list.setValue("Blue", forKeyPath: "selection.tilte")
    } cure: {
      let list = KVArrayController { Song() }
      try list.add()
      try list.setValue("Blue", forKeyPath: "selection.title")
      check(list.arrangedObjects[0].title == "Blue")
    },
    BindingMistake(
      "Setting a key of nothing", #"try list.setValue("Blue", forKeyPath: "selection.title")   // nothing is selected"#,
      "A binding does not write then; its `isEditable` is false."
    ) {
      let list = KVArrayController { Song() }
      try list.setValue("Blue", forKeyPath: "selection.title")
    } cure: {
      let (list, label) = (KVArrayController { Song() }, Label())
      let binding = try label.bind("text", to: "selection.title", of: list, options: .init(.twoWay, noSelection: ""))
      check(!binding.isEditable)
    },
  ]
}

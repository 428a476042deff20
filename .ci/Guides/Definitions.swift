import Foundation

let (resources, url) = (URL(filePath: "/tmp"), URL(filePath: "/tmp/a.json"))
nonisolated(unsafe) let (controller, list, field, label, undoItem) = (Screen(), Screen(), Screen(), Screen(), Screen())
@KVModel final class Screen: KVObject {
  var rows: [Any] = []
  var text: String?
  var title = ""
}

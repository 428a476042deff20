import Foundation
import KVControllers

enum LogLevel: String { case info, debug }

@KVModel final class Server: KVObject {
  var port = 1
  var host: String?
  var level = LogLevel.info
  var since = Date(timeIntervalSince1970: 0)
  var names: [String] = []
  var weights: [Double] = []
  var isSecure = false
  @KVKey(.lenient) var timeout = 1.5
}

@KVModel final class Field: KVObject {
  var number = 0
}

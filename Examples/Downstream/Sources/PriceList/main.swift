import Foundation
import KVCore

struct Ware {
  let title: String
  let cents: Int
}

let wares = [Ware(title: "tea", cents: 450), Ware(title: "cups", cents: 1800)]
print(try KVC.value(of: wares, forKeyPath: "title", as: [String].self))
print(try KVC.value(of: wares, forKeyPath: "@sum.cents", as: Int.self))
do {
  _ = try KVC.convert(1800, to: Decimal.self)
} catch {
  print(error.message)  // this program links neither of the libraries that convert it
}

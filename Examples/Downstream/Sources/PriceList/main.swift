import KVCore

struct Ware {
  let title: String
  let cents: Int
}

let wares = [Ware(title: "tea", cents: 450), Ware(title: "cups", cents: 1800)]
print(try KVC.value(of: wares, forKeyPath: "title", as: [String].self))
print(try KVC.value(of: wares, forKeyPath: "@sum.cents", as: Int.self))

/// What observers do in the workloads: count, and look at the value.
///
/// The counters are bare memory, since stored properties of a class cost checks of exclusive access.
struct Counter {
  private let counts: UnsafeMutablePointer<(calls: Int, length: Int)>

  init() {
    counts = .allocate(capacity: 1)
    counts.initialize(to: (0, 0))
  }

  /// How often an observer was called.
  var calls: Int { counts.pointee.calls }

  /// Notes a call.
  @inline(__always)
  func count() { counts.pointee.calls &+= 1 }

  /// Notes a call with a text.
  @inline(__always)
  func count(_ text: String?) {
    counts.pointee.calls &+= 1
    if let text { counts.pointee.length &+= text.utf8.count }
  }

  /// Notes a call with a number.
  @inline(__always)
  func count(_ number: Int?) {
    counts.pointee.calls &+= 1
    if let number { counts.pointee.length &+= number }
  }

  /// Notes a call with a value in a box.
  @inline(__always)
  func count(boxed value: Any?) {
    counts.pointee.calls &+= 1
    if value != nil { counts.pointee.length &+= 1 }
  }

  /// Ends the program unless an action calls as many times as it has to.
  func expect(_ calls: Int, _ row: String, _ action: () throws -> Void) rethrows {
    let before = self.calls
    try action()
    if self.calls - before != calls { fail("\(row): \(self.calls - before) calls instead of \(calls)") }
  }
}

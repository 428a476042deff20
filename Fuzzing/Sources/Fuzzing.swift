import Glibc

/// A parser that is fuzzed: a name, and what has to hold for any input.
struct Target: Sendable {
  let name: String
  /// Whether the same input has to take no more memory each time that it is read.
  var checksMemory = true
  let check: @Sendable ([UInt8]) -> Void

  static let all: [Target] = [
    keyPaths, json, xml, binary, definitions, trees, formats, predicates, sorting, scanner,
  ]
}

/// The target whose name the program has: the executable is linked once, under the names of all targets.
nonisolated(unsafe) private var target = Target.keyPaths
nonisolated(unsafe) private var count = 0

/// Chooses the target; libFuzzer calls it once.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  let name = String(cString: arguments.pointee[0]).split(separator: "/").last.map { String($0) }
  guard let named = Target.all.first(where: { $0.name == name }) else { fatalError("the program has no target's name") }
  target = named
  return 0
}

/// Checks an input; libFuzzer calls it.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: length))
  target.check(bytes)
  count += 1
  if target.checksMemory, count % 4_096 == 0 { checkMemory(bytes) }
  return 0
}

/// How much memory is allocated, in bytes.
@_silgen_name("KVFuzzingBytesInUse") private func bytesInUse() -> Int

/// Ends the process if the same input takes more memory each time that it is read.
private func checkMemory(_ bytes: [UInt8]) {
  let times = 64
  target.check(bytes)
  // Caches may fill, and the fuzzer's other thread may allocate: growth has to go on in four rounds.
  for _ in 0..<4 {
    let before = bytesInUse()
    for _ in 0..<times { target.check(bytes) }
    let after = bytesInUse()
    if after < before + times * 16 { return }
  }
  found("memory grows with each reading of", bytes)
}

/// Says what does not hold, and ends the process, so that the input is kept.
func found(_ what: String, _ bytes: [UInt8], _ more: String = "") -> Never {
  print("FOUND: \(what) \(String(decoding: bytes, as: UTF8.self).debugDescription)\(more.isEmpty ? "" : ": \(more)")")
  fflush(nil)
  abort()
}

/// Ends the process unless something holds.
func expect(_ condition: Bool, _ what: String, _ bytes: [UInt8], _ more: @autoclosure () -> String = "") {
  if !condition { found(what, bytes, more()) }
}

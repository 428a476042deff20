import KVCore
import Testing

@Suite("Operators: arguments")
struct OperatorArgumentTests {
  @Test(
    "OP.6: a built-in operator refuses an argument, which it would ignore", arguments: ["@lastObject[0]", "@count[1]"])
  func refused(_ path: String) throws {
    let error = #expect(throws: KVError.self) { try [[1, 2]].value(forKeyPath: path) }
    #expect(error?.code == .operatorFailed)
    #expect(error?.message.contains("it takes no argument") == true)
  }
}

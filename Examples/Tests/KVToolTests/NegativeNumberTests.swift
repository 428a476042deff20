import Testing

@testable import KVTool

@Suite("Negative numbers stand where values do")
struct NegativeNumberTests {
  @Test("Options come first, and the number behind them")
  func reordering() {
    #expect(NegativeNumbers.protected(["set", "a", "-5"]) == ["set", "--", "a", "-5"])
    #expect(NegativeNumbers.protected(["set", "a", "-1.5e3", "-f", "x"]) == ["set", "-f", "x", "--", "a", "-1.5e3"])
    #expect(NegativeNumbers.protected(["set", "-f", "-", "a", "-5"]) == ["set", "-f", "-", "--", "a", "-5"])
  }

  @Test(
    "All else stays as it is",
    arguments: [
      ["set", "a", "5"], ["set", "a", "-x"], ["get", "a", "-5"], [], ["set", "--", "a", "-5"], ["set", "a", "-"],
    ])
  func others(arguments: [String]) {
    #expect(NegativeNumbers.protected(arguments) == arguments)
  }
}

import Foundation
import KVCore
import KVFoundation
import Testing

@Suite("CO.2: the types of Foundation that convert")
struct FoundationTypeTests {
  private struct Date {}

  /// What the error of a program without them says is compared where the program is: Examples/Downstream, PriceList.
  @Test("CO.2, CO.5: the types that KVFoundation lets convert are known without it")
  func types() {
    let converted: [Any.Type] = [Foundation.Date.self, URL.self, UUID.self, Data.self, Decimal.self, CGFloat.self]
    for type in converted {
      #expect(FoundationProvider.isConverted(type), "\(type)")
      #expect(type is any TextConvertible.Type || type is any NumericValue.Type, "\(type)")
    }
    let others: [Any.Type] = [Date.self, Locale.self, Int.self, String.self, [UUID].self, URL?.self]
    for type in others { #expect(!FoundationProvider.isConverted(type), "\(type)") }
  }
}

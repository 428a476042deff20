#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(ucrt)
  import ucrt
#elseif canImport(WASILibc)
  import WASILibc
#endif

/// The functions of the platform's mathematical library that filters call.
enum Mathematics {
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
  static func exponential(_ value: Double) -> Double { exp(value) }
  static func naturalLogarithm(_ value: Double) -> Double { log(value) }
  static func decimalLogarithm(_ value: Double) -> Double { log10(value) }
}

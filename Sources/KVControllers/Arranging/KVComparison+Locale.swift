import Foundation
import KVCore
import KVQuery

extension KVComparison: LinkedWithBinding {
  /// Returns the comparison of texts in the order of a locale, without case and with numbers by value (SRT.6).
  ///
  /// It is the order of file managers, and differs between locales, platforms and versions of these;
  /// ``KVComparison/natural`` does not. Its name is `localized:` and the identifier of the locale.
  ///
  /// - Parameter locale: The locale.
  public static func localized(_ locale: Locale = .current) -> KVComparison {
    KVComparison(name: localePrefix + locale.identifier)
  }
}
